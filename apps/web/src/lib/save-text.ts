/** Saves text as a file on the user's computer. */
export function saveText(name: string, type: string, pieces: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...pieces], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By then the browser has read the data.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Returns a name with a timestamp: `trace-20261122-120641.ndjson`. */
export function timestampedFileName(stem: string, extension: string, at = new Date()): string {
  const stamp = at.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  return `${stem}-${stamp}.${extension}`
}

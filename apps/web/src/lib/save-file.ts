/** Saves text or bytes as a download. */
export function saveFile(name: string, content: string | Uint8Array<ArrayBuffer> | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By the next task the browser has read the data.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}

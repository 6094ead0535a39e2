/** The last part of a key or folder, with the slash at its end when it has one. */
export function lastSegment(key: string): string {
  const body = key.endsWith('/') ? key.slice(0, -1) : key
  return key.slice(body.lastIndexOf('/') + 1)
}

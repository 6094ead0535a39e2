/** Returns the last part of a key or prefix, including a trailing slash. */
export function lastSegment(key: string): string {
  const body = key.endsWith('/') ? key.slice(0, -1) : key
  return key.slice(body.lastIndexOf('/') + 1)
}

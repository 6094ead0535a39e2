/** Headers that say whom a request is for and from. Node keeps the first of several, a proxy in front may use another. */
const ONCE = new Set(['host', 'authorization'])

/**
 * Returns the name of a header that a request may have only once and has several times; undefined if there is none.
 * @param rawHeaders names and values in turn, as Node's `rawHeaders`
 */
export function findRepeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let seen = ''
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i] ?? ''
    if (raw.length !== 4 && raw.length !== 13) continue
    const name = raw.toLowerCase()
    if (!ONCE.has(name)) continue
    if (seen.includes(name)) return name
    seen += name
  }
  return undefined
}

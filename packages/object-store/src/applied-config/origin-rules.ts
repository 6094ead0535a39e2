/** Origins whose pages may read answers; `*` matches any text. */
export class OriginRules {
  readonly #all: boolean
  readonly #patterns: readonly string[][]

  constructor(patterns: readonly string[]) {
    this.#all = patterns.includes('*')
    this.#patterns = patterns.map((pattern) => pattern.toLowerCase().split('*'))
  }

  /** Returns the header value for a page of this origin; undefined: no header. */
  answerFor(origin: string): string | undefined {
    if (this.#all) return '*'
    return this.#patterns.some((parts) => matches(parts, origin.toLowerCase())) ? origin : undefined
  }
}

/** Matches wildcards without a regular expression, whose time could grow with untrusted input. */
function matches([first = '', ...rest]: readonly string[], text: string): boolean {
  if (rest.length === 0) return text === first
  const last = rest.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest.slice(0, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > text.length - last.length) return false
    at = found + part.length
  }
  return true
}

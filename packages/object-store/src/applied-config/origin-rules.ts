import { compileGlob, type Glob, globMatches } from '@stowage/iam-policy'

/** Origins whose pages may read answers; `*` matches any text. */
export class OriginRules {
  readonly #all: boolean
  readonly #globs: readonly Glob[]

  constructor(patterns: readonly string[]) {
    this.#all = patterns.includes('*')
    this.#globs = patterns.map((pattern) => compileGlob(pattern.toLowerCase(), { questionMark: 'literal' }))
  }

  /** Returns the header value for a page of this origin; undefined: no header. */
  answerFor(origin: string): string | undefined {
    if (this.#all) return '*'
    const text = origin.toLowerCase()
    return this.#globs.some((glob) => globMatches(glob, text)) ? origin : undefined
  }
}

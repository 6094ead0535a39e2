import fc from 'fast-check'
import type { FuzzBody, FuzzCaller, FuzzRequest } from './fuzz-request.ts'

/* Parts of requests to the store that all its APIs have. */

export type TextGenerators = Readonly<Record<string, fc.Arbitrary<string>>>

export const emptyBody = fc.constant<FuzzBody>({ kind: 'none' })
export const emptyText = fc.constant('')

export const caller = fc.oneof<fc.WeightedArbitrary<FuzzCaller>[]>(
  { weight: 6, arbitrary: fc.constant('root') },
  { weight: 2, arbitrary: fc.constant('user') },
  { weight: 1, arbitrary: fc.constant('session') },
  { weight: 1, arbitrary: fc.constant('anonymous') },
)
export const signature = fc.oneof<fc.WeightedArbitrary<FuzzRequest['signed']>[]>(
  { weight: 16, arbitrary: fc.constant('header') },
  { weight: 2, arbitrary: fc.constant('query') },
  { weight: 1, arbitrary: fc.constant('damaged') },
)

/** Generates some of these parameters, each with a value. */
export function someParameters(texts: TextGenerators): fc.Arbitrary<Record<string, string>> {
  const names = Object.keys(texts)
  if (names.length === 0) return fc.constant({})
  // Only a few at once: with all of them, one would always be wrong.
  const chosen = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 })
  return fc
    .tuple(fc.record(texts), chosen)
    .map(([all, few]) => Object.fromEntries(few.map((name) => [name, all[name] ?? ''])))
}

import { valueReasons } from '@stowage/contract'

type ReasonTexts = ReadonlyMap<string, string | readonly [one: string, other: string]>

let texts: ReasonTexts = new Map(Object.entries(valueReasons))
let loading: Promise<void> | undefined

/** Returns the texts of reasons that are loaded; those of values always are. */
export const knownReasons = (): ReasonTexts => texts

/**
 * Loads the texts of all reasons. The sign-in page does without them, because responses contain the English text too. Never
 * rejects.
 */
export function loadReasons(): Promise<void> {
  loading ??= import('@stowage/contract/reasons/reasons').then(
    ({ reasons }) => {
      texts = new Map(Object.entries(reasons))
    },
    (error: unknown) => {
      loading = undefined
      console.warn('the texts of reasons could not be loaded', error)
    },
  )
  return loading
}

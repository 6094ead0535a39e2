import { userEpoch } from './session.ts'

/*
 * What was typed into forms that were left without saving: by a change of tab or page, or by the back button. Kept in memory
 * until the form is saved or cancelled, the page is loaded anew, or another user signs in.
 */

const drafts = new Map<string, unknown>()
userEpoch.subscribe(() => drafts.clear())

/** Maximum number of drafts; a new one replaces the oldest. */
const MAX_DRAFTS = 20

/** @param key of the form, the same whenever it is opened for the same thing: `policy/readonly` */
export function keepDraft(key: string, value: unknown): void {
  drafts.delete(key)
  drafts.set(key, value)
  const [oldest] = drafts.keys()
  if (drafts.size > MAX_DRAFTS && oldest !== undefined) drafts.delete(oldest)
}

/** Returns a draft; undefined if there is none. Only the form that kept it uses its key, so its type is known there. */
export function readDraft<T>(key: string): T | undefined {
  return drafts.get(key) as T | undefined
}

export function dropDraft(key: string): void {
  drafts.delete(key)
}

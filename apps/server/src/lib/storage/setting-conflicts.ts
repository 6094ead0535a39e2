import { isDeepStrictEqual } from 'node:util'
import { type Reason, reason } from '@stowage/contract'
import { KeyedQueue } from '@stowage/contract/values/keyed-queue'
import type { ActionName } from '@stowage/iam-policy'
import { HttpError } from '../errors/http-errors.ts'
import { toStorageError } from '../errors/storage-errors.ts'

/**
 * Runs changes of one thing one after the other, so that a check and the write that follows it are one step for the callers of
 * this console. The key of a bucket is its name, whatever the setting: MinIO can lose one of two different settings that are
 * changed at the same time. Other keys have a slash: `user/bob`.
 */
export const settingQueue = new KeyedQueue()

/**
 * Checks that a setting is still the one that a change is based on. Run it in the same turn of `settingQueue` as the write.
 * @param before undefined: the caller replaces whatever is stored
 * @throws HttpError 409 with the present value if the setting was changed
 */
export async function requireUnchangedSetting<T>(before: T | undefined, read: () => Promise<T>): Promise<void> {
  if (before !== undefined) requireSameSetting<T>(before, await read())
}

/** The same check for a setting that was read already. @throws HttpError 409 */
export function requireSameSetting<T>(before: T | undefined, present: T): void {
  if (before === undefined || isDeepStrictEqual(before, present)) return
  throw new HttpError(409, reason('setting-changed'), { present })
}

/**
 * The same check for the fields that `before` has. Lists of strings are compared as sets: servers return members, groups and
 * policies in any order.
 * @throws HttpError 409
 */
export function requireSameFields<T extends object>(
  before: { [K in keyof T]?: T[K] | undefined } | undefined,
  present: T,
): void {
  const stored = new Map<string, unknown>(Object.entries(present))
  const same = Object.entries(before ?? {}).every(
    ([name, value]) => value === undefined || isDeepStrictEqual(sorted(value), sorted(stored.get(name))),
  )
  if (!same) throw new HttpError(409, reason('setting-changed'), { present })
}

const sorted = (value: unknown): unknown =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.toSorted() : value

/**
 * Checks for a call with `create_only` that what it would create does not exist. Run it in the same turn of `settingQueue` as
 * the write.
 * @param createOnly false or undefined: the caller replaces what exists
 * @param exists reads whether it exists
 * @throws HttpError 409 with the reason, which names what exists; 403 if the caller has no right to see whether it exists
 */
export async function requireNewThing(
  createOnly: boolean | undefined,
  exists: () => Promise<boolean>,
  { why, field, action }: { why: Reason; field: string; action: ActionName },
): Promise<void> {
  if (createOnly !== true) return
  const found = await exists().catch((error: unknown) => {
    if (toStorageError(error)?.code !== 'AccessDenied') throw error
    throw new HttpError(403, reason('create-needs-read', { action }), { field, cause: error })
  })
  if (found) throw new HttpError(409, why, { field })
}

import { isDeepStrictEqual } from 'node:util'
import { reason } from '@stowage/contract'
import { KeyedQueue } from '@stowage/contract/values/keyed-queue'
import { HttpError } from '../../lib/errors/http-errors.ts'

/**
 * Runs changes of the settings of one bucket one after the other, whatever the setting: MinIO can lose one of two different
 * settings that are changed at the same time. S3 has no conditional writes for settings, so this protects only against changes by
 * this process.
 */
export const settingQueue = new KeyedQueue()

/**
 * Checks that a setting is still the one that a change is based on. Run it in the same task of `settingQueue` as the write.
 * @param before undefined: the caller replaces whatever is stored
 * @throws HttpError 409 if the setting was changed
 */
export async function requireUnchangedSetting<T>(before: T | undefined, read: () => Promise<T>): Promise<void> {
  if (before !== undefined) requireSameSetting<T>(before, await read())
}

/** The same check for a setting that was read already. @throws HttpError 409 */
export function requireSameSetting<T>(before: T | undefined, present: T): void {
  if (before === undefined || isDeepStrictEqual(before, present)) return
  throw new HttpError(409, reason('setting-changed'))
}

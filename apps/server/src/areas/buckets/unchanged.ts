import { isDeepStrictEqual } from 'node:util'
import { reason } from '@stowage/contract'
import { HttpError } from '../../lib/http/errors.ts'

/**
 * Checks that a setting is still the one that a change is based on. Run it in the same turn as the write.
 * @param before undefined: the caller replaces whatever is stored
 * @throws HttpError 409 if the setting was changed
 */
export async function requireUnchanged<T>(before: T | undefined, read: () => Promise<T>): Promise<void> {
  if (before === undefined || isDeepStrictEqual(before, await read())) return
  throw new HttpError(409, reason('setting-changed'))
}

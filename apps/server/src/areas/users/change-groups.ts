import { reason } from '@stowage/contract'
import pMap from 'p-map'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { toStorageError } from '../../lib/errors/storage-errors.ts'
import { storageErrorMeaning } from '../../lib/errors/upstream-codes.ts'

const CONCURRENCY = 8
/** Maximum number of failures listed in an answer. */
const SPELLED_OUT = 10

/**
 * Changes several groups; a group that cannot be changed does not stop the others.
 * @throws the storage server's error if there is only one; HttpError for several
 */
export async function changeGroups(groups: readonly string[], change: (group: string) => Promise<void>): Promise<void> {
  const failures: { group: string; error: unknown }[] = []
  await pMap(
    groups,
    async (group) => {
      try {
        await change(group)
      } catch (error) {
        failures.push({ group, error })
      }
    },
    { concurrency: CONCURRENCY },
  )
  const [first] = failures
  if (!first) return
  const failure = toStorageError(first.error)
  if (!failure || (failures.length === 1 && groups.length === 1)) throw first.error
  const { status } = storageErrorMeaning(failure.code, failure.status)
  const texts = failures.map(
    ({ group, error }) => `${group}: ${error instanceof Error ? error.message : String(error)}`,
  )
  throw new HttpError(status, reason('groups-not-updated', { failed: failures.length, total: groups.length }), {
    detail: texts.sort().slice(0, SPELLED_OUT).join('\n'),
    cause: first.error,
  })
}

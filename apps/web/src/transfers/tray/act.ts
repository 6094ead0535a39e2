import type { Transfer } from '../engine/types.ts'
import { jobs, uploads } from '../transfers.ts'

/** Returns the IDs of the transfers in one of these states. */
export function idsIn(list: readonly Transfer[], ...states: Transfer['state'][]): string[] {
  return list.filter(({ state }) => states.includes(state)).map(({ id }) => id)
}

export function retryAll(list: readonly Transfer[]) {
  uploads.retry(list.filter(({ kind, state }) => kind === 'upload' && state === 'failed').map(({ id }) => id))
  for (const transfer of list) if (transfer.kind === 'job') jobs.retry(transfer.id)
}

/** Removes completed transfers from the list. */
export function clearEnded(list: readonly Transfer[]) {
  remove(list.filter(({ state }) => state === 'done'))
}

export function cancelAll(list: readonly Transfer[]) {
  remove(list)
}

function remove(list: readonly Transfer[]) {
  uploads.cancel(list.filter(({ kind }) => kind === 'upload').map(({ id }) => id))
  for (const transfer of list) if (transfer.kind === 'job') jobs.cancel(transfer.id)
}

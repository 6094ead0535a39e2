import type { Transfer } from '../list/types.ts'
import { transferJobs, transferUploads } from '../transfers.ts'

/** Returns the IDs of the transfers in one of these states. */
export function idsByState(list: readonly Transfer[], ...states: Transfer['state'][]): string[] {
  return list.filter(({ state }) => states.includes(state)).map(({ id }) => id)
}

export function retryAllTransfers(list: readonly Transfer[]) {
  transferUploads.retry(list.filter(({ kind, state }) => kind === 'upload' && state === 'failed').map(({ id }) => id))
  for (const transfer of list) if (transfer.kind === 'job') transferJobs.retry(transfer.id)
}

/** Removes completed transfers from the list. */
export function clearEndedTransfers(list: readonly Transfer[]) {
  removeTransfers(list.filter(({ state }) => state === 'done'))
}

export function cancelAllTransfers(list: readonly Transfer[]) {
  removeTransfers(list)
}

function removeTransfers(list: readonly Transfer[]) {
  transferUploads.cancel(list.filter(({ kind }) => kind === 'upload').map(({ id }) => id))
  for (const transfer of list) if (transfer.kind === 'job') transferJobs.cancel(transfer.id)
}

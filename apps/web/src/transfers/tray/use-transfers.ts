import { useMemo, useSyncExternalStore } from 'react'
import type { Transfer } from '../list/types.ts'
import { transfers } from '../transfers.ts'
import { summarizeTransfers, type TransferSummary } from './transfer-summary.ts'

/** Sorts transfers that run or need the user first, then queued ones, then completed ones. */
function displayOrder({ state }: Transfer): number {
  if (state === 'waiting' || state === 'checking') return 1
  return state === 'done' ? 2 : 0
}

/** Returns the transfers of one user, sorted for the tray, and their totals. */
export function useTransfers(owner: string | undefined): { list: readonly Transfer[]; summary: TransferSummary } {
  const all = useSyncExternalStore(transfers.subscribe, transfers.snapshot)
  return useMemo(() => {
    const mine = all.filter((transfer) => transfer.owner === owner)
    return { list: mine.toSorted((a, b) => displayOrder(a) - displayOrder(b)), summary: summarizeTransfers(mine) }
  }, [all, owner])
}

import { pack, unpack } from 'msgpackr'
import { keys } from './keys.ts'
import type { Transaction } from './transaction.ts'
import type { ReplicationCounts, WaitingChange, WaitingQuery } from './types.ts'

/* Index entries of the queued and the refused changes of a bucket's replication targets, with their counts. */

const KINDS = ['version', 'marker', 'delete'] as const
const NOTHING: ReplicationCounts = {
  pending: 0,
  pendingBytes: 0,
  failed: 0,
  failedBytes: 0,
  completed: 0,
  completedBytes: 0,
}

type FlatChange = [
  key: string,
  versionId: string,
  kind: number,
  size: number,
  since: number,
  attempts: number,
  reason: string,
]

export function decodeChange(entry: number, value: Buffer): WaitingChange {
  const [key, versionId, kind, size, since, attempts, reason] = unpack(value) as FlatChange
  return { entry, key, versionId, kind: KINDS[kind] ?? 'version', size, since, attempts, reason }
}

export function encodeChange({ key, versionId, kind, size, since, attempts, reason }: WaitingChange): Buffer {
  return pack([key, versionId, KINDS.indexOf(kind), size, since, attempts, reason] satisfies FlatChange)
}

export const tableOf = (state: WaitingQuery['state']) => (state === 'PENDING' ? 'q' : 'f')

export function readCounts(value: Buffer | undefined): ReplicationCounts {
  if (!value) return { ...NOTHING }
  const [pending = 0, pendingBytes = 0, failed = 0, failedBytes = 0, completed = 0, completedBytes = 0] = unpack(
    value,
  ) as number[]
  return { pending, pendingBytes, failed, failedBytes, completed, completedBytes }
}

export function count(
  tx: Transaction,
  number: number,
  target: string,
  state: 'pending' | 'failed' | 'completed',
  sign: 1 | -1,
  size: number,
): void {
  const key = keys.replicationCounts(number, target)
  const counts = readCounts(tx.get(key))
  counts[state] = Math.max(counts[state] + sign, 0)
  counts[`${state}Bytes`] = Math.max(counts[`${state}Bytes`] + sign * size, 0)
  const { pending, pendingBytes, failed, failedBytes, completed, completedBytes } = counts
  tx.put(key, pack([pending, pendingBytes, failed, failedBytes, completed, completedBytes]))
}

/** Queues a change. @returns the number of its entry */
export function addWaiting(
  tx: Transaction,
  number: number,
  target: string,
  change: Omit<WaitingChange, 'entry'>,
): number {
  const entry = tx.id()
  tx.put(keys.waiting(number, target, 'q', entry), encodeChange({ ...change, entry }))
  count(tx, number, target, 'pending', 1, change.size)
  return entry
}

/** Removes a queued or refused change. Undefined if it has already been removed. */
export function takeWaiting(tx: Transaction, number: number, target: string, entry: number): WaitingChange | undefined {
  for (const state of ['PENDING', 'FAILED'] as const) {
    const key = keys.waiting(number, target, tableOf(state), entry)
    const value = tx.get(key)
    if (!value) continue
    const change = decodeChange(entry, value)
    tx.remove(key)
    count(tx, number, target, state === 'PENDING' ? 'pending' : 'failed', -1, change.size)
    return change
  }
  return undefined
}

import { pack, unpack } from 'msgpackr'
import type { Transaction } from '../commit/transaction.ts'
import type { ReplicationBacklogQuery, ReplicationCounts, ReplicationTask } from '../interface/types.ts'
import { indexKeys } from '../records/index-keys.ts'

/* Index entries of the queued and the refused changes of a bucket's replication targets, with their counts. */

const TASK_KINDS = ['version', 'marker', 'delete'] as const
const NOTHING: ReplicationCounts = {
  pending: 0,
  pendingBytes: 0,
  failed: 0,
  failedBytes: 0,
  completed: 0,
  completedBytes: 0,
}

type FlatReplicationTask = [
  key: string,
  versionId: string,
  kind: number,
  size: number,
  since: number,
  attempts: number,
  reason: string,
]

export function decodeReplicationTask(entry: number, value: Buffer): ReplicationTask {
  const [key, versionId, kind, size, since, attempts, reason] = unpack(value) as FlatReplicationTask
  return { entry, key, versionId, kind: TASK_KINDS[kind] ?? 'version', size, since, attempts, reason }
}

export function encodeReplicationTask({
  key,
  versionId,
  kind,
  size,
  since,
  attempts,
  reason,
}: ReplicationTask): Buffer {
  return pack([key, versionId, TASK_KINDS.indexOf(kind), size, since, attempts, reason] satisfies FlatReplicationTask)
}

export const backlogTable = (state: ReplicationBacklogQuery['state']) => (state === 'PENDING' ? 'q' : 'f')

export function decodeReplicationCounts(value: Buffer | undefined): ReplicationCounts {
  if (!value) return { ...NOTHING }
  const [pending = 0, pendingBytes = 0, failed = 0, failedBytes = 0, completed = 0, completedBytes = 0] = unpack(
    value,
  ) as number[]
  return { pending, pendingBytes, failed, failedBytes, completed, completedBytes }
}

export function countReplication(
  tx: Transaction,
  number: number,
  target: string,
  state: 'pending' | 'failed' | 'completed',
  sign: 1 | -1,
  size: number,
): void {
  const key = indexKeys.replicationCounts(number, target)
  const counts = decodeReplicationCounts(tx.get(key))
  counts[state] = Math.max(counts[state] + sign, 0)
  counts[`${state}Bytes`] = Math.max(counts[`${state}Bytes`] + sign * size, 0)
  const { pending, pendingBytes, failed, failedBytes, completed, completedBytes } = counts
  tx.put(key, pack([pending, pendingBytes, failed, failedBytes, completed, completedBytes]))
}

/** Queues a change. @returns the number of its entry */
export function addReplicationTask(
  tx: Transaction,
  number: number,
  target: string,
  change: Omit<ReplicationTask, 'entry'>,
): number {
  const entry = tx.id()
  tx.put(indexKeys.replicationTask(number, target, 'q', entry), encodeReplicationTask({ ...change, entry }))
  countReplication(tx, number, target, 'pending', 1, change.size)
  return entry
}

/** Removes a queued or refused change. Undefined if it has already been removed. */
export function takeReplicationTask(
  tx: Transaction,
  number: number,
  target: string,
  entry: number,
): ReplicationTask | undefined {
  for (const state of ['PENDING', 'FAILED'] as const) {
    const key = indexKeys.replicationTask(number, target, backlogTable(state), entry)
    const value = tx.get(key)
    if (!value) continue
    const change = decodeReplicationTask(entry, value)
    tx.remove(key)
    countReplication(tx, number, target, state === 'PENDING' ? 'pending' : 'failed', -1, change.size)
    return change
  }
  return undefined
}

import { successor } from '../../index-db/key-bounds.ts'
import { requireBucketInTransaction } from '../buckets/bucket-in-transaction.ts'
import type { Transaction } from '../commit/transaction.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type {
  ObjectVersionName,
  ReplicationBacklogQuery,
  ReplicationCounts,
  ReplicationTask,
  ReplicationTaskResult,
} from '../interface/types.ts'
import { keyBytes } from '../records/engine-errors.ts'
import { indexKeys } from '../records/index-keys.ts'
import { readVersion, VersionChain } from '../versions/version-chain.ts'
import { queueReplication } from './queue-replication.ts'
import {
  backlogTable,
  countReplication,
  decodeReplicationCounts,
  decodeReplicationTask,
  encodeReplicationTask,
  takeReplicationTask,
} from './replication-tasks.ts'

/* Changes queued for the replication targets of a bucket. The commit that makes a change also queues it, so none is lost. */

/** Maximum number of entries per commit. */
const BATCH = 500

export function listReplicationBacklog(
  core: EngineCore,
  { bucket, target, state, after, limit }: ReplicationBacklogQuery,
): ReplicationTask[] {
  const { number } = core.buckets.require(bucket)
  const table = backlogTable(state)
  const all = indexKeys.replicationBacklog(number, target, table)
  const start = after === undefined ? all : indexKeys.replicationTask(number, target, table, after + 1)
  const found: ReplicationTask[] = []
  for (const { key, value } of core.index.range(start, successor(all))) {
    if (found.length >= limit) break
    found.push(decodeReplicationTask(key.readUIntBE(key.length - 6, 6), value))
  }
  return found
}

export function replicationCounts(core: EngineCore, bucket: string, target: string): ReplicationCounts {
  const { number } = core.buckets.require(bucket)
  return decodeReplicationCounts(core.index.get(indexKeys.replicationCounts(number, target)))
}

export async function settleReplicationTasks(
  core: EngineCore,
  bucket: string,
  target: string,
  outcomes: ReplicationTaskResult[],
): Promise<void> {
  await core.commit((tx) => {
    const { number } = requireBucketInTransaction(core, tx, bucket)
    for (const { entry, status, reason = '' } of outcomes) {
      const change = takeReplicationTask(tx, number, target, entry)
      if (!change) continue
      if (status === 'FAILED') {
        const refused = { ...change, attempts: change.attempts + 1, reason }
        tx.put(indexKeys.replicationTask(number, target, 'f', entry), encodeReplicationTask(refused))
      }
      countReplication(tx, number, target, status === 'FAILED' ? 'failed' : 'completed', 1, change.size)
      if (change.kind !== 'delete') setReplicationStatus(core, tx, number, target, change, status)
    }
    tx.note({ type: 'other' })
  })
}

function setReplicationStatus(
  core: EngineCore,
  tx: Transaction,
  number: number,
  target: string,
  { key, versionId, entry }: ReplicationTask,
  status: 'PENDING' | ReplicationTaskResult['status'],
): void {
  const chain = new VersionChain(core, tx, number, keyBytes(key))
  const record = chain.find(versionId)
  const { replication } = record ?? {}
  // Removed, or queued again by another change.
  if (!record || !replication || replication.targets[target]?.entry !== entry) return
  chain.update({
    ...record,
    replication: { ...replication, targets: { ...replication.targets, [target]: { status, entry } } },
  })
}

export async function retryFailedReplication(
  core: EngineCore,
  bucket: string,
  target: string,
  limit: number,
): Promise<number> {
  const refused = listReplicationBacklog(core, { bucket, target, state: 'FAILED', limit: Math.min(limit, BATCH) })
  if (refused.length === 0) return 0
  return core.commit((tx) => {
    const { number } = requireBucketInTransaction(core, tx, bucket)
    let retried = 0
    for (const { entry } of refused) {
      const change = takeReplicationTask(tx, number, target, entry)
      if (!change) continue
      tx.put(indexKeys.replicationTask(number, target, 'q', entry), encodeReplicationTask({ ...change, reason: '' }))
      countReplication(tx, number, target, 'pending', 1, change.size)
      if (change.kind !== 'delete') setReplicationStatus(core, tx, number, target, change, 'PENDING')
      retried++
    }
    tx.note({ type: 'other', bucket })
    return retried
  })
}

export async function clearReplicationBacklog(core: EngineCore, bucket: string, target: string): Promise<void> {
  for (let left = true; left; ) {
    left = await core.commit((tx) => {
      const { number } = requireBucketInTransaction(core, tx, bucket)
      let done = 0
      for (const table of ['q', 'f'] as const) {
        const all = indexKeys.replicationBacklog(number, target, table)
        for (const { key } of tx.range(all, successor(all))) {
          if (done++ >= BATCH) return true
          tx.remove(key)
        }
      }
      tx.remove(indexKeys.replicationCounts(number, target))
      tx.note({ type: 'other' })
      return false
    })
  }
}

export async function queueVersions(
  core: EngineCore,
  bucket: string,
  target: string,
  versions: ObjectVersionName[],
): Promise<{ versions: number; bytes: number }> {
  return core.commit((tx) => {
    const entered = requireBucketInTransaction(core, tx, bucket)
    const queued = { versions: 0, bytes: 0 }
    for (const { key, versionId } of versions) {
      const chain = new VersionChain(core, tx, entered.number, keyBytes(key))
      const record = versionId === undefined ? chain.latest : chain.find(versionId)
      if (!record) continue
      const replication = queueReplication(core, tx, entered, key, record, 'existing', target)
      if (!replication) continue
      queued.versions++
      queued.bytes += record.size
      chain.update({ ...record, replication })
    }
    tx.note({ type: 'other', bucket })
    return queued
  })
}

export function getDeleteMarker(
  core: EngineCore,
  bucket: string,
  key: string,
  versionId: string,
): { lastModified: number } | undefined {
  const { number } = core.buckets.require(bucket)
  const record = readVersion(core.index, number, keyBytes(key), versionId)
  return record?.marker ? { lastModified: record.lastModified } : undefined
}

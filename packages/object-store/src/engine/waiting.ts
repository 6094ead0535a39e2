import { successor } from '../index-db/bounds.ts'
import type { Core } from './core.ts'
import { bucketIn } from './enter-version.ts'
import { keyBytes } from './failures.ts'
import { keys } from './keys.ts'
import { enqueue } from './replication.ts'
import type { Transaction } from './transaction.ts'
import type { ObjectName, ReplicationCounts, SettledChange, WaitingChange, WaitingQuery } from './types.ts'
import { readVersion, VersionChain } from './versions.ts'
import { count, decodeChange, encodeChange, readCounts, tableOf, takeWaiting } from './waiting-entries.ts'

/* Changes queued for the replication targets of a bucket. The commit that makes a change also queues it, so none is lost. */

/** Maximum number of entries per commit. */
const BATCH = 500

export function listWaiting(core: Core, { bucket, target, state, after, limit }: WaitingQuery): WaitingChange[] {
  const { number } = core.buckets.require(bucket)
  const table = tableOf(state)
  const all = keys.waitingOf(number, target, table)
  const start = after === undefined ? all : keys.waiting(number, target, table, after + 1)
  const found: WaitingChange[] = []
  for (const { key, value } of core.index.range(start, successor(all))) {
    if (found.length >= limit) break
    found.push(decodeChange(key.readUIntBE(key.length - 6, 6), value))
  }
  return found
}

export function replicationCounts(core: Core, bucket: string, target: string): ReplicationCounts {
  const { number } = core.buckets.require(bucket)
  return readCounts(core.index.get(keys.replicationCounts(number, target)))
}

export async function settleWaiting(
  core: Core,
  bucket: string,
  target: string,
  outcomes: SettledChange[],
): Promise<void> {
  await core.commit((tx) => {
    const { number } = bucketIn(core, tx, bucket)
    for (const { entry, status, reason = '' } of outcomes) {
      const change = takeWaiting(tx, number, target, entry)
      if (!change) continue
      if (status === 'FAILED') {
        const refused = { ...change, attempts: change.attempts + 1, reason }
        tx.put(keys.waiting(number, target, 'f', entry), encodeChange(refused))
      }
      count(tx, number, target, status === 'FAILED' ? 'failed' : 'completed', 1, change.size)
      if (change.kind !== 'delete') setStatus(core, tx, number, target, change, status)
    }
    tx.note({ type: 'other' })
  })
}

function setStatus(
  core: Core,
  tx: Transaction,
  number: number,
  target: string,
  { key, versionId, entry }: WaitingChange,
  status: 'PENDING' | SettledChange['status'],
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

export async function retryRefused(core: Core, bucket: string, target: string, limit: number): Promise<number> {
  const refused = listWaiting(core, { bucket, target, state: 'FAILED', limit: Math.min(limit, BATCH) })
  if (refused.length === 0) return 0
  return core.commit((tx) => {
    const { number } = bucketIn(core, tx, bucket)
    let retried = 0
    for (const { entry } of refused) {
      const change = takeWaiting(tx, number, target, entry)
      if (!change) continue
      tx.put(keys.waiting(number, target, 'q', entry), encodeChange({ ...change, reason: '' }))
      count(tx, number, target, 'pending', 1, change.size)
      if (change.kind !== 'delete') setStatus(core, tx, number, target, change, 'PENDING')
      retried++
    }
    tx.note({ type: 'other', bucket })
    return retried
  })
}

export async function dropWaiting(core: Core, bucket: string, target: string): Promise<void> {
  for (let left = true; left; ) {
    left = await core.commit((tx) => {
      const { number } = bucketIn(core, tx, bucket)
      let done = 0
      for (const table of ['q', 'f'] as const) {
        const all = keys.waitingOf(number, target, table)
        for (const { key } of tx.range(all, successor(all))) {
          if (done++ >= BATCH) return true
          tx.remove(key)
        }
      }
      tx.remove(keys.replicationCounts(number, target))
      tx.note({ type: 'other' })
      return false
    })
  }
}

export async function queueVersions(
  core: Core,
  bucket: string,
  target: string,
  versions: ObjectName[],
): Promise<{ versions: number; bytes: number }> {
  return core.commit((tx) => {
    const entered = bucketIn(core, tx, bucket)
    const queued = { versions: 0, bytes: 0 }
    for (const { key, versionId } of versions) {
      const chain = new VersionChain(core, tx, entered.number, keyBytes(key))
      const record = versionId === undefined ? chain.latest : chain.find(versionId)
      if (!record) continue
      const replication = enqueue(core, tx, entered, key, record, 'existing', target)
      if (!replication) continue
      queued.versions++
      queued.bytes += record.size
      chain.update({ ...record, replication })
    }
    tx.note({ type: 'other', bucket })
    return queued
  })
}

export function getMarker(
  core: Core,
  bucket: string,
  key: string,
  versionId: string,
): { lastModified: number } | undefined {
  const { number } = core.buckets.require(bucket)
  const record = readVersion(core.index, number, keyBytes(key), versionId)
  return record?.marker ? { lastModified: record.lastModified } : undefined
}

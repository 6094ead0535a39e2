import {
  findLifecycleAction,
  type LifecycleAction,
  type S3LifecycleRule,
  type VersionFacts,
} from '@stowage/madmin/lifecycle'
import type { IndexReader } from '../../index-db/index-mirror.ts'
import { EXPIRY_USER_AGENT } from '../../journal/store-change.ts'
import { S3Error } from '../../lib/errors.ts'
import { requireBucketInTransaction } from '../buckets/bucket-in-transaction.ts'
import type { Transaction } from '../commit/transaction.ts'
import type { StoredBucket } from '../core/bucket-table.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type { DueLifecycleKey, LifecycleResult, LifecycleScanSlice, Requester } from '../interface/types.ts'
import { deleteInTransaction } from '../objects/delete-versions.ts'
import { versionChangeNote } from '../objects/enter-version.ts'
import { scanLatest } from '../objects/listing.ts'
import { keyBytes } from '../records/engine-errors.ts'
import { decodeVersion, type VersionRecord } from '../records/index-records.ts'
import { olderVersions, readLatest, VersionChain } from '../versions/version-chain.ts'
import { checkVersionUnlocked } from '../versions/version-lock.ts'
import { endRestore, isRestoreOver } from './restore-version.ts'

const EXPIRY_REQUESTER: Requester = { user: '', address: '', userAgent: EXPIRY_USER_AGENT, requestId: '' }

/** Sorts after all keys: no key starts with this byte. */
const END = Buffer.from([0xff])

/** Maximum number of versions of one key that one commit removes. The rest follows in the next pass. */
const MAX_REMOVED = 1000

const NOTHING: LifecycleResult = { removed: 0, markers: 0, bytes: 0, kept: 0 }

/** Searches keys of a bucket for due lifecycle actions, for at most `ms`. Changes nothing. */
export function scanLifecycle(core: EngineCore, bucket: string, after: string, ms: number): LifecycleScanSlice {
  const target = core.buckets.require(bucket)
  const rules = target.setting('lifecycle')?.value ?? []
  const due: DueLifecycleKey[] = []
  let scanned = 0
  if (!rules.some(({ enabled }) => enabled)) return { scanned, due, next: undefined }
  const now = core.now()
  const endsAt = performance.now() + ms
  const start = after === '' ? Buffer.alloc(0) : Buffer.concat([Buffer.from(after), Buffer.from([0])])
  for (const { key, entry } of scanLatest(core.index, target.number)(start, END)) {
    const latest = decodeVersion(entry.value)
    const name = key.toString()
    const versions = latest.older === 0 ? [latest] : [latest, ...olderVersions(core.index, target.number, key)]
    const actions = dueActions(rules, name, versions, now).filter((action) => !isLocked(core, versions, action))
    const isOver = versions.some((version) => isRestoreOver(version, now))
    if (actions.length > 0 || isOver) due.push(dueKey(name, actions, isOver))
    scanned++
    if (performance.now() >= endsAt) return { scanned, due, next: name }
  }
  return { scanned, due, next: undefined }
}

function dueKey(key: string, actions: LifecycleAction[], isOver: boolean): DueLifecycleKey {
  const transitions = actions.flatMap(({ kind, versionId, storageClass }) =>
    kind === 'transition' && storageClass !== undefined ? [{ versionId, storageClass }] : [],
  )
  return { key, removes: isOver || transitions.length < actions.length, transitions }
}

/** Returns the actions due at `now`: one per version, or one for the whole key. */
function dueActions(
  all: readonly S3LifecycleRule[],
  key: string,
  versions: readonly VersionRecord[],
  now: number,
): LifecycleAction[] {
  // Once per key: a bucket may have 1,000 rules, and a key many versions.
  const rules = all.filter(({ enabled, filter }) => enabled && key.startsWith(filter.prefix))
  if (rules.length === 0) return []
  const facts = versions.map(versionFacts)
  const due: LifecycleAction[] = []
  for (let i = 0; i < facts.length && due.length < MAX_REMOVED; i++) {
    const action = findLifecycleAction(rules, key, facts, i, now)
    if (!action || action.due > now) continue
    if (action.kind !== 'expire' && isReplicationPending(versions, i, action)) continue
    if (action.kind === 'remove-all') return [action]
    due.push(action)
  }
  return due
}

/** Whether a version still has to be replicated to a target, so that the action must wait. */
function isReplicationPending(versions: readonly VersionRecord[], index: number, { kind }: LifecycleAction): boolean {
  const touched = kind === 'remove-all' ? versions : versions.slice(index, index + 1)
  return touched.some(({ replication }) =>
    Object.values(replication?.targets ?? {}).some(({ status }) => status === 'PENDING'),
  )
}

function versionFacts({ versionId, marker, size, lastModified, tags, tier, body }: VersionRecord): VersionFacts {
  // An empty object has no bytes to move.
  const isMoved = tier !== undefined || body.kind === 'empty'
  return { versionId, marker, size, lastModified, tags, ...(isMoved && { tier: tier?.object ?? '' }) }
}

/** Returns the tier that a version must be moved to now; undefined if it stays. */
export function dueTransition(
  core: EngineCore,
  index: IndexReader,
  target: StoredBucket,
  name: string,
  record: VersionRecord,
): string | undefined {
  const key = keyBytes(name)
  const latest = readLatest(index, target.number, key)
  if (!latest) return undefined
  const versions = [latest, ...olderVersions(index, target.number, key)]
  const at = versions.findIndex(({ id }) => id === record.id)
  const now = core.now()
  const action = findLifecycleAction(
    target.setting('lifecycle')?.value ?? [],
    name,
    versions.map(versionFacts),
    at,
    now,
  )
  if (action?.kind !== 'transition' || action.due > now || isReplicationPending(versions, at, action)) return undefined
  return action.storageClass
}

function isLocked(core: EngineCore, versions: readonly VersionRecord[], { kind, versionId }: LifecycleAction): boolean {
  if (kind !== 'remove') return false
  const version = versions.find((other) => other.versionId === versionId)
  try {
    checkVersionUnlocked(version?.lock, core.lockClock.now(), undefined)
    return false
  } catch {
    return true
  }
}

/**
 * Applies the due actions of these keys in one commit, which checks the current rules, versions and locks again. Locked
 * versions are kept.
 */
export async function applyLifecycle(
  core: EngineCore,
  bucket: string,
  names: readonly string[],
): Promise<LifecycleResult> {
  return core.committer.commit((tx) => {
    const target = requireBucketInTransaction(core, tx, bucket)
    const rules = target.setting('lifecycle')?.value ?? []
    let total = NOTHING
    for (const name of names)
      total = addResults(total, applyRulesToKey(core, tx, { bucket, number: target.number, name, rules }))
    return total
  }, EXPIRY_REQUESTER)
}

interface LifecycleKey {
  bucket: string
  number: number
  name: string
  rules: readonly S3LifecycleRule[]
}

function applyRulesToKey(core: EngineCore, tx: Transaction, target: LifecycleKey): LifecycleResult {
  const { bucket, number, name, rules } = target
  const key = keyBytes(name)
  const latest = readLatest(tx, number, key)
  if (!latest) return NOTHING
  const versions = [latest, ...olderVersions(tx, number, key)]
  let total = NOTHING
  for (const version of versions) if (isRestoreOver(version, core.now())) endRestore(core, tx, number, key, version)
  for (const action of dueActions(rules, name, versions, core.now())) {
    if (action.kind === 'expire') {
      // In a bucket with versions this hides the object and deletes nothing, so locks do not matter.
      const { deleteMarker } = deleteInTransaction(core, tx, bucket, name, {})
      total = addResults(
        total,
        deleteMarker ? { ...NOTHING, markers: 1 } : { ...NOTHING, removed: 1, bytes: latest.size },
      )
    } else if (action.kind === 'remove-all') {
      for (const { versionId } of versions) total = addResults(total, removeVersion(core, tx, target, versionId))
    } else if (action.kind === 'remove') total = addResults(total, removeVersion(core, tx, target, action.versionId))
  }
  return total
}

function removeVersion(core: EngineCore, tx: Transaction, target: LifecycleKey, versionId: string): LifecycleResult {
  const { bucket, number, name } = target
  try {
    // Read the chain again, because the previous deletion changed it.
    const removed = new VersionChain(core, tx, number, keyBytes(name)).remove(versionId)
    if (!removed) return NOTHING
    tx.note(versionChangeNote(removed.marker ? 'marker-expired' : 'object-delete', bucket, name, removed))
    return { ...NOTHING, removed: 1, bytes: removed.size }
  } catch (error) {
    if (error instanceof S3Error && (error.code === 'InvalidRequest' || error.code === 'AccessDenied')) {
      return { ...NOTHING, kept: 1 }
    }
    throw error
  }
}

function addResults(a: LifecycleResult, b: LifecycleResult): LifecycleResult {
  return {
    removed: a.removed + b.removed,
    markers: a.markers + b.markers,
    bytes: a.bytes + b.bytes,
    kept: a.kept + b.kept,
  }
}

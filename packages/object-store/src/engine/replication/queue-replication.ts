import { type ReplicatedChange, replicationTargetIds } from '../../bucket-settings/replication-codec.ts'
import { S3Error } from '../../lib/errors.ts'
import type { Transaction } from '../commit/transaction.ts'
import type { StoredBucket } from '../core/bucket-table.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type {
  ReplicaRights,
  ReplicaSource,
  ReplicationInfo,
  ReplicationTimes,
  VersionLock,
  VersionRetention,
} from '../interface/types.ts'
import type { ReplicationRecord, VersionRecord } from '../records/index-records.ts'
import { addReplicationTask, takeReplicationTask } from './replication-tasks.ts'

/** A modification time further in the future than this (ms) is taken as a wrong clock. */
const MAX_AHEAD_MS = 86_400_000

type VersionToReplicate = Pick<VersionRecord, 'versionId' | 'tags' | 'marker' | 'size' | 'replication'>

/**
 * Queues a version for all targets to which rules of its bucket replicate it, or for one of them.
 * @returns the replication state for the version's record; undefined if no rule applies
 */
export function queueReplication(
  core: Pick<EngineCore, 'now'>,
  tx: Transaction,
  bucket: StoredBucket,
  key: string,
  version: VersionToReplicate,
  kind: ReplicatedChange['kind'],
  only?: string,
): ReplicationRecord | undefined {
  const rules = bucket.setting('replication')?.value
  if (!rules || bucket.effectiveVersioning(key) !== 'Enabled') return undefined
  const { tags, versionId, marker, size, replication: known } = version
  const asked = marker && kind !== 'delete' ? 'marker' : kind
  const wanted = replicationTargetIds(rules, { key, tags, kind: asked, replica: known?.replica ?? false })
  const targets = only === undefined ? wanted : wanted.filter((id) => id === only)
  if (targets.length === 0) return undefined
  const entered = targets.map((target): [string, ReplicationRecord['targets'][string]] => {
    const before = known?.targets[target]
    if (before && before.status !== 'COMPLETED') takeReplicationTask(tx, bucket.number, target, before.entry)
    const entry = addReplicationTask(tx, bucket.number, target, {
      key,
      versionId,
      kind: kind === 'delete' ? 'delete' : marker ? 'marker' : 'version',
      size: kind === 'delete' ? 0 : size,
      since: core.now(),
      // The target may already have an existing version, so it is asked first.
      attempts: kind === 'existing' ? 1 : 0,
      reason: '',
    })
    return [target, { status: 'PENDING', entry }]
  })
  return {
    replica: known?.replica ?? false,
    times: known?.times ?? {},
    targets: { ...known?.targets, ...Object.fromEntries(entered) },
  }
}

/** Called when a version is deleted: drops its queued replication, and queues the deletion if a rule replicates it. */
export function queueReplicatedDeletion(
  core: EngineCore,
  tx: Transaction,
  bucket: StoredBucket,
  key: string,
  removed: VersionRecord,
): void {
  for (const [target, { status, entry }] of Object.entries(removed.replication?.targets ?? {})) {
    if (status !== 'COMPLETED') takeReplicationTask(tx, bucket.number, target, entry)
  }
  queueReplication(core, tx, bucket, key, { ...removed, replication: undefined }, 'delete')
}

/** Returns the record of a version whose description was changed by a local call at this time. */
export function queueMetadataChange(
  core: EngineCore,
  tx: Transaction,
  bucket: StoredBucket,
  key: string,
  version: VersionRecord,
  part: keyof ReplicationTimes,
): ReplicationRecord | undefined {
  const known = version.replication
  if (!known && !bucket.setting('replication')) return undefined
  const times = { ...known?.times, [part]: core.now() }
  const replication = { replica: known?.replica ?? false, times, targets: known?.targets ?? {} }
  return queueReplication(core, tx, bucket, key, { ...version, replication }, 'metadata') ?? replication
}

export function describeReplication({ replica, times, targets }: ReplicationRecord): ReplicationInfo | undefined {
  const statuses = Object.entries(targets).map(([id, { status }]) => [id, status] as const)
  if (!replica && statuses.length === 0) return undefined
  const status = (['FAILED', 'PENDING'] as const).find((one) => statuses.some(([, of]) => of === one)) ?? 'COMPLETED'
  return { status: replica ? 'REPLICA' : status, times, targets: Object.fromEntries(statuses) }
}

/** @throws S3Error InvalidArgument */
export function checkReplicaTime(lastModified: number, now: number): void {
  if (lastModified <= now + MAX_AHEAD_MS) return
  throw new S3Error('InvalidArgument', 'The modification time of a replica must not be more than a day ahead.')
}

export interface ReplicaMetadata {
  replica: ReplicaSource
  lastModified: number
  tags: Record<string, string>
  lock: VersionLock | undefined
}

const NO_RIGHTS: ReplicaRights = { mayTag: () => false, mayRetain: () => false, bypassesGovernance: false }

/**
 * Merges the description received from another store into the record of an existing version: the newer tags win, and of
 * locks the longer date, the stricter mode and the hold. So stores that change a version at the same time converge. The sender
 * can change no more than its own rights allow; without `rights` it has none.
 * @param now of the lock clock
 * @throws S3Error AccessDenied: it may not change the tags, which includes removing them
 */
export function mergeReplica(
  record: VersionRecord,
  received: ReplicaMetadata,
  now: number,
  rights: ReplicaRights = NO_RIGHTS,
): VersionRecord {
  const own = record.replication?.times.tags ?? record.lastModified
  const theirs = received.replica.times.tags ?? received.lastModified
  const [ownText, theirText] = [record.tags, received.tags].map(sortedTagText) as [string, string]
  const takesTags = theirs > own || (theirs === own && theirText > ownText)
  if (takesTags && theirText !== ownText && !rights.mayTag(record.versionId, received.tags)) {
    throw new S3Error('AccessDenied', 'Access Denied.')
  }
  const times = { ...record.replication?.times, ...(takesTags && { tags: theirs }) }
  return {
    ...record,
    tags: takesTags ? received.tags : record.tags,
    lock: mergeLocks(record.lock, received.lock, (from, to) =>
      mergeRetention(from, to, now, {
        ...rights,
        mayRetain: (retention) => rights.mayRetain(record.versionId, retention),
      }),
    ),
    replication: {
      replica: record.replication?.replica ?? false,
      times,
      targets: record.replication?.targets ?? {},
    },
  }
}

const sortedTagText = (tags: Record<string, string>): string =>
  JSON.stringify(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)))

function mergeLocks(
  own: VersionLock | undefined,
  theirs: VersionLock | undefined,
  merge: (own: VersionRetention, theirs: VersionRetention) => VersionRetention,
): VersionLock | undefined {
  if (!own || !theirs) return own ?? theirs
  const retention =
    own.retention && theirs.retention ? merge(own.retention, theirs.retention) : (own.retention ?? theirs.retention)
  const legalHold = own.legalHold === 'ON' || theirs.legalHold === 'ON' ? 'ON' : (own.legalHold ?? theirs.legalHold)
  return { ...(retention && { retention }), ...(legalHold && { legalHold }) }
}

/**
 * Returns retention that is at least as long and as strict as each of the two that is in force. If one has the later date and
 * the other the stricter mode, that is neither of them, so the sender needs the right to it; without it nothing changes.
 */
export function mergeRetention(
  own: VersionRetention,
  theirs: VersionRetention,
  now: number,
  rights: { mayRetain: (retention: VersionRetention) => boolean; bypassesGovernance: boolean },
): VersionRetention {
  if (theirs.until <= now) return own
  if (own.until <= now) return theirs
  if (own.mode === 'GOVERNANCE' && rights.bypassesGovernance) return theirs
  const mode = own.mode === 'COMPLIANCE' ? own.mode : theirs.mode
  const merged = { mode, until: Math.max(own.until, theirs.until) }
  const isNamed = [own, theirs].some((one) => one.mode === merged.mode && one.until === merged.until)
  return isNamed || rights.mayRetain(merged) ? merged : own
}

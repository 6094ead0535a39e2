import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Engine, ObjectListPage, ObjectVersionName } from '../engine/interface/types.ts'
import { abortableWait } from '../lib/abortable-wait.ts'
import { RESYNC_COLLECTION, type StoredRemoteTarget } from './remote-target-store.ts'
import type { Replicator } from './replicator.ts'

/* A resync sends all versions of a bucket to a target again, including those from before its rule. */

interface Resync {
  bucket: string
  target: string
  resetId: string
  startedAt: number
  /** Only versions written before this time, ms since 1970. */
  before: number
  /** Where the walk over the versions continues; undefined: it has ended. */
  next?: { key: string; versionId?: string | undefined } | undefined
  done: boolean
  queued: number
  queuedBytes: number
  endedAt: number
}

const PAGE = 500
/** Pause after a failure. */
const RETRY_MS = 60_000
const NOTHING = { versions: 0, bytes: 0 }

const StoredResync = z.object({
  bucket: z.string(),
  target: z.string(),
  resetId: z.string(),
  startedAt: z.number(),
  before: z.number(),
  next: z.object({ key: z.string(), versionId: z.string().optional() }).optional(),
  done: z.boolean(),
  queued: z.number(),
  // Earlier versions did not record it.
  queuedBytes: z.number().default(0),
  endedAt: z.number(),
}) satisfies z.ZodType<Resync>

interface ResyncParts {
  engine: Engine
  replication: Replicator
  log: Logger
  closing: AbortSignal
}

/** Starts again if a resync is running. @returns its ID */
export async function startResync(
  parts: ResyncParts,
  target: StoredRemoteTarget,
  resetId: string,
  olderThanMs: number,
): Promise<string> {
  const startedAt = Date.now()
  const resync: Resync = {
    bucket: target.sourceBucket,
    target: target.id,
    resetId: resetId || randomUUID(),
    startedAt,
    before: startedAt - olderThanMs,
    done: false,
    queued: 0,
    queuedBytes: 0,
    endedAt: 0,
  }
  await saveResync(parts.engine, resync)
  void runResync(parts, resync)
  return resync.resetId
}

/** Continues the resyncs that the previous process did not finish. */
export function resumeResyncs(parts: ResyncParts): void {
  for (const { value } of parts.engine.listDocuments(RESYNC_COLLECTION)) {
    const resync = StoredResync.parse(JSON.parse(value))
    if (!resync.done) void runResync(parts, resync)
  }
}

function findResync(engine: Engine, { id }: Pick<StoredRemoteTarget, 'id'>): Resync | undefined {
  const value = engine.getDocument(RESYNC_COLLECTION, id)
  return value === undefined ? undefined : StoredResync.parse(JSON.parse(value))
}

/** Returns the answer to `?replication-reset-status`; undefined if there was no resync. */
export function resyncStatus({ engine }: Pick<ResyncParts, 'engine'>, target: StoredRemoteTarget): object | undefined {
  const resync = findResync(engine, target)
  if (!resync) return undefined
  const counts = engine.replicationCounts(target.sourceBucket, target.id)
  return {
    arn: target.arn,
    resetid: resync.resetId,
    startTime: new Date(resync.startedAt).toISOString(),
    endTime: new Date(resync.endedAt).toISOString(),
    resyncStatus: !resync.done ? 'Ongoing' : counts.pending > 0 ? 'Ongoing' : 'Completed',
    replicationCount: resync.queued,
    completedReplicationSize: resync.queuedBytes,
    failedReplicationCount: counts.failed,
    failedReplicationSize: counts.failedBytes,
    object: resync.next?.key ?? '',
  }
}

const saveResync = (engine: Engine, resync: Resync) =>
  engine.putDocuments([{ collection: RESYNC_COLLECTION, name: resync.target, value: JSON.stringify(resync) }])

/** Runs page by page; each is recorded, so that the resync continues there after a restart. */
async function runResync(parts: ResyncParts, begun: Resync): Promise<void> {
  const { log, closing } = parts
  for (let resync: Resync | undefined = begun; resync && !resync.done && !closing.aborted; ) {
    try {
      resync = await runPage(parts, resync)
    } catch (error) {
      if (closing.aborted) return
      log.warn({ err: error, bucket: begun.bucket }, 'a resync failed; it will be tried again')
      await abortableWait(RETRY_MS, closing).catch(() => undefined)
    }
  }
}

/** @returns the resync after this page; undefined if another one has replaced it, or its target was removed */
async function runPage({ engine, replication }: ResyncParts, resync: Resync): Promise<Resync | undefined> {
  if (findResync(engine, { id: resync.target })?.resetId !== resync.resetId) return undefined
  if (!replication.targets.list(resync.bucket).some(({ id }) => id === resync.target)) return undefined
  const page = engine.listVersions(resync.bucket, {
    prefix: '',
    delimiter: '',
    after: resync.next?.key ?? '',
    limit: PAGE,
    ...(resync.next?.versionId !== undefined && { versionMarker: resync.next.versionId }),
  })
  const versions = versionsToQueue(page, resync.before)
  const { versions: count, bytes } =
    versions.length === 0 ? NOTHING : await engine.queueVersions(resync.bucket, resync.target, versions)
  const ended = page.truncated ? {} : { endedAt: Date.now() }
  const queued = { queued: resync.queued + count, queuedBytes: resync.queuedBytes + bytes }
  const next = { ...resync, ...queued, next: page.next, done: !page.truncated, ...ended }
  await saveResync(engine, next)
  replication.wake(resync.bucket)
  return next
}

/** Returns the versions oldest first, as they were written. */
function versionsToQueue({ entries }: ObjectListPage, before: number): ObjectVersionName[] {
  return entries
    .flatMap((entry) => ('object' in entry && entry.object.lastModified <= before ? [entry.object] : []))
    .map(({ bucket, key, versionId }) => ({ bucket, key, versionId }))
    .reverse()
}

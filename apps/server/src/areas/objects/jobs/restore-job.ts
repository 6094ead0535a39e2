import { type ObjectItem, reason } from '@stowage/contract'
import { objectJobCalls } from '@stowage/contract/objects/object-jobs'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { serve } from '../../../lib/http/serve.ts'
import type { S3Api } from '../../../lib/storage/s3-api.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { versionsBelow } from '../listing/list-objects.ts'
import type { CopyClients } from '../versions/copy-version.ts'
import { hasObjectLock, restoreEarlierVersion } from '../versions/restore-version.ts'
import { type JobItem, type JobItemResult, readJobCursor, sendJob, writeJobCursor } from './run-job.ts'

/** Maximum size of the request body in bytes: 100,000 keys of common length. */
const SELECTION_BYTES = 64 << 20

/** A key with the versions that decide how it is restored. */
interface KeyItem extends JobItem {
  latest: ObjectItem
  /** The newest version from before the date, or delete marker. */
  before: ObjectItem | undefined
}

export function restoreJobRoutes(app: FastifyInstance): void {
  serve(app, objectJobCalls.restoreFolder, async ({ params: { bucket }, body }, context) => {
    await requireVersioning(context.s3, bucket)
    const { detached } = context
    const clients = { ...detached(), detached }
    const { key } = readJobCursor(body.cursor)
    const items = groupVersionsByKey(context.s3Stream, bucket, {
      prefix: body.prefix,
      before: Date.parse(body.date),
      after: key,
    })
    const job = { clients, bucket, dryRun: body.dry_run, mayBeLocked: await hasObjectLock(context.s3, bucket) }
    const work = (item: KeyItem) => restoreOne(job, item)
    return await sendJob(context, items, work)
  })

  serve(
    app,
    objectJobCalls.undeleteObjects,
    async ({ params: { bucket }, body }, context) => {
      const clients = context.detached()
      const items = selectedKeys(context.s3Stream, bucket, body)
      const since = Date.parse(body.since)
      const work = (item: KeyItem) => undeleteOne(clients.s3Stream, bucket, item, since)
      return await sendJob(context, items, work)
    },
    SELECTION_BYTES,
  )
}

/** With versioning off or suspended, a deletion would destroy data. */
async function requireVersioning(s3: S3Api, Bucket: string): Promise<void> {
  const { Status } = await s3.getBucketVersioning({ Bucket })
  if (Status !== 'Enabled') throw new HttpError(409, reason('versioning-needed'))
}

interface RestoreRange {
  prefix: string
  /** Milliseconds since 1970. */
  before: number
  /** Only keys after this one. */
  after?: string | undefined
  entry?: number
}

/** Yields each key below a prefix once, in the server's order. */
async function* groupVersionsByKey(s3Stream: S3Stream, bucket: string, below: RestoreRange): AsyncGenerator<KeyItem> {
  const { prefix, before, after, entry = 0 } = below
  let current: KeyItem | undefined
  for await (const items of versionsBelow(s3Stream, bucket, prefix, after)) {
    for (const item of items) {
      // Versions come newest first.
      if (item.name !== current?.key) {
        if (current) yield current
        current = { key: item.name, cursor: writeJobCursor({ entry, key: item.name }), latest: item, before: undefined }
      }
      if (current.before || Date.parse(item.last_modified) >= before) continue
      current.before = item
      current.size = item.size
    }
  }
  if (current) yield current
}

async function* selectedKeys(
  s3Stream: S3Stream,
  bucket: string,
  { paths, cursor }: { paths: readonly string[]; cursor?: string | undefined },
): AsyncGenerator<KeyItem> {
  const start = readJobCursor(cursor)
  for (let entry = start.entry; entry < paths.length; entry++) {
    const path = paths[entry] ?? ''
    const after = entry === start.entry ? start.key : undefined
    // The cursor is after this single object, so it is done.
    if (after !== undefined && !path.endsWith('/')) continue
    for await (const item of groupVersionsByKey(s3Stream, bucket, {
      prefix: path,
      before: Number.POSITIVE_INFINITY,
      after,
      entry,
    })) {
      // The key itself is listed first; keys with the same beginning follow.
      if (!path.endsWith('/') && item.key !== path) break
      yield item
      if (!path.endsWith('/')) break
    }
  }
}

interface RestoreJob {
  clients: CopyClients
  bucket: string
  dryRun: boolean
  mayBeLocked: boolean
}

async function restoreOne(
  { clients, bucket, dryRun, mayBeLocked }: RestoreJob,
  { key, latest, before }: KeyItem,
): Promise<JobItemResult> {
  const live = latest.is_delete_marker !== true
  if (before === undefined || before.is_delete_marker === true) {
    if (!live) return { state: 'skipped' }
    const message = 'The object did not exist at that time: a delete marker hides it.'
    if (!dryRun) await clients.s3Stream.headers({ method: 'DELETE', bucket, key })
    return { state: 'changed', bytes: 0, note: { code: 'Hide', message } }
  }
  if (before.version_id === latest.version_id) return { state: 'skipped' }
  const { version_id: versionId, size, last_modified } = before
  if (!dryRun) await restoreEarlierVersion(clients, { bucket, key, versionId }, mayBeLocked)
  const message = live
    ? `The version of ${last_modified} becomes the latest one.`
    : `The object is deleted now: the version of ${last_modified} becomes the latest one.`
  return { state: 'changed', bytes: size, note: { code: 'Restore', message } }
}

async function undeleteOne(
  s3Stream: S3Stream,
  bucket: string,
  { key, latest }: KeyItem,
  since: number,
): Promise<JobItemResult> {
  const { is_delete_marker, last_modified, version_id: versionId } = latest
  if (is_delete_marker !== true || Date.parse(last_modified) < since) return { state: 'skipped' }
  await s3Stream.headers({ method: 'DELETE', bucket, key, query: { versionId } })
  return { state: 'changed' }
}

import { type DeleteLine, type ObjectItem, reason } from '@stowage/contract'
import { objectCalls } from '@stowage/contract/objects/objects'
import type { FastifyInstance, FastifyReply } from 'fastify'
import pMap from 'p-map'
import { errorAnswer, HttpError } from '../../../lib/errors/http-errors.ts'
import { FaultCounter, isStorageFailure, objectFailure } from '../../../lib/errors/object-failure.ts'
import { UpstreamError } from '../../../lib/errors/storage-errors.ts'
import { storageErrorMeaning } from '../../../lib/errors/upstream-codes.ts'
import { acceptsNdjson, sendNdjson } from '../../../lib/http/ndjson.ts'
import { type SessionContext, serve } from '../../../lib/http/serve.ts'
import type { S3Api } from '../../../lib/storage/s3-api.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { keysBelow, versionsBelow } from '../listing/list-objects.ts'
import { listUploadPages } from '../uploads/upload-pages.ts'
import { type DeleteFailure, type DeleteTarget, deleteBatch, MAX_DELETE_BATCH } from './delete-batch.ts'
import { type JobPosition, readJobCursor, writeJobCursor } from './run-job.ts'

/** The selection to delete. */
interface SelectedPath {
  path: string
  versionID?: string | undefined
  recursive?: boolean | undefined
}

/** Which versions of the selection to delete. */
interface DeletionScope {
  versions: 'named' | 'all' | 'non-current'
  bypass: boolean
}

/** Uploads that are aborted at the same time. */
const ABORTS = 8
/** Maximum number of failures listed in a report. */
const SPELLED_OUT = 100
/** Maximum size of the request body in bytes: 100,000 keys of common length. */
const SELECTION_BYTES = 64 << 20

export function deleteObjectRoutes(app: FastifyInstance): void {
  serve(app, objectCalls.deleteObject, async ({ params: { bucket }, query }, context) => {
    const { path, version_id: versionID, recursive } = query
    return await sendSelectionDeletion(context, bucket, [{ path, versionID, recursive }], query)
  })

  serve(
    app,
    objectCalls.deleteObjects,
    async ({ params: { bucket }, query, body }, context) => await sendSelectionDeletion(context, bucket, body, query),
    SELECTION_BYTES,
  )

  serve(app, objectCalls.emptyBucket, async ({ params: { bucket }, body }, context) => {
    const { s3, s3Stream, signal } = context
    const start = readJobCursor(body.cursor)
    const deletion = { s3Stream, bucket, bypass: body.bypass, signal, requestId: context.request.id }
    // Incomplete uploads come first: they are few, and are not part of the version listing.
    const uploads = abortUploads(s3, bucket, signal)
    return await sendDeletion(context, deleteAll(deletion, allVersions(s3Stream, bucket, start), uploads))
  })
}

type DeletionContext = Pick<SessionContext, 'request' | 'reply' | 'signal' | 's3Stream'>

async function sendSelectionDeletion(
  context: DeletionContext,
  bucket: string,
  selection: readonly SelectedPath[],
  query: DeletionQuery,
): Promise<FastifyReply> {
  const { s3Stream, signal, request } = context
  const { versions, bypass } = deletionScope(query, selection)
  const targets = selectedTargets(s3Stream, bucket, selection, versions, readJobCursor(query.cursor))
  return await sendDeletion(context, deleteAll({ s3Stream, bucket, bypass, signal, requestId: request.id }, targets))
}

interface DeletionQuery {
  all_versions: boolean
  non_current_versions: boolean
  bypass: boolean
  cursor?: string | undefined
}

function deletionScope(query: DeletionQuery, selection: readonly SelectedPath[]): DeletionScope {
  const versions = query.all_versions ? 'all' : query.non_current_versions ? 'non-current' : 'named'
  // Do not guess which versions to delete.
  if (query.all_versions && query.non_current_versions)
    throw new HttpError(400, reason('delete-scope-ambiguous'), { field: 'non_current_versions' })
  if (versions !== 'named' && selection.some(({ versionID }) => versionID))
    throw new HttpError(400, reason('delete-scope-ambiguous'), { field: 'version_id' })
  return { versions, bypass: query.bypass }
}

/** Runs a deletion. Callers that accept NDJSON get its progress; others get an empty answer or an error at the end. */
async function sendDeletion(
  { request, reply }: Pick<DeletionContext, 'request' | 'reply'>,
  lines: AsyncGenerator<DeleteLine>,
): Promise<FastifyReply> {
  if (acceptsNdjson(request.headers.accept)) return await sendNdjson(reply, lines)
  for await (const line of lines) {
    if ('stopped' in line) return reply.code(line.stopped.code).send(line.stopped)
    if ('done' in line && line.failed > 0) throw reportError(line)
  }
  return reply.code(200).send()
}

function reportError({ deleted, failed, errors }: Extract<DeleteLine, { done: true }>): Error {
  const [first] = errors
  if (!first) return new HttpError(502, reason('not-all-deleted'))
  if (failed === 1 && deleted === 0) return new UpstreamError(first.code, first.message, 400)
  const { status } = storageErrorMeaning(first.code, 400)
  return new HttpError(status, reason('objects-not-deleted', { failed, total: failed + deleted }), {
    detail: `${first.path}: ${first.message}`,
  })
}

/** Aborts all incomplete uploads, several at once. @returns the failures */
async function abortUploads(s3: S3Api, Bucket: string, signal: AbortSignal): Promise<DeleteFailure[]> {
  const failures: DeleteFailure[] = []
  for await (const uploads of listUploadPages(s3, Bucket, signal)) {
    const abort = ({ key, uploadId }: { key: string; uploadId: string }) =>
      abortIfPresent(s3, { Bucket, Key: key, UploadId: uploadId })
    const results = await pMap(uploads, abort, { concurrency: ABORTS, signal })
    failures.push(...results.filter((failure) => failure !== undefined))
  }
  return failures
}

async function abortIfPresent(
  s3: S3Api,
  upload: { Bucket: string; Key: string; UploadId: string },
): Promise<DeleteFailure | undefined> {
  try {
    await s3.abortMultipartUpload(upload)
    return undefined
  } catch (error) {
    const failure = objectFailure(error)
    // The upload was completed or aborted by its owner meanwhile.
    if (failure?.code === 'NoSuchUpload') return undefined
    if (!failure) throw error
    const { code, message, fault } = failure
    return { path: upload.Key, code, message, fault }
  }
}

async function* allVersions(s3Stream: S3Stream, bucket: string, start: JobPosition): AsyncGenerator<PlacedTarget> {
  for await (const items of versionsBelow(s3Stream, bucket, '', start.key))
    for (const target of items.flatMap(toTarget('all'))) yield { ...target, entry: 0, inFolder: true }
}

interface Deletion {
  s3Stream: S3Stream
  bucket: string
  bypass: boolean
  signal: AbortSignal
  requestId: string
}

/** A target, and where it is in the selection. */
interface PlacedTarget extends DeleteTarget {
  /** The index of its entry in the selection. */
  entry: number
  /** The entry includes other keys too. */
  inFolder: boolean
}

/**
 * Deletes targets in batches. Yields one line with running totals per batch; the last line is the report, or says why the
 * deletion stopped. If the reader disconnects, it stops after the current batch.
 * @param before work to wait for, and its failures
 */
async function* deleteAll(
  { s3Stream, bucket, bypass, signal, requestId }: Deletion,
  targets: AsyncIterable<PlacedTarget>,
  before?: Promise<DeleteFailure[]>,
): AsyncGenerator<DeleteLine> {
  let deleted = 0
  let failed = 0
  let since: string | undefined
  let done: PlacedTarget | undefined
  let cursor: string | undefined
  let sent = 0
  let cause: unknown
  const errors: Omit<DeleteFailure, 'fault' | 'cause'>[] = []
  const faults = new FaultCounter()
  const options = {
    bypass,
    onBegun: (at: Date) => {
      since ??= at.toISOString()
    },
  }
  const fail = ({ fault, cause: error, ...failure }: DeleteFailure) => {
    failed++
    cause = fault ? error : undefined
    if (errors.length < SPELLED_OUT) errors.push(failure)
  }
  const sums = () => ({ deleted, failed, ...(since === undefined ? {} : { since }) })
  const position = () => ({ ...(cursor === undefined ? {} : { cursor }), ...(done ? { path: done.key } : {}) })
  try {
    for (const failure of (await before) ?? []) fail(failure)
    for await (const batch of groupInBatches(targets)) {
      signal.throwIfAborted()
      for await (const { targets: part, failures } of deleteBatch(s3Stream, bucket, batch, options)) {
        for (const failure of failures) {
          if (failure) fail(failure)
          else deleted++
          faults.add(failure?.fault ? failure : undefined)
        }
        cursor = cursorAfter(part, done) ?? cursor
        done = part.at(-1)
        if (faults.error) throw faults.error
      }
      const added = errors.slice(sent)
      sent = errors.length
      yield { ...sums(), ...position(), ...(added.length > 0 ? { errors: added } : {}) }
    }
  } catch (error) {
    // Nothing is done yet: the call itself fails.
    if (signal.aborted || !done || !isStorageFailure(error)) throw error
    yield { stopped: errorAnswer(error, requestId).body, ...sums(), ...position(), errors }
    return
  }
  // Nothing but this one was to be deleted: the call itself fails.
  if (failed === 1 && deleted === 0 && cause !== undefined) throw cause
  yield { done: true, ...sums(), errors }
}

/**
 * Returns the cursor after a batch; undefined if it has only versions of one key. Versions of its last key may follow in the
 * next batch, so the cursor is before that key: repeating finished deletions does no harm.
 */
function cursorAfter(batch: readonly PlacedTarget[], before: PlacedTarget | undefined): string | undefined {
  const last = batch.at(-1)
  if (!last) return undefined
  const isOther = (target: PlacedTarget | undefined) =>
    target && (target.key !== last.key || target.entry !== last.entry)
  const whole = batch.findLast(isOther) ?? (isOther(before) ? before : undefined)
  if (last.versionId === undefined) return placedCursor(last)
  return whole && placedCursor(whole)
}

const placedCursor = ({ entry, inFolder, key }: PlacedTarget) =>
  writeJobCursor(inFolder ? { entry, key } : { entry: entry + 1 })

async function* groupInBatches(targets: AsyncIterable<PlacedTarget>): AsyncGenerator<PlacedTarget[]> {
  let batch: PlacedTarget[] = []
  for await (const target of targets) {
    batch.push(target)
    if (batch.length < MAX_DELETE_BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function* selectedTargets(
  s3Stream: S3Stream,
  bucket: string,
  selection: readonly SelectedPath[],
  versions: DeletionScope['versions'],
  start: JobPosition,
): AsyncGenerator<PlacedTarget> {
  for (let entry = start.entry; entry < selection.length; entry++) {
    const { path = '', versionID, recursive } = selection[entry] ?? {}
    const after = entry === start.entry ? start.key : undefined
    if (recursive) {
      const folder = path.endsWith('/') ? path : `${path}/`
      for await (const target of targetsBelow(s3Stream, bucket, folder, versions, after))
        yield { ...target, entry, inFolder: true }
    }
    // `dir/x` means that object and everything below `dir/x/`, but not `dir/x.bak`. The folder's own marker is part of the
    // listing.
    if (recursive && path.endsWith('/')) continue
    if (versions === 'named')
      yield { key: path, versionId: recursive ? undefined : versionID || undefined, entry, inFolder: false }
    else
      for await (const target of keyVersions(s3Stream, bucket, path, versions))
        yield { ...target, entry, inFolder: false }
  }
}

async function* targetsBelow(
  s3Stream: S3Stream,
  bucket: string,
  folder: string,
  versions: DeletionScope['versions'],
  after: string | undefined,
): AsyncGenerator<DeleteTarget> {
  if (versions === 'named') {
    // Below a folder, delete the latest versions even if a version was named, as the original does.
    for await (const items of keysBelow(s3Stream, bucket, folder, after))
      for (const { name } of items) yield { key: name }
    return
  }
  for await (const items of versionsBelow(s3Stream, bucket, folder, after)) yield* items.flatMap(toTarget(versions))
}

async function* keyVersions(
  s3Stream: S3Stream,
  bucket: string,
  key: string,
  versions: DeletionScope['versions'],
): AsyncGenerator<DeleteTarget> {
  for await (const items of versionsBelow(s3Stream, bucket, key)) {
    const own = items.filter(({ name }) => name === key)
    yield* own.flatMap(toTarget(versions))
    // The key itself is listed first; keys with the same beginning follow.
    if (own.length < items.length) return
  }
}

function toTarget(versions: DeletionScope['versions']) {
  return ({ name, version_id: versionId, is_latest }: ObjectItem): DeleteTarget[] =>
    versions === 'non-current' && is_latest ? [] : [{ key: name, versionId }]
}

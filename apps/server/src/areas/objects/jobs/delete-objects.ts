import { type DeleteLine, type ObjectItem, reason } from '@stowage/contract'
import { objectCalls } from '@stowage/contract/objects/objects'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import pMap from 'p-map'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { toStorageError, UpstreamError } from '../../../lib/errors/storage-errors.ts'
import { storageErrorMeaning } from '../../../lib/errors/upstream-codes.ts'
import { acceptsNdjson, sendNdjson } from '../../../lib/http/ndjson.ts'
import { serve } from '../../../lib/http/serve.ts'
import type { S3Api } from '../../../lib/storage/s3-api.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { keysBelow, versionsBelow } from '../listing/list-objects.ts'
import { listUploadPages } from '../uploads/upload-pages.ts'
import { type DeleteFailure, type DeleteTarget, deleteBatch, MAX_DELETE_BATCH } from './delete-batch.ts'

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
  serve(app, objectCalls.deleteObject, async ({ params, query }, { s3Stream, signal, request, reply }) => {
    const { path, version_id: versionID, recursive } = query
    const selection = [{ path, versionID, recursive }]
    return await sendDeletion(
      request,
      reply,
      deleteSelection(s3Stream, params.bucket, selection, deletionScope(query, selection), signal),
    )
  })

  serve(
    app,
    objectCalls.deleteObjects,
    async ({ params, query, body }, { s3Stream, signal, request, reply }) =>
      await sendDeletion(
        request,
        reply,
        deleteSelection(s3Stream, params.bucket, body, deletionScope(query, body), signal),
      ),
    SELECTION_BYTES,
  )

  serve(
    app,
    objectCalls.emptyBucket,
    async ({ params: { bucket }, body }, { s3, s3Stream, signal, request, reply }) => {
      const versions = groupInBatches(allVersions(s3Stream, bucket))
      return await sendDeletion(
        request,
        reply,
        emptyBucketVersions(versions, { s3, s3Stream, bucket, signal, bypass: body.bypass }),
      )
    },
  )
}

function deletionScope(
  query: { all_versions: boolean; non_current_versions: boolean; bypass: boolean },
  selection: readonly SelectedPath[],
): DeletionScope {
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
  request: FastifyRequest,
  reply: FastifyReply,
  lines: AsyncGenerator<DeleteLine>,
): Promise<FastifyReply> {
  if (acceptsNdjson(request.headers.accept)) return await sendNdjson(reply, lines)
  for await (const line of lines) if ('done' in line && line.failed > 0) throw reportError(line)
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

interface EmptyBucketOptions {
  s3: S3Api
  s3Stream: S3Stream
  bucket: string
  signal: AbortSignal
  bypass: boolean
}

/** Aborts incomplete uploads first: they are few, and are not part of the version listing. */
async function* emptyBucketVersions(
  versions: AsyncGenerator<DeleteTarget[]>,
  { s3, s3Stream, bucket, signal, bypass }: EmptyBucketOptions,
): AsyncGenerator<DeleteLine> {
  await abortUploads(s3, bucket, signal)
  yield* deleteAll(s3Stream, bucket, versions, bypass, signal)
}

async function abortUploads(s3: S3Api, Bucket: string, signal: AbortSignal): Promise<void> {
  for await (const uploads of listUploadPages(s3, Bucket, signal))
    await pMap(uploads, ({ key, uploadId }) => abortIfPresent(s3, { Bucket, Key: key, UploadId: uploadId }), {
      concurrency: ABORTS,
      signal,
    })
}

async function abortIfPresent(s3: S3Api, upload: { Bucket: string; Key: string; UploadId: string }) {
  try {
    await s3.abortMultipartUpload(upload)
  } catch (error) {
    // The upload was completed or aborted by its owner meanwhile.
    if (toStorageError(error)?.code !== 'NoSuchUpload') throw error
  }
}

async function* allVersions(s3Stream: S3Stream, bucket: string): AsyncGenerator<DeleteTarget> {
  for await (const items of versionsBelow(s3Stream, bucket, '')) yield* items.flatMap(toTarget('all'))
}

/**
 * Deletes a selection in batches. Yields one line with running totals per batch; the last line is the report. If the reader
 * disconnects, it stops after the current batch.
 */
async function* deleteSelection(
  s3Stream: S3Stream,
  bucket: string,
  selection: readonly SelectedPath[],
  scope: DeletionScope,
  signal: AbortSignal,
): AsyncGenerator<DeleteLine> {
  const targets = selectedTargets(s3Stream, bucket, selection, scope.versions)
  yield* deleteAll(s3Stream, bucket, groupInBatches(targets), scope.bypass, signal)
}

async function* deleteAll(
  s3Stream: S3Stream,
  bucket: string,
  targets: AsyncIterable<DeleteTarget[]>,
  bypass: boolean,
  signal: AbortSignal,
): AsyncGenerator<DeleteLine> {
  let deleted = 0
  let failed = 0
  let since: string | undefined
  const errors: DeleteFailure[] = []
  const onBegun = (at: Date) => {
    since ??= at.toISOString()
  }
  for await (const batch of targets) {
    signal.throwIfAborted()
    const failures = await deleteBatch(s3Stream, bucket, batch, bypass, onBegun)
    failed += failures.length
    deleted += batch.length - failures.length
    errors.push(...failures.slice(0, SPELLED_OUT - errors.length))
    yield { deleted, failed }
  }
  yield { done: true, deleted, failed, errors, ...(since === undefined ? {} : { since }) }
}

async function* groupInBatches(targets: AsyncIterable<DeleteTarget>): AsyncGenerator<DeleteTarget[]> {
  let batch: DeleteTarget[] = []
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
): AsyncGenerator<DeleteTarget> {
  for (const { path, versionID, recursive } of selection) {
    if (recursive) yield* targetsBelow(s3Stream, bucket, path.endsWith('/') ? path : `${path}/`, versions)
    // `dir/x` means that object and everything below `dir/x/`, but not `dir/x.bak`. The folder's own marker is part of the
    // listing.
    if (recursive && path.endsWith('/')) continue
    if (versions === 'named') yield { key: path, versionId: recursive ? undefined : versionID || undefined }
    else yield* keyVersions(s3Stream, bucket, path, versions)
  }
}

async function* targetsBelow(
  s3Stream: S3Stream,
  bucket: string,
  folder: string,
  versions: DeletionScope['versions'],
): AsyncGenerator<DeleteTarget> {
  if (versions === 'named') {
    // Below a folder, delete the latest versions even if a version was named, as the original does.
    for await (const items of keysBelow(s3Stream, bucket, folder)) for (const { name } of items) yield { key: name }
    return
  }
  for await (const items of versionsBelow(s3Stream, bucket, folder)) yield* items.flatMap(toTarget(versions))
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

import { Readable } from 'node:stream'
import { type DeleteLine, reason } from '@stowage/contract'
import { objectCalls } from '@stowage/contract/objects/objects'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../../lib/http/errors.ts'
import { serve } from '../../lib/http/serve.ts'
import type { S3Stream } from '../../lib/storage/s3-stream.ts'
import { UpstreamError } from '../../lib/storage/storage-errors.ts'
import { meaningOf } from '../../lib/storage/upstream-codes.ts'
import { BATCH, type DeleteFailure, type DeleteTarget, deleteBatch } from './delete-batch.ts'
import { keysBelow } from './list.ts'

/** What a caller asks to have deleted. */
interface Selected {
  path: string
  versionID?: string | undefined
  recursive?: boolean | undefined
}

/** Failures that a report spells out. */
const SPELLED_OUT = 100
/** Bytes of a selection's body: 100,000 keys of the usual length. */
const SELECTION_BYTES = 64 << 20

export function deleteRoutes(app: FastifyInstance): void {
  serve(app, objectCalls.deleteObject, async ({ params, query }, { s3Stream, signal, request, reply }) => {
    const { path, version_id: versionID, recursive } = query
    return await run(request, reply, deletion(s3Stream, params.bucket, [{ path, versionID, recursive }], signal))
  })

  serve(
    app,
    objectCalls.deleteObjects,
    async ({ params, body }, { s3Stream, signal, request, reply }) =>
      await run(request, reply, deletion(s3Stream, params.bucket, body, signal)),
    SELECTION_BYTES,
  )
}

/** Runs a deletion: as lines for who reads them, otherwise to its end and then as an empty answer or an error. */
async function run(
  request: FastifyRequest,
  reply: FastifyReply,
  lines: AsyncGenerator<DeleteLine>,
): Promise<FastifyReply> {
  if (/\bapplication\/x-ndjson\b/.test(request.headers.accept ?? '')) {
    // The first line is awaited here, so that a refusal of the whole is still an error with its status.
    const first = await lines.next()
    reply.code(200).type('application/x-ndjson; charset=utf-8')
    return reply.send(Readable.from(asLines(first, lines)))
  }
  for await (const line of lines) if ('done' in line && line.failed > 0) throw failureOf(line)
  return reply.code(200).send()
}

async function* asLines(first: IteratorResult<DeleteLine>, rest: AsyncGenerator<DeleteLine>): AsyncGenerator<string> {
  if (first.done) return
  yield `${JSON.stringify(first.value)}\n`
  for await (const line of rest) yield `${JSON.stringify(line)}\n`
}

function failureOf({ deleted, failed, errors }: Extract<DeleteLine, { done: true }>): Error {
  const [first] = errors
  if (!first) return new HttpError(502, reason('not-all-deleted'))
  if (failed === 1 && deleted === 0) return new UpstreamError(first.code, first.message, 400)
  const { status } = meaningOf(first.code, 400)
  return new HttpError(status, reason('objects-not-deleted', { failed, total: failed + deleted }), {
    detail: `${first.path}: ${first.message}`,
  })
}

/**
 * Deletes a selection in batches. Every batch gives a line with the sums so far; the last line is the report. A reader
 * that goes away stops it after the batch that is under way.
 */
async function* deletion(
  s3Stream: S3Stream,
  bucket: string,
  selection: readonly Selected[],
  signal: AbortSignal,
): AsyncGenerator<DeleteLine> {
  let deleted = 0
  let failed = 0
  const errors: DeleteFailure[] = []
  for await (const batch of batches(s3Stream, bucket, selection)) {
    signal.throwIfAborted()
    const failures = await deleteBatch(s3Stream, bucket, batch)
    failed += failures.length
    deleted += batch.length - failures.length
    errors.push(...failures.slice(0, SPELLED_OUT - errors.length))
    yield { deleted, failed }
  }
  yield { done: true, deleted, failed, errors }
}

async function* batches(
  s3Stream: S3Stream,
  bucket: string,
  selection: readonly Selected[],
): AsyncGenerator<DeleteTarget[]> {
  let batch: DeleteTarget[] = []
  for (const { path, versionID, recursive } of selection) {
    // Below a folder it is the latest versions that go, whatever version was named: as in the original.
    if (recursive) {
      for await (const items of keysBelow(s3Stream, bucket, path.endsWith('/') ? path : `${path}/`)) {
        for (const { name } of items) {
          batch.push({ key: name })
          if (batch.length === BATCH) {
            yield batch
            batch = []
          }
        }
      }
      // `dir/x` means that object and what is below `dir/x/`, never `dir/x.bak`. A folder's own marker was listed.
      if (path.endsWith('/')) continue
    }
    batch.push({ key: path, versionId: recursive ? undefined : versionID || undefined })
    if (batch.length === BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

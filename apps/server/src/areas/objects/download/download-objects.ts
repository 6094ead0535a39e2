import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { transferCalls } from '@stowage/contract/objects/transfers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UpstreamError } from '../../../lib/errors/storage-errors.ts'
import { contentDisposition, objectFileName } from '../../../lib/http/downloads/content-disposition.ts'
import { guessContentType, previewContentType, userContentPolicy } from '../../../lib/http/downloads/content-type.ts'
import { serve } from '../../../lib/http/serve.ts'
import { type ContentAnswer, pipeBody } from '../../../lib/storage/direct-content.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { folderEntries, selectionEntries, waitForFirstEntry, zipFileName } from './zip-entries.ts'
import { createZip } from './zip-objects.ts'

/** Headers of the storage server's answer that are forwarded unchanged. */
const FORWARDED_HEADERS = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified'] as const

export function downloadObjectRoutes(app: FastifyInstance): void {
  serve(app, transferCalls.downloadObject, async ({ params, query }, { s3Stream, signal, request, reply, log }) => {
    const { bucket } = params
    const key = query.prefix
    if (key.endsWith('/') && query.version_id === undefined) {
      const entries = await waitForFirstEntry(folderEntries(s3Stream, bucket, key))
      return await sendZip(request, reply, zipFileName(key, bucket), () =>
        createZip({ s3Stream, bucket, signal }, entries, log),
      )
    }
    const target = { bucket, key, query: { versionId: query.version_id || undefined } }
    return await sendObject(reply, await getObject(s3Stream, target, request), key, query.preview)
  })

  serve(app, transferCalls.downloadObjects, async ({ params, body }, { s3Stream, signal, request, reply, log }) => {
    const { bucket } = params
    const entries = await waitForFirstEntry(selectionEntries(s3Stream, bucket, body.objects))
    const name = body.name ?? `${bucket}.zip`
    return await sendZip(request, reply, name, () => createZip({ s3Stream, bucket, signal }, entries, log))
  })
}

type DownloadTarget = { bucket: string; key: string; query: Record<string, string | undefined> }

async function getObject(s3Stream: S3Stream, target: DownloadTarget, request: FastifyRequest): Promise<ContentAnswer> {
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
  const { range, 'if-range': ifRange } = request.headers
  const conditions = {
    'if-match': request.headers['if-match'],
    'if-none-match': request.headers['if-none-match'],
    'if-modified-since': request.headers['if-modified-since'],
    'if-unmodified-since': request.headers['if-unmodified-since'],
  }
  if (range === undefined || typeof ifRange !== 'string')
    return await s3Stream.content({ ...target, method, headers: { ...conditions, range } })
  // S3 does not support If-Range, so the range is requested with the condition If-Match.
  const etag = await ifRangeEtag(s3Stream, target, ifRange)
  if (etag === undefined) return await s3Stream.content({ ...target, method })
  try {
    return await s3Stream.content({ ...target, method, headers: { range, 'if-match': etag } })
  } catch (error) {
    if (error instanceof UpstreamError && error.status === 412) return await s3Stream.content({ ...target, method })
    throw error
  }
}

/** Returns the ETag that the object must still have for a value of If-Range; undefined if the object has changed since. */
async function ifRangeEtag(s3Stream: S3Stream, target: DownloadTarget, ifRange: string): Promise<string | undefined> {
  if (ifRange.startsWith('"')) return ifRange
  // By RFC 9110 a weak ETag never matches.
  if (ifRange.startsWith('W/')) return undefined
  // The date must be the same: an object is older than before if its newest version was deleted.
  const { etag, 'last-modified': modified } = await s3Stream.headers({ ...target, method: 'HEAD' })
  return modified === ifRange && typeof etag === 'string' ? etag : undefined
}

async function sendObject(
  reply: FastifyReply,
  content: ContentAnswer,
  key: string,
  preview: boolean,
): Promise<FastifyReply> {
  const { headers } = content
  for (const name of FORWARDED_HEADERS) {
    const value = headers[name]
    if (value !== undefined) reply.header(name, value)
  }
  const stored = guessContentType(
    typeof headers['content-type'] === 'string' ? headers['content-type'] : undefined,
    key,
  )
  const shown = preview ? previewContentType(stored) : undefined
  // A download is saved as stored; a preview is decoded by the browser, which needs to know the encoding.
  if (shown && headers['content-encoding']) reply.header('content-encoding', headers['content-encoding'])
  // Not the stored Cache-Control, which is for readers of the bucket: here the content needs a session.
  reply.header('cache-control', 'private, no-cache')
  reply
    .type(shown ?? stored)
    .header('content-disposition', contentDisposition(shown ? 'inline' : 'attachment', objectFileName(key)))
    .header('content-security-policy', userContentPolicy(shown ?? stored))
  const raw = takeOverResponse(reply, content.statusCode)
  await content
    .sendTo(raw)
    .catch((error: unknown) => reply.log.warn({ err: error }, 'a download failed after it had started'))
  return reply
}

async function sendZip(request: FastifyRequest, reply: FastifyReply, name: string, make: () => Promise<Readable>) {
  const zip = request.method === 'HEAD' ? undefined : await make()
  reply
    .type('application/zip')
    .header('content-disposition', contentDisposition('attachment', name))
    .header('content-security-policy', userContentPolicy('application/zip'))
    .header('cache-control', 'private, no-store')
  const raw = takeOverResponse(reply, 200)
  if (!zip) raw.end()
  // The error has already been logged by `createZip`.
  else await pipeBody(zip, raw).catch(() => {})
  return reply
}

/** Takes over the response to stream content into it. If Fastify sent it, every disconnected caller would cause a warning. */
function takeOverResponse(reply: FastifyReply, status: number): ServerResponse {
  reply.hijack()
  return reply.raw.writeHead(status, reply.getHeaders() as OutgoingHttpHeaders)
}

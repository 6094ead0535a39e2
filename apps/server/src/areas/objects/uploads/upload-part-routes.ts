import { reason } from '@stowage/contract'
import { transferCalls } from '@stowage/contract/objects/transfers'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { guessContentType } from '../../../lib/http/downloads/content-type.ts'
import { serve } from '../../../lib/http/serve.ts'
import { abortUpload, completeUpload, createUpload, listParts, uploadPart } from './multipart-upload.ts'
import { listUnfinishedUploads } from './unfinished-uploads.ts'

/** Resumable uploads in parts: the caller keeps the upload ID and asks which parts have arrived. */
export function uploadPartRoutes(app: FastifyInstance): void {
  serve(app, transferCalls.listUploads, async ({ params, query }, { s3, signal }) => {
    const { prefix, limit } = query
    const before = query.before === undefined ? Number.POSITIVE_INFINITY : Date.parse(query.before)
    return await listUnfinishedUploads(s3, { bucket: params.bucket, prefix, before, limit }, signal)
  })

  serve(app, transferCalls.createUpload, async ({ params, query, body }, { s3 }) => {
    const contentType = guessContentType(body.content_type, query.prefix)
    const target = { bucket: params.bucket, key: query.prefix, contentType }
    return { upload_id: await createUpload(s3, target) }
  })

  serve(app, transferCalls.listUploadParts, async ({ params, query }, { s3 }) => {
    return { parts: await listParts(s3, { ...params, key: query.prefix }) }
  })

  serve(app, transferCalls.uploadPart, async ({ params, query }, { s3Stream, request }) => {
    const size = Number(request.headers['content-length'])
    if (!Number.isInteger(size)) throw new HttpError(411, reason('part-without-size'))
    // Not the request itself: destroying it would close the connection before the error is sent.
    const body = request.raw.iterator({ destroyOnReturn: false })
    try {
      const etag = await uploadPart(s3Stream, { ...params, key: query.prefix, body, size })
      return { part: params.part, etag, size }
    } catch (error) {
      // Discard the rest, because the caller may reuse the connection for its next request.
      void body.return?.().then(() => request.raw.resume())
      throw error
    }
  })

  serve(app, transferCalls.completeUpload, async ({ params, query, body }, { s3 }) => {
    return await completeUpload(s3, { ...params, key: query.prefix }, body.parts, body.if_absent)
  })

  serve(app, transferCalls.abortUpload, async ({ params, query }, { detached }) => {
    await abortUpload(detached().s3, { ...params, key: query.prefix })
  })
}

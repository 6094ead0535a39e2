import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { reason } from '@stowage/contract'
import { HEADER_TEXT, transferCalls } from '@stowage/contract/objects/transfers'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { contentTypeOf } from '../../lib/http/content-type.ts'
import { HttpError } from '../../lib/http/errors.ts'
import { serve } from '../../lib/http/serve.ts'
import { putObject } from './put-object.ts'

/** A file of a form. */
interface FilePart {
  name: string
  /** Bytes, if the form contains the size. */
  size: number | undefined
  type: string
  stream: Readable
}

/** The upload of the specification: a form with one part per file, which are stored one after the other as they arrive. */
export function uploadFormRoutes(app: FastifyInstance): void {
  serve(app, transferCalls.uploadObjects, async ({ params, query }, { s3, s3Stream, detached, request }) => {
    await eachFile(request, async ({ name, size, type, stream }) => {
      if (name === '') throw new HttpError(400, reason('form-file-without-name'), { field: 'name' })
      if (!HEADER_TEXT.test(type))
        throw new HttpError(400, reason('content-type-invalid', { type }), { field: 'content-type' })
      const key = query.prefix + name
      const target = { bucket: params.bucket, key, contentType: contentTypeOf(type, key) }
      await putObject({ s3, s3Stream, detached }, target, stream, size)
    })
  })
}

/**
 * The file name and size of a part. Forms of September 2021 have the file name as the part's name; those of November have the
 * size there, and the file name as the part's file name.
 */
export function describePart(fieldName: string, fileName: string | undefined): { name: string; size?: number } {
  const counted = /^\d{1,15}$/.test(fieldName) && fileName !== undefined && fileName !== fieldName
  return counted ? { name: fileName, size: Number(fieldName) } : { name: fieldName }
}

/** Yields the files of a form one by one; the next one is read after the one before was stored. */
async function eachFile(request: FastifyRequest, take: (file: FilePart) => Promise<void>): Promise<void> {
  const type = request.headers['content-type']
  if (!type?.startsWith('multipart/form-data')) throw new HttpError(415, reason('form-expected'))
  const form = openForm({ ...request.headers, 'content-type': type })
  let work = Promise.resolve()
  const files: Readable[] = []
  await new Promise<void>((resolve, reject) => {
    form.on('file', (fieldName, stream, fileName, _encoding, mimeType): void => {
      files.push(stream)
      // The reader of the file gets the error; before there is a reader, an error without a listener would end the program.
      stream.on('error', () => {})
      // A file is not read before its turn, and the rest of the form waits behind it.
      work = work.then(() => take({ size: undefined, type: mimeType, stream, ...describePart(fieldName, fileName) }))
      work.catch(reject)
    })
    form.once('finish', () => void work.then(resolve, reject))
    form.once('error', (error) => reject(new HttpError(400, reason('form-malformed'), { detail: String(error) })))
    request.raw.once('close', () => {
      if (!request.raw.complete) reject(new HttpError(400, reason('form-incomplete')))
    })
    request.raw.pipe(form)
  }).catch((error: unknown) => {
    // The rest of the body is discarded, so that the caller can read the error.
    request.raw.unpipe(form)
    request.raw.resume()
    form.destroy()
    // Otherwise the reader of an incomplete file would wait forever, and leave its upload on the storage server.
    for (const file of files) file.destroy(error instanceof Error ? error : undefined)
    throw error
  })
  if (files.length === 0) throw new HttpError(400, reason('form-without-file'), { field: 'file' })
}

function openForm(headers: BusboyHeaders): BusboyInstance {
  try {
    // Paths are kept: a browser sends one when a folder is uploaded.
    return new Busboy({ headers, preservePath: true, isPartAFile: () => true })
  } catch (error) {
    throw new HttpError(400, reason('form-malformed'), { detail: String(error) })
  }
}

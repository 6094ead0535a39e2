import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { reason } from '@stowage/contract'
import { HEADER_TEXT, transferCalls } from '@stowage/contract/objects/transfers'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { guessContentType } from '../../../lib/http/downloads/content-type.ts'
import { serve } from '../../../lib/http/serve.ts'
import { putObject } from './put-object.ts'

/** A file in a form. */
interface FormFile {
  name: string
  /** Size in bytes, if the form contains it. */
  size: number | undefined
  type: string
  stream: Readable
}

/** The upload call of the specification: a form with one part per file; files are stored in sequence as they arrive. */
export function uploadFormRoutes(app: FastifyInstance): void {
  serve(app, transferCalls.uploadObjects, async ({ params, query }, { s3, s3Stream, detached, request }) => {
    await eachFile(request, async ({ name, size, type, stream }) => {
      if (name === '') throw new HttpError(400, reason('form-file-without-name'), { field: 'name' })
      if (!HEADER_TEXT.test(type))
        throw new HttpError(400, reason('content-type-invalid', { type }), { field: 'content-type' })
      const key = query.prefix + name
      const contentType = guessContentType(type, key)
      const target = { bucket: params.bucket, key, contentType, ifAbsent: query.if_absent }
      await putObject({ s3, s3Stream, detached }, target, stream, size)
    })
  })
}

/**
 * Returns the file name and size of a part. In the form of September 2021 the part's name is the file name; in that of November
 * it is the size, and the file name is in the part's `filename`.
 */
export function readPartName(fieldName: string, fileName: string | undefined): { name: string; size?: number } {
  const counted = /^\d{1,15}$/.test(fieldName) && fileName !== undefined && fileName !== fieldName
  return counted ? { name: fileName, size: Number(fieldName) } : { name: fieldName }
}

/** Passes the files of a form to `take` one by one; each is read after the previous one was stored. */
async function eachFile(request: FastifyRequest, take: (file: FormFile) => Promise<void>): Promise<void> {
  const type = request.headers['content-type']
  if (!type?.startsWith('multipart/form-data')) throw new HttpError(415, reason('form-expected'))
  const form = openForm({ ...request.headers, 'content-type': type })
  let work = Promise.resolve()
  const files: Readable[] = []
  await new Promise<void>((resolve, reject) => {
    form.on('file', (fieldName, stream, fileName, _encoding, mimeType): void => {
      files.push(stream)
      // The reader of the file gets the error; until there is a reader, an error without a listener would end the program.
      stream.on('error', () => {})
      // A file is read only when it is its turn; the rest of the form waits until then.
      work = work.then(() => take({ size: undefined, type: mimeType, stream, ...readPartName(fieldName, fileName) }))
      work.catch(reject)
    })
    form.once('finish', () => void work.then(resolve, reject))
    form.once('error', (error) => reject(new HttpError(400, reason('form-malformed'), { detail: String(error) })))
    request.raw.once('close', () => {
      if (!request.raw.complete) reject(new HttpError(400, reason('form-incomplete')))
    })
    request.raw.pipe(form)
  }).catch((error: unknown) => {
    // Discard the rest of the body, so that the caller can read the error.
    request.raw.unpipe(form)
    request.raw.resume()
    form.destroy()
    // Otherwise the reader of an incomplete file would wait forever, and its upload would remain on the storage server.
    for (const file of files) file.destroy(error instanceof Error ? error : undefined)
    throw error
  })
  if (files.length === 0) throw new HttpError(400, reason('form-without-file'), { field: 'file' })
}

function openForm(headers: BusboyHeaders): BusboyInstance {
  try {
    // Paths are kept: browsers send one when a folder is uploaded.
    return new Busboy({ headers, preservePath: true, isPartAFile: () => true })
  } catch (error) {
    throw new HttpError(400, reason('form-malformed'), { detail: String(error) })
  }
}

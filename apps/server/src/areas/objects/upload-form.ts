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
  /** Bytes, where the form tells it. */
  size: number | undefined
  type: string
  stream: Readable
}

/** The specification's upload: a form with one part per file, stored one after the other while they arrive. */
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
 * Which file a part is. Forms of September 2021 put the file's name into the part's name; those of November put its size
 * there and the name into the part's file name.
 */
export function describePart(fieldName: string, fileName: string | undefined): { name: string; size?: number } {
  const counted = /^\d{1,15}$/.test(fieldName) && fileName !== undefined && fileName !== fieldName
  return counted ? { name: fileName, size: Number(fieldName) } : { name: fieldName }
}

/** Hands over the files of a form one by one; the next one is read when the one before is done. */
async function eachFile(request: FastifyRequest, take: (file: FilePart) => Promise<void>): Promise<void> {
  const type = request.headers['content-type']
  if (!type?.startsWith('multipart/form-data')) throw new HttpError(415, reason('form-expected'))
  const form = openForm({ ...request.headers, 'content-type': type })
  let work = Promise.resolve()
  const files: Readable[] = []
  await new Promise<void>((resolve, reject) => {
    form.on('file', (fieldName, stream, fileName, _encoding, mimeType): void => {
      files.push(stream)
      // Who reads it is told; while nobody does yet, an error without a listener would end the program.
      stream.on('error', () => {})
      // A file whose turn has not come is not read, and so neither is what follows it in the form.
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
    // What is left of the body is thrown away, so that the caller gets to read why.
    request.raw.unpipe(form)
    request.raw.resume()
    form.destroy()
    // Who reads a file that will never end would wait for ever, and leave what it has begun on the storage server.
    for (const file of files) file.destroy(error instanceof Error ? error : undefined)
    throw error
  })
  if (files.length === 0) throw new HttpError(400, reason('form-without-file'), { field: 'file' })
}

function openForm(headers: BusboyHeaders): BusboyInstance {
  try {
    // Names come as they are: a browser puts a path there when a folder is uploaded.
    return new Busboy({ headers, preservePath: true, isPartAFile: () => true })
  } catch (error) {
    throw new HttpError(400, reason('form-malformed'), { detail: String(error) })
  }
}

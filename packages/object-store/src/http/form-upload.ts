import { finished, Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { S3Error } from '../errors.ts'
import type { ReceivedForm } from './authentication.ts'
import type { Call } from './call.ts'

const FIELD_BYTES = 64 * 1024
const MAX_FIELDS = 100

/** A browser's upload: POST of a multipart form to a bucket. */
export function isFormUpload({ request, target }: Call): boolean {
  return (
    request.method === 'POST' &&
    target.bucket !== '' &&
    target.key === '' &&
    request.headers['content-type']?.startsWith('multipart/form-data') === true
  )
}

/**
 * Reads a form up to its file, which stays unread. Fields behind the file do not count, as with S3.
 * @throws S3Error MalformedPOSTRequest, IncorrectNumberOfFilesInPostRequest
 */
export function readFormUpload(call: Call): Promise<ReceivedForm> {
  const { request } = call
  return new Promise((resolve, reject) => {
    const fields = Object.create(null) as Record<string, string>
    let busboy: InstanceType<typeof Busboy>
    try {
      busboy = new Busboy({
        // Its own type wants the header that `isFormUpload` has looked at.
        headers: request.headers as BusboyHeaders,
        limits: { fieldSize: FIELD_BYTES, fields: MAX_FIELDS, files: 1, parts: MAX_FIELDS + 1 },
      })
    } catch (error) {
      reject(malformed(error))
      return
    }
    const stop = () => request.unpipe(busboy)
    let upload: Readable | undefined
    busboy.on('field', (name, value, nameCut, valueCut) => {
      if (nameCut || valueCut) {
        stop()
        reject(malformed())
      } else fields[name.toLowerCase()] = value
    })
    busboy.on('file', (name, file, filename, _encoding, type) => {
      if (name.toLowerCase() !== 'file') {
        file.resume()
        return
      }
      upload = guarded(file)
      resolve({ fields, file: upload, filename: filename ?? '', fileType: type })
    })
    busboy.on('finish', () => {
      reject(new S3Error('IncorrectNumberOfFilesInPostRequest', 'POST requires exactly one file upload per request.'))
    })
    busboy.on('error', (error) => {
      stop()
      reject(malformed(error))
    })
    finished(request, { writable: false }, (error) => {
      if (!error) return
      const cut = new S3Error('IncompleteBody', 'The request ended before its body was complete.')
      busboy.destroy(cut)
      upload?.destroy(cut)
    })
    call.acceptBody()
    request.pipe(busboy)
  })
}

/** The key, with the name of the file in the place of `${filename}`. @throws S3Error InvalidArgument */
export function formKey({ fields, filename }: ReceivedForm): string {
  const key = fields.key ?? ''
  if (key === '') throw new S3Error('InvalidArgument', "Bucket POST must contain a field named 'key'.")
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of S3's forms is written like this
  return key.replaceAll('${filename}', () => filename)
}

/** The file as a stream whose end and errors its reader sees, and whose destruction leaves the connection be. */
function guarded(file: Readable): Readable {
  const stream = new Readable({
    read: () => void file.resume(),
    destroy: (error, done) => {
      // What is left of the form is read away, so that the client gets its answer.
      file.removeAllListeners('data')
      file.resume()
      done(error)
    },
  })
  // A reader that is busy with what it has finds the error at its next read; without this it would end the process.
  stream.on('error', () => undefined)
  file.on('data', (chunk: Buffer) => {
    if (!stream.push(chunk)) file.pause()
  })
  file.on('end', () => void stream.push(null))
  file.on('error', (error) => void stream.destroy(error))
  return stream
}

function malformed(cause?: unknown): S3Error {
  return new S3Error('MalformedPOSTRequest', 'The body of your POST request is not well-formed multipart/form-data.', {
    cause,
  })
}

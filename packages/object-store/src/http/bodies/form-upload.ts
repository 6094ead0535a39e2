import { finished, Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { S3Error } from '../../lib/errors.ts'
import type { ReceivedForm } from '../call/authentication-result.ts'
import type { StoreCall } from '../call/call.ts'

/** Maximum size of all fields before the file, names and values, as in S3. */
const FIELDS_BYTES = 20 * 1024
const MAX_FIELDS = 100
/** Maximum size of a form before its file: the fields and their headers. */
const HEAD_BYTES = 64 * 1024

/** Whether a request is a form upload: POST of a multipart form to a bucket. */
export function isFormUpload({ request, target }: StoreCall): boolean {
  return (
    request.method === 'POST' &&
    target.bucket !== '' &&
    target.key === '' &&
    request.headers['content-type']?.startsWith('multipart/form-data') === true
  )
}

/**
 * Reads a form up to its file, which is not read. Fields after the file are ignored, as on S3.
 * @throws S3Error MalformedPOSTRequest, IncorrectNumberOfFilesInPostRequest, MaxPostPreDataLengthExceededError,
 *   IncompleteBody, RequestTimeout, SlowDown
 */
export function readFormUpload(call: StoreCall): Promise<ReceivedForm> {
  return call.store.bodies.read(call.record.remoteAddress, HEAD_BYTES, (signal) => readHead(call, signal))
}

function readHead(call: StoreCall, signal: AbortSignal): Promise<ReceivedForm> {
  const { request } = call
  return new Promise((resolve, reject) => {
    const fields = Object.create(null) as Record<string, string>
    let busboy: InstanceType<typeof Busboy>
    try {
      busboy = new Busboy({
        // busboy's type requires the header, which `isFormUpload` has checked.
        headers: request.headers as BusboyHeaders,
        limits: {
          fieldSize: FIELDS_BYTES,
          fields: MAX_FIELDS,
          files: MAX_FIELDS + 1,
          parts: MAX_FIELDS + 1,
          headerSize: HEAD_BYTES,
        },
      })
    } catch (error) {
      reject(malformed(error))
      return
    }
    let upload: Readable | undefined
    let fieldsBytes = 0
    let headBytes = 0
    const refuse = (error: unknown) => {
      request.unpipe(busboy)
      request.off('data', count)
      reject(error)
    }
    const count = ({ length }: Buffer) => {
      // The previous chunk has been parsed by now.
      if (upload) request.off('data', count)
      else if (headBytes > HEAD_BYTES) refuse(fieldsTooLarge())
      headBytes += length
    }
    const fieldParts: Promise<void>[] = []
    busboy.on('field', (name, value, nameCut, valueCut) => {
      if (upload) return
      fieldsBytes += Buffer.byteLength(name) + Buffer.byteLength(value)
      if (nameCut || valueCut || fieldsBytes > FIELDS_BYTES) refuse(fieldsTooLarge())
      else fields[name.toLowerCase()] = value
    })
    busboy.on('file', (name, file, filename, _encoding, type) => {
      if (upload) {
        // Ignores a second file, or a field after the file.
        file.resume()
        return
      }
      if (name.toLowerCase() !== 'file') {
        // Clients such as Python's requests send every field with a file name.
        fieldParts.push(
          readText(file, (length) => {
            fieldsBytes += length
            return fieldsBytes <= FIELDS_BYTES
          }).then(
            (value) => {
              if (value === undefined) refuse(fieldsTooLarge())
              else fields[name.toLowerCase()] = value
            },
            (error: unknown) => refuse(error instanceof S3Error ? error : malformed(error)),
          ),
        )
        return
      }
      upload = guardedStream(file)
      const received = { fields, file: upload, filename: filename ?? '', fileType: type }
      void Promise.all(fieldParts).then(() => resolve(received))
    })
    for (const limit of ['fieldsLimit', 'partsLimit'] as const) {
      busboy.on(limit, () => {
        if (!upload) refuse(fieldsTooLarge())
      })
    }
    busboy.on('finish', () => {
      if (!upload) reject(wrongFileCount())
    })
    busboy.on('error', (error) => refuse(malformed(error)))
    finished(request, { writable: false }, (error) => {
      if (!error) return
      const cut = new S3Error('IncompleteBody', 'The request ended before its body was complete.')
      busboy.destroy(cut)
      upload?.destroy(cut)
    })
    signal.addEventListener('abort', () => refuse(signal.reason))
    call.acceptBody()
    request.on('data', count)
    request.pipe(busboy)
  })
}

/** Reads the text of a part. Undefined if `admit`, which is called with the size of each piece, returns false. */
async function readText(part: Readable, admit: (length: number) => boolean): Promise<string | undefined> {
  const pieces: Buffer[] = []
  for await (const piece of part as AsyncIterable<Buffer>) {
    if (!admit(piece.length)) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** Returns the key, with `${filename}` replaced by the name of the file. @throws S3Error InvalidArgument */
export function formKey({ fields, filename }: ReceivedForm): string {
  const key = fields.key ?? ''
  if (key === '') throw new S3Error('InvalidArgument', "Bucket POST must contain a field named 'key'.")
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of S3's forms is written like this
  return key.replaceAll('${filename}', () => filename)
}

/** Wraps the file in a stream. Destroying the stream does not close the connection. */
function guardedStream(file: Readable): Readable {
  const stream = new Readable({
    read: () => void file.resume(),
    destroy: (error, done) => {
      // Read the rest of the form, so that the client gets its answer.
      file.removeAllListeners('data')
      file.resume()
      done(error)
    },
  })
  // A busy reader gets the error at its next read. Without a listener the error would end the process.
  stream.on('error', () => undefined)
  file.on('data', (chunk: Buffer) => {
    if (!stream.push(chunk)) file.pause()
  })
  file.on('end', () => void stream.push(null))
  file.on('error', (error) => void stream.destroy(error))
  return stream
}

function fieldsTooLarge(): S3Error {
  return new S3Error(
    'MaxPostPreDataLengthExceededError',
    'Your POST request fields preceding the upload file were too large.',
  )
}

function wrongFileCount(): S3Error {
  return new S3Error('IncorrectNumberOfFilesInPostRequest', 'POST requires exactly one file upload per request.')
}

function malformed(cause?: unknown): S3Error {
  return new S3Error('MalformedPOSTRequest', 'The body of your POST request is not well-formed multipart/form-data.', {
    cause,
  })
}

import { Transform } from 'node:stream'
import { parseTagging } from '../../../bucket-settings/tagging-codec.ts'
import type { Checksum } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { s3Document, xmlTag } from '../../../lib/xml.ts'
import {
  CHECKSUM_HEADERS,
  createHasher,
  parseChecksumAlgorithm,
  requireChecksumDigest,
} from '../../bodies/checksums.ts'
import type { FormUpload } from '../../call/authentication-result.ts'
import type { StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { encodeWireText, isHeaderName, isHeaderValue } from '../../call/wire-text.ts'
import { requestedEncryption } from '../headers/encryption-headers.ts'
import { type ObjectDescription, readObjectDescription } from '../headers/object-headers.ts'
import { requestedLock } from '../headers/object-lock-calls.ts'
import { MAX_OBJECT_BYTES, writtenHeaders } from './put-object.ts'

/**
 * Stores the file of a browser form, with a signed policy or, if the bucket policy allows it, anonymously. The authentication
 * has read the form up to its file and checked the policy.
 */
export const postObject: S3Operation = {
  name: 'PostObject',
  method: 'POST',
  level: 'bucket',
  form: true,
  tags: { in: 'head', read: ({ authentication: { form } }) => parseTaggingField(form?.fields.tagging) },
  async handle(call) {
    const { form } = call.authentication
    if (!form) throw new TypeError('the router has sent a request here that is no form')
    const { key, length } = form
    const verifier = await createChecksumVerifier(form)
    const info = await call.engine.putObject(call.bucket, key, boundedFile(form, verifier.update), {
      ...formDescription(form),
      tags: call.requestTags,
      lock: requestedLock(call),
      encryption: requestedEncryption(call),
      check: ({ size }) => {
        if (length && size < length.min) {
          throw new S3Error('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed object size.')
        }
        return verifier.check()
      },
    })
    sendPostAnswer(call, form, key, writtenHeaders(call, info), info.etag)
  },
}

function parseTaggingField(field: string | undefined): Record<string, string> {
  return field === undefined ? {} : parseTagging(field, 'object')
}

/** Returns the description of the object. Fields have the same meaning as headers of a PUT. */
function formDescription({ fields, fileType }: FormUpload): ObjectDescription {
  const headers = Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, encodeWireText(text)]))
  if (fileType !== '') headers['content-type'] ??= fileType
  const object = readObjectDescription(headers)
  for (const [name, value] of [...Object.entries(object.headers), ...Object.entries(object.metadata)]) {
    // A name that is not a valid header could never be returned.
    if (!isHeaderName(name))
      throw new S3Error('InvalidArgument', 'The name of a form field is not a valid header name.')
    if (!isHeaderValue(value)) throw new S3Error('InvalidArgument', 'A form field contains control characters.')
  }
  return object
}

/** Returns the stream of the file, which fails if the file is larger than allowed. */
function boundedFile({ file, length }: FormUpload, update: (chunk: Buffer) => void) {
  const limit = Math.min(MAX_OBJECT_BYTES, length?.max ?? MAX_OBJECT_BYTES)
  let size = 0
  const gate = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      update(chunk)
      if (size <= limit) return done(undefined, chunk)
      done(new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed object size.'))
    },
  })
  gate.on('error', () => undefined)
  file.on('error', (error) => gate.destroy(error))
  gate.on('close', () => file.destroy())
  return file.pipe(gate)
}

/** Returns the expected checksum in a form field, if any. */
async function createChecksumVerifier({ fields }: FormUpload) {
  const name = Object.keys(fields).find((field) => parseChecksumAlgorithm(field.replace('x-amz-checksum-', '')))
  const algorithm = name && parseChecksumAlgorithm(name.replace('x-amz-checksum-', ''))
  if (!algorithm) return { update: () => undefined, check: () => undefined }
  const expected = requireChecksumDigest(algorithm, fields[CHECKSUM_HEADERS[algorithm]] ?? '')
  const hasher = await createHasher(algorithm)
  return {
    update: hasher.update,
    check: (): Checksum => {
      const value = hasher.digest()
      if (value === expected) return { algorithm, value, type: 'FULL_OBJECT' }
      throw new S3Error(
        'XAmzContentChecksumMismatch',
        'The provided x-amz-checksum header does not match what was computed.',
      )
    },
  }
}

function sendPostAnswer(
  call: StoreCall,
  { fields }: FormUpload,
  key: string,
  headers: Record<string, string | number>,
  etag: string,
) {
  const redirect = fields.success_action_redirect ?? fields.redirect
  if (redirect !== undefined && URL.canParse(redirect)) {
    const url = new URL(redirect)
    url.searchParams.set('bucket', call.bucket)
    url.searchParams.set('key', key)
    url.searchParams.set('etag', `"${etag}"`)
    return call.empty(303, { ...headers, Location: url.href })
  }
  const location = `http://${call.header('host') ?? ''}/${call.bucket}/${encodeURIComponent(key).replaceAll('%2F', '/')}`
  const status = fields.success_action_status
  if (status === '200') return call.empty(200, { ...headers, Location: location })
  if (status !== '201') return call.empty(204, { ...headers, Location: location })
  const content =
    `${xmlTag('Location', location)}${xmlTag('Bucket', call.bucket)}${xmlTag('Key', key)}` +
    `<ETag>&quot;${etag}&quot;</ETag>`
  call.xml(s3Document('PostResponse', content), 201, { ...headers, Location: location })
}

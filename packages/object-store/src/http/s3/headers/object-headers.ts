import type { ObjectInfo } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import type { ResponseHeaders, StoreCall } from '../../call/call.ts'
import { encodeWireText } from '../../call/wire-text.ts'
import { encodeWords } from './encoded-words.ts'

/** Headers that are stored with an object and returned unchanged. */
const STORED = [
  'content-type',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
  'x-amz-website-redirect-location',
] as const

const META = 'x-amz-meta-'
const METADATA_BYTES = 2048
const DEFAULT_TYPE = 'binary/octet-stream'

/** Headers that turn a PUT into another operation. They are refused, because a normal PUT would overwrite the object. */
const OTHER_WRITES: Record<string, string> = {
  'content-range': 'An object is written as a whole.',
  'x-amz-rename-source': 'Objects are not renamed.',
  'x-amz-write-offset-bytes': 'Objects are not appended to.',
}

export interface ObjectDescription {
  headers: Record<string, string>
  metadata: Record<string, string>
}

/**
 * Returns the description of an object in the headers of a write or the fields of a form.
 * @throws S3Error MetadataTooLarge, InvalidStorageClass, NotImplemented (writes to a part of an object)
 */
export function readObjectDescription(given: Record<string, string | string[] | undefined>): ObjectDescription {
  for (const [name, text] of Object.entries(OTHER_WRITES)) {
    if (given[name] !== undefined) throw new S3Error('NotImplemented', text)
  }
  const headers: Record<string, string> = {}
  const metadata: Record<string, string> = {}
  for (const name of STORED) {
    const value = given[name]
    if (typeof value !== 'string') continue
    const kept = name === 'content-encoding' ? withoutChunking(value) : value
    if (kept !== '') headers[name] = kept
  }
  headers['content-type'] ??= DEFAULT_TYPE
  const storageClass = given['x-amz-storage-class']
  if (typeof storageClass === 'string' && storageClass !== '') {
    if (storageClass !== 'STANDARD' && storageClass !== 'REDUCED_REDUNDANCY') {
      throw new S3Error('InvalidStorageClass', 'Invalid storage class.')
    }
    if (storageClass !== 'STANDARD') headers['x-amz-storage-class'] = storageClass
  }
  let size = 0
  for (const name in given) {
    if (!name.startsWith('x-amz-')) continue
    if (name.startsWith(META)) {
      const value = given[name] ?? ''
      const text = Array.isArray(value) ? value.join(',') : value
      size += name.length - META.length + text.length
      metadata[name.slice(META.length)] = text
    }
  }
  if (metadata['snowball-auto-extract'] === 'true') {
    throw new S3Error('NotImplemented', 'Archives are not unpacked.')
  }
  if (size > METADATA_BYTES) {
    throw new S3Error('MetadataTooLarge', 'Your metadata headers exceed the maximum allowed metadata size.', {
      detail: { Size: String(size), MaxSizeAllowed: String(METADATA_BYTES) },
    })
  }
  return { headers, metadata }
}

/** `aws-chunked` describes the request's framing, not the object. */
function withoutChunking(encoding: string): string {
  if (!encoding.includes('aws-chunked')) return encoding
  return encoding
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== 'aws-chunked')
    .join(',')
}

/** Returns the headers of GET and HEAD that describe an object, without length and range. */
export function objectHeaders(info: ObjectInfo, versioned: boolean): ResponseHeaders {
  const headers: ResponseHeaders = {
    ETag: `"${info.etag}"`,
    'Last-Modified': new Date(info.lastModified).toUTCString(),
    'Accept-Ranges': 'bytes',
  }
  for (const name in info.headers) {
    const value = info.headers[name]
    if (value !== undefined) headers[name] = value
  }
  for (const name in info.metadata) headers[META + name] = encodeWords(info.metadata[name] ?? '')
  const tagCount = Object.keys(info.tags).length
  if (tagCount > 0) headers['x-amz-tagging-count'] = tagCount
  if (versioned) headers['x-amz-version-id'] = info.versionId
  if (info.replication) headers['x-amz-replication-status'] = info.replication.status
  return headers
}

const OVERRIDES: [parameter: string, header: string][] = [
  ['response-content-type', 'content-type'],
  ['response-content-language', 'content-language'],
  ['response-expires', 'expires'],
  ['response-cache-control', 'cache-control'],
  ['response-content-disposition', 'content-disposition'],
  ['response-content-encoding', 'content-encoding'],
]

/** Applies `response-…` parameters. @throws S3Error InvalidRequest (anonymous), InvalidArgument (invalid header value) */
export function overrideHeaders(call: StoreCall, headers: ResponseHeaders): void {
  if (call.query.size === 0) return
  for (const [parameter, name] of OVERRIDES) {
    const value = call.query.get(parameter)
    if (value === null) continue
    if (call.identity === undefined) {
      throw new S3Error(
        'InvalidRequest',
        'Request specific response headers cannot be used for anonymous GET requests.',
      )
    }
    if (/[\u0000-\u001f\u007f]/.test(value)) throw new S3Error('InvalidArgument', `${parameter} is no header value.`)
    headers[name] = encodeWireText(value)
  }
}

import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { S3Stream } from '../../lib/storage/s3-stream.ts'
import { onWire, type Version } from './details.ts'
import { type Headers, headerOf } from './metadata.ts'

/** Returns the headers of a HEAD with stored checksums. @throws UpstreamError NoSuchKey, AccessDenied */
export async function headOf(s3Stream: S3Stream, version: Version): Promise<Headers> {
  return await s3Stream.headers({
    method: 'HEAD',
    ...onWire(version),
    headers: { 'x-amz-checksum-mode': 'ENABLED' },
  })
}

/** A version and the headers of its HEAD. */
export interface Read {
  version: Version
  head: Headers
}

/** Whether two versions have the same bytes. Compares sizes and stored checksums, or reads both if these are inconclusive. */
export async function sameContent(s3Stream: S3Stream, a: Read, b: Read): Promise<boolean> {
  if (headerOf(a.head, 'content-length') !== headerOf(b.head, 'content-length')) return false
  const known = sameByHeaders(a.head, b.head)
  if (known !== undefined) return known
  const [one, other] = await Promise.all([hashOf(s3Stream, a), hashOf(s3Stream, b)])
  return one === other
}

/** Compares by headers; undefined if they are inconclusive. */
export function sameByHeaders(a: Headers, b: Headers): boolean | undefined {
  const full = (head: Headers) => headerOf(head, 'x-amz-checksum-type').toUpperCase() === 'FULL_OBJECT'
  if (full(a) && full(b)) {
    for (const name of ['sha256', 'crc64nvme', 'sha1', 'crc32c', 'crc32']) {
      const [one, other] = [a, b].map((head) => headerOf(head, `x-amz-checksum-${name}`))
      if (one && other) return one === other
    }
  }
  const [one, other] = [headerOf(a, 'etag'), headerOf(b, 'etag')]
  // The ETag of an object in one part is the MD5 of its bytes; that of an encrypted object may be anything. Equal ETags always
  // mean equal bytes.
  return one !== '' && one === other ? true : undefined
}

async function hashOf(s3Stream: S3Stream, { version, head }: Read): Promise<string> {
  const { body } = await s3Stream.request({
    method: 'GET',
    ...onWire(version),
    headers: { 'if-match': headerOf(head, 'etag') || undefined },
  })
  const hash = createHash('sha256')
  for await (const chunk of body as Readable) hash.update(chunk as Buffer)
  return hash.digest('base64')
}

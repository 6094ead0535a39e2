import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { type ObjectVersionReference, versionParameters } from '../details/object-details.ts'
import { readHeader, type S3ResponseHeaders } from '../details/object-headers.ts'

/** Returns the headers of a HEAD with stored checksums. @throws UpstreamError NoSuchKey, AccessDenied */
export async function readVersionHeaders(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
): Promise<S3ResponseHeaders> {
  return await s3Stream.headers({
    method: 'HEAD',
    ...versionParameters(version),
    headers: { 'x-amz-checksum-mode': 'ENABLED' },
  })
}

/** A version and the headers of its HEAD. */
export interface VersionHead {
  version: ObjectVersionReference
  head: S3ResponseHeaders
}

/** Whether two versions have the same bytes. Compares sizes and stored checksums, or reads both if these are inconclusive. */
export async function hasSameContent(s3Stream: S3Stream, a: VersionHead, b: VersionHead): Promise<boolean> {
  if (readHeader(a.head, 'content-length') !== readHeader(b.head, 'content-length')) return false
  const known = compareByHeaders(a.head, b.head)
  if (known !== undefined) return known
  const [one, other] = await Promise.all([contentHash(s3Stream, a), contentHash(s3Stream, b)])
  return one === other
}

/** Compares by headers; undefined if they are inconclusive. */
export function compareByHeaders(a: S3ResponseHeaders, b: S3ResponseHeaders): boolean | undefined {
  const full = (head: S3ResponseHeaders) => readHeader(head, 'x-amz-checksum-type').toUpperCase() === 'FULL_OBJECT'
  if (full(a) && full(b)) {
    for (const name of ['sha256', 'crc64nvme', 'sha1', 'crc32c', 'crc32']) {
      const [one, other] = [a, b].map((head) => readHeader(head, `x-amz-checksum-${name}`))
      if (one && other) return one === other
    }
  }
  const [one, other] = [readHeader(a, 'etag'), readHeader(b, 'etag')]
  // The ETag of an object in one part is the MD5 of its bytes; that of an encrypted object may be anything. Equal ETags always
  // mean equal bytes.
  return one !== '' && one === other ? true : undefined
}

async function contentHash(s3Stream: S3Stream, { version, head }: VersionHead): Promise<string> {
  const { body } = await s3Stream.request({
    method: 'GET',
    ...versionParameters(version),
    headers: { 'if-match': readHeader(head, 'etag') || undefined },
  })
  const hash = createHash('sha256')
  for await (const chunk of body as Readable) hash.update(chunk as Buffer)
  return hash.digest('base64')
}

import type { UploadPart } from '@stowage/contract'
import type { S3Api } from '../../../lib/storage/s3-api.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'

/** A multipart upload in progress. */
export interface MultipartUpload {
  bucket: string
  key: string
  uploadId: string
}

/** Starts a multipart upload. @returns its upload ID */
export async function createUpload(
  s3: S3Api,
  { bucket, key, contentType }: { bucket: string; key: string; contentType: string },
): Promise<string> {
  const { UploadId } = await s3.createMultipartUpload({ Bucket: bucket, Key: key, ContentType: contentType })
  if (!UploadId) throw new TypeError('CreateMultipartUpload answered without an upload ID')
  return UploadId
}

export interface UploadPartBody {
  /** 1 to 10,000. */
  part: number
  body: AsyncIterable<Uint8Array> | Buffer
  /** Size of `body` in bytes. */
  size: number
}

/** Streams one part to the server. @returns its ETag */
export async function uploadPart(
  s3Stream: S3Stream,
  { bucket, key, uploadId, part, body, size }: MultipartUpload & UploadPartBody,
): Promise<string> {
  const { etag } = await s3Stream.headers({
    method: 'PUT',
    bucket,
    key,
    query: { partNumber: String(part), uploadId },
    headers: { 'content-length': String(size) },
    body,
  })
  return unquoteEtag(String(etag ?? ''))
}

/** Lists all uploaded parts by part number. */
export async function listParts(s3: S3Api, upload: MultipartUpload): Promise<UploadPart[]> {
  const parts: UploadPart[] = []
  for (let marker: string | undefined; ; ) {
    const page = await s3.listParts({ ...uploadParameters(upload), PartNumberMarker: marker })
    for (const { PartNumber = 0, ETag = '', Size = 0 } of page.Parts ?? [])
      parts.push({ part: PartNumber, etag: unquoteEtag(ETag), size: Size })
    if (!page.IsTruncated || !page.NextPartNumberMarker) return parts
    marker = page.NextPartNumberMarker
  }
}

/** Timeout: some servers copy all parts before they answer. */
const COMPLETE_MS = 600_000

/**
 * Completes an upload from the given parts.
 * @param ifAbsent refuses to replace an object
 */
export async function completeUpload(
  s3: S3Api,
  upload: MultipartUpload,
  parts: readonly { part: number; etag: string }[],
  ifAbsent = false,
): Promise<{ etag: string; version_id?: string }> {
  const Parts = parts
    .toSorted((a, b) => a.part - b.part)
    .map(({ part, etag }) => ({ PartNumber: part, ETag: `"${unquoteEtag(etag)}"` }))
  const { ETag = '', VersionId } = await s3.completeMultipartUpload(
    { ...uploadParameters(upload), MultipartUpload: { Parts }, ...(ifAbsent ? { IfNoneMatch: '*' } : {}) },
    { requestTimeout: COMPLETE_MS },
  )
  return { etag: unquoteEtag(ETag), ...(VersionId ? { version_id: VersionId } : {}) }
}

/** Aborts an upload and deletes its parts. */
export async function abortUpload(s3: S3Api, upload: MultipartUpload): Promise<void> {
  await s3.abortMultipartUpload(uploadParameters(upload))
}

const uploadParameters = ({ bucket, key, uploadId }: MultipartUpload) => ({
  Bucket: bucket,
  Key: key,
  UploadId: uploadId,
})

const unquoteEtag = (etag: string) => etag.replaceAll('"', '')

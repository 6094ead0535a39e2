import type { UploadPart } from '@stowage/contract'
import type { S3Control } from '../../lib/storage/s3-sdk.ts'
import type { S3Wire } from '../../lib/storage/s3-wire.ts'

/** An upload in parts that has begun. */
export interface Upload {
  bucket: string
  key: string
  uploadId: string
}

/** Begins an upload in parts and tells its id. */
export async function createUpload(
  { commands, send }: S3Control,
  { bucket, key, contentType }: { bucket: string; key: string; contentType: string },
  abortSignal: AbortSignal,
): Promise<string> {
  const command = new commands.CreateMultipartUploadCommand({ Bucket: bucket, Key: key, ContentType: contentType })
  const { UploadId } = await send(command, { abortSignal })
  if (!UploadId) throw new TypeError('CreateMultipartUpload answered without an upload ID')
  return UploadId
}

export interface PartBody {
  /** 1 to 10,000. */
  part: number
  body: AsyncIterable<Uint8Array> | Buffer
  /** Bytes of `body`. */
  size: number
}

/** Sends one part while it is read. @returns its ETag */
export async function uploadPart(
  s3: S3Wire,
  { bucket, key, uploadId, part, body, size }: Upload & PartBody,
  signal: AbortSignal,
): Promise<string> {
  const { etag } = await s3.headers({
    method: 'PUT',
    bucket,
    key,
    query: { partNumber: String(part), uploadId },
    headers: { 'content-length': String(size) },
    body,
    signal,
  })
  return bare(String(etag ?? ''))
}

/** All parts that have arrived, in their order. */
export async function listParts(
  { commands, send }: S3Control,
  { bucket, key, uploadId }: Upload,
  abortSignal: AbortSignal,
): Promise<UploadPart[]> {
  const parts: UploadPart[] = []
  for (let marker: string | undefined; ; ) {
    const page = await send(
      new commands.ListPartsCommand({ Bucket: bucket, Key: key, UploadId: uploadId, PartNumberMarker: marker }),
      { abortSignal },
    )
    for (const { PartNumber = 0, ETag = '', Size = 0 } of page.Parts ?? [])
      parts.push({ part: PartNumber, etag: bare(ETag), size: Size })
    if (!page.IsTruncated || !page.NextPartNumberMarker) return parts
    marker = page.NextPartNumberMarker
  }
}

/** Some servers copy the parts together before they answer. */
const COMPLETE_MS = 600_000

/** Makes the object of the given parts. */
export async function completeUpload(
  { commands, send }: S3Control,
  { bucket, key, uploadId }: Upload,
  parts: readonly { part: number; etag: string }[],
  abortSignal: AbortSignal,
): Promise<{ etag: string; version_id?: string }> {
  const Parts = parts
    .toSorted((a, b) => a.part - b.part)
    .map(({ part, etag }) => ({ PartNumber: part, ETag: `"${bare(etag)}"` }))
  const { ETag = '', VersionId } = await send(
    new commands.CompleteMultipartUploadCommand({
      Bucket: bucket,
      Key: key,
      UploadId: uploadId,
      MultipartUpload: { Parts },
    }),
    { abortSignal, requestTimeout: COMPLETE_MS },
  )
  return { etag: bare(ETag), ...(VersionId ? { version_id: VersionId } : {}) }
}

/** Gives an upload up and frees its parts. */
export async function abortUpload({ commands, send }: S3Control, { bucket, key, uploadId }: Upload): Promise<void> {
  await send(new commands.AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId }))
}

const bare = (etag: string) => etag.replaceAll('"', '')

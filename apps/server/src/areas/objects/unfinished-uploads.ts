import type { UnfinishedUpload } from '@stowage/contract'
import pMap from 'p-map'
import type { S3Api } from '../../lib/storage/s3-api.ts'
import { storageErrorOf } from '../../lib/storage/storage-errors.ts'
import { listParts } from './multipart.ts'
import { uploadPages } from './upload-pages.ts'

/** Maximum number of uploads of a bucket that are read and counted. */
const MAX_UPLOADS = 10_000
/** Uploads whose parts are listed at the same time. */
const PARALLEL = 8

interface Wanted {
  bucket: string
  prefix: string
  /** Only uploads that began earlier, ms since 1970. */
  before: number
  /** Number of uploads to return, with their sizes. */
  limit: number
}

/**
 * Returns unfinished uploads, the oldest first.
 * @throws AccessDenied, NoSuchBucket
 */
export async function unfinishedUploads(
  s3: S3Api,
  { bucket, prefix, before, limit }: Wanted,
  signal: AbortSignal,
): Promise<{ uploads: UnfinishedUpload[]; total: number }> {
  const all = (await uploadsIn(s3, bucket, signal))
    .filter(({ key, initiated }) => key.startsWith(prefix) && Date.parse(initiated) < before)
    .toSorted((a, b) => Date.parse(a.initiated) - Date.parse(b.initiated))
  const sized = await pMap(all.slice(0, limit), async (upload) => await withSize(s3, bucket, upload), {
    concurrency: PARALLEL,
    signal,
  })
  return { uploads: sized.filter((upload) => upload !== undefined), total: all.length }
}

type Listed = Pick<UnfinishedUpload, 'key' | 'upload_id' | 'initiated'>

async function uploadsIn(s3: S3Api, bucket: string, signal: AbortSignal): Promise<Listed[]> {
  const uploads: Listed[] = []
  for await (const page of uploadPages(s3, bucket, signal)) {
    for (const { key, uploadId, initiated } of page) uploads.push({ key, upload_id: uploadId, initiated })
    if (uploads.length >= MAX_UPLOADS) break
  }
  return uploads.slice(0, MAX_UPLOADS)
}

/** Returns undefined if the upload has ended since it was listed. */
async function withSize(s3: S3Api, bucket: string, upload: Listed): Promise<UnfinishedUpload | undefined> {
  try {
    const parts = await listParts(s3, { bucket, key: upload.key, uploadId: upload.upload_id })
    return { ...upload, parts: parts.length, size: parts.reduce((sum, { size }) => sum + size, 0) }
  } catch (error) {
    const code = storageErrorOf(error)?.code
    if (code === 'NoSuchUpload') return undefined
    if (code === 'AccessDenied') return upload
    throw error
  }
}

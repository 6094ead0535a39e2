import type { UnfinishedUpload } from '@stowage/contract'
import pMap from 'p-map'
import { toStorageError } from '../../../lib/errors/storage-errors.ts'
import type { S3Api } from '../../../lib/storage/s3-api.ts'
import { listParts } from './multipart-upload.ts'
import { listUploadPages } from './upload-pages.ts'

/** Maximum number of uploads of a bucket that are read and counted. */
const MAX_UPLOADS = 10_000
/** Uploads whose parts are listed at the same time. */
const PARALLEL = 8

interface UploadFilter {
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
export async function listUnfinishedUploads(
  s3: S3Api,
  { bucket, prefix, before, limit }: UploadFilter,
  signal: AbortSignal,
): Promise<{ uploads: UnfinishedUpload[]; total: number }> {
  const all = (await readUploads(s3, bucket, signal))
    .filter(({ key, initiated }) => key.startsWith(prefix) && Date.parse(initiated) < before)
    .toSorted((a, b) => Date.parse(a.initiated) - Date.parse(b.initiated))
  const sized = await pMap(all.slice(0, limit), async (upload) => await addSize(s3, bucket, upload), {
    concurrency: PARALLEL,
    signal,
  })
  return { uploads: sized.filter((upload) => upload !== undefined), total: all.length }
}

type ListedUploadId = Pick<UnfinishedUpload, 'key' | 'upload_id' | 'initiated'>

async function readUploads(s3: S3Api, bucket: string, signal: AbortSignal): Promise<ListedUploadId[]> {
  const uploads: ListedUploadId[] = []
  for await (const page of listUploadPages(s3, bucket, signal)) {
    for (const { key, uploadId, initiated } of page) uploads.push({ key, upload_id: uploadId, initiated })
    if (uploads.length >= MAX_UPLOADS) break
  }
  return uploads.slice(0, MAX_UPLOADS)
}

/** Returns undefined if the upload has ended since it was listed. */
async function addSize(s3: S3Api, bucket: string, upload: ListedUploadId): Promise<UnfinishedUpload | undefined> {
  try {
    const parts = await listParts(s3, { bucket, key: upload.key, uploadId: upload.upload_id })
    return { ...upload, parts: parts.length, size: parts.reduce((sum, { size }) => sum + size, 0) }
  } catch (error) {
    const code = toStorageError(error)?.code
    if (code === 'NoSuchUpload') return undefined
    if (code === 'AccessDenied') return upload
    throw error
  }
}

import type { S3Api } from '../../../lib/storage/s3-api.ts'
import { decodeListedKey } from '../listing/listing-page.ts'

/** An upload in a listing. */
export interface ListedUpload {
  key: string
  uploadId: string
  /** ISO 8601. */
  initiated: string
}

/**
 * Lists the unfinished uploads of a bucket, page by page. Keys are requested URL-encoded, because XML cannot contain all of
 * them. There is no prefix, because MinIO treats a prefix as a whole key.
 * @throws AccessDenied, NoSuchBucket
 */
export async function* listUploadPages(s3: S3Api, Bucket: string, signal: AbortSignal): AsyncGenerator<ListedUpload[]> {
  let markers: { KeyMarker?: string; UploadIdMarker?: string | undefined } = {}
  for (;;) {
    signal.throwIfAborted()
    const page = await s3.listMultipartUploads({ Bucket, EncodingType: 'url', ...markers })
    const decode = page.EncodingType === 'url' ? decodeListedKey : (text: string) => text
    yield (page.Uploads ?? []).map(({ Key = '', UploadId = '', Initiated }) => ({
      key: decode(Key),
      uploadId: UploadId,
      initiated: (Initiated ?? new Date(0)).toISOString(),
    }))
    if (!page.IsTruncated || !page.NextKeyMarker) return
    markers = { KeyMarker: decode(page.NextKeyMarker), UploadIdMarker: page.NextUploadIdMarker }
  }
}

import type { UploadName } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import type { StoreCall } from '../../call/call.ts'

export const MAX_PARTS = 10_000
/** Maximum size of a part in bytes. */
export const MAX_PART_BYTES = 5 * 1024 ** 3

/** Returns the upload in a request. */
export function requestedUpload(call: StoreCall): UploadName {
  return { bucket: call.bucket, key: call.key, uploadId: call.query.get('uploadId') ?? '' }
}

/** @throws S3Error InvalidArgument */
export function requestedPartNumber(call: StoreCall): number {
  const text = call.query.get('partNumber') ?? ''
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > MAX_PARTS) {
    throw new S3Error('InvalidArgument', `Part number must be an integer between 1 and ${MAX_PARTS}, inclusive`)
  }
  return number
}

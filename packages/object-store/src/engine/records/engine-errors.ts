import { S3Error } from '../../lib/errors.ts'
import type { VersionRecord } from './index-records.ts'

/** The errors of the engine, one constructor per situation. The texts are those of S3 servers. */
export const noSuchBucket = (bucket: string) =>
  new S3Error('NoSuchBucket', 'The specified bucket does not exist', { detail: { BucketName: bucket } })
export const noSuchKey = (key: string) =>
  new S3Error('NoSuchKey', 'The specified key does not exist.', { detail: { Key: key } })
export const noSuchVersion = (key: string, versionId: string) =>
  new S3Error('NoSuchVersion', 'The specified version does not exist.', {
    detail: { Key: key, VersionId: versionId },
  })
export const noSuchUpload = (uploadId: string) =>
  new S3Error(
    'NoSuchUpload',
    'The specified multipart upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
    { detail: { UploadId: uploadId } },
  )
export const writeConditionFailed = () =>
  new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')
export const quotaExceeded = () => new S3Error('XMinioAdminBucketQuotaExceeded', 'Bucket quota exceeded')
export const tooManyVersions = () =>
  new S3Error(
    'MaxVersionsExceeded',
    "You've exceeded the limit on the number of versions you can create on this object",
  )
export const incompleteBody = (cause?: unknown) =>
  new S3Error(
    'IncompleteBody',
    'You did not provide the number of bytes specified by the Content-Length HTTP header.',
    {
      cause,
    },
  )

const MAX_OBJECT_KEY_BYTES = 1024
/** Half of a surrogate pair: it would be stored as U+FFFD, which changes the name. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Returns the bytes of an object key. @throws S3Error KeyTooLongError, XMinioInvalidObjectName */
export function keyBytes(key: string): Buffer {
  const bytes = Buffer.from(key)
  if (bytes.length > MAX_OBJECT_KEY_BYTES) throw new S3Error('KeyTooLongError', 'Your key is too long')
  if (bytes.length === 0 || bytes.includes(0) || LONE_SURROGATE.test(key)) {
    throw new S3Error('XMinioInvalidObjectName', 'Object name contains unsupported characters.')
  }
  return bytes
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Checks a version ID that a caller supplies. @throws S3Error InvalidArgument */
export function checkNewVersionId(versionId: string | undefined): void {
  if (versionId === undefined || versionId === 'null' || UUID.test(versionId)) return
  throw new S3Error('InvalidArgument', 'Invalid version id specified')
}

/** Checks a bucket or document name. The length is checked with the index key made of it. @throws S3Error InvalidArgument */
export function checkStoredName(name: string): void {
  if (LONE_SURROGATE.test(name)) throw new S3Error('InvalidArgument', 'A name contains a lone surrogate.')
}

/** The error for a read of a delete marker. */
export function deleteMarkerError(key: string, marker: VersionRecord, versionId: string | undefined): S3Error {
  const detail = { Key: key, VersionId: marker.versionId, DeleteMarker: 'true' }
  if (versionId === undefined) return new S3Error('NoSuchKey', 'The specified key does not exist.', { detail })
  return new S3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.', { detail })
}

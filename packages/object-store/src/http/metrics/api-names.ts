import { s3Operations } from '../s3/s3-operations.ts'

/** Names of calls in metrics that differ from S3's name in lower case. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  CreateBucket: 'putbucket',
  CreateMultipartUpload: 'newmultipartupload',
  DeleteObjects: 'deletemultipleobjects',
  GetBucketNotificationConfiguration: 'getbucketnotification',
  GetObjectLockConfiguration: 'getbucketobjectlockconfig',
  ListObjects: 'listobjectsv1',
  ListParts: 'listobjectparts',
  PostObject: 'postpolicybucket',
  PutBucketNotificationConfiguration: 'putbucketnotification',
  PutObjectLockConfiguration: 'putbucketobjectlockconfig',
  UploadPart: 'putobjectpart',
  UploadPartCopy: 'copyobjectpart',
}

const NAMES: ReadonlyMap<string, string> = new Map(
  s3Operations.map(({ name }) => [name, OTHER_NAMES[name] ?? name.toLowerCase()]),
)

/** Returns the label of an operation; undefined if it is not an S3 call. */
export function metricsApiName(operation: string): string | undefined {
  return NAMES.get(operation)
}

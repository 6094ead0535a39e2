import { operations } from '../s3/operations.ts'

/** Where the family's name of a call is not S3's in lower case. */
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
  operations.map(({ name }) => [name, OTHER_NAMES[name] ?? name.toLowerCase()]),
)

/** The label of an operation; undefined for what is no call of S3. */
export function apiOf(operation: string): string | undefined {
  return NAMES.get(operation)
}

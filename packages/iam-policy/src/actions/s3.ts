/** What an s3 action applies to: `account` to no bucket, `bucket` to a bucket as a whole, `object` to keys in a bucket. */
export type ActionLevel = 'account' | 'bucket' | 'object'

export interface S3Action {
  level: ActionLevel
  /** Condition keys allowed in addition to the common ones. */
  keys: readonly string[]
  /** Not known to a MinIO of 2021. */
  since2025?: true
}

const LISTING = ['s3:prefix', 's3:delimiter', 's3:max-keys'] as const
const VERSION = ['s3:versionid'] as const
const TAGGED = ['s3:ExistingObjectTag'] as const
const NEW_TAGS = ['s3:RequestObjectTagKeys', 's3:RequestObjectTag'] as const
const VERSION_TAGGED = [...VERSION, ...TAGGED] as const
const ENCRYPTION = [
  's3:x-amz-server-side-encryption',
  's3:x-amz-server-side-encryption-customer-algorithm',
  's3:x-amz-server-side-encryption-aws-kms-key-id',
] as const
const RETENTION = ['s3:object-lock-retain-until-date', 's3:object-lock-mode'] as const
const LEGAL_HOLD = ['s3:object-lock-legal-hold'] as const
const REMAINING_DAYS = ['s3:object-lock-remaining-retention-days'] as const

const account: S3Action = { level: 'account', keys: [] }
const bucket: S3Action = { level: 'bucket', keys: [] }
const newBucket: S3Action = { level: 'bucket', keys: [], since2025: true }
const listing: S3Action = { level: 'bucket', keys: LISTING }
const object = (...keys: string[]): S3Action => ({ level: 'object', keys })
const newObject = (...keys: string[]): S3Action => ({ level: 'object', keys, since2025: true })

/** Every s3 action of MinIO RELEASE.2025-10-15, without `s3:`. */
export const S3_ACTIONS = {
  AbortMultipartUpload: object(),
  BypassGovernanceRetention: object(...VERSION, ...REMAINING_DAYS, ...RETENTION, ...LEGAL_HOLD, ...NEW_TAGS),
  CreateBucket: bucket,
  DeleteBucket: bucket,
  DeleteBucketCors: newBucket,
  DeleteBucketPolicy: bucket,
  DeleteObject: object(...VERSION),
  DeleteObjectTagging: object(...VERSION_TAGGED),
  DeleteObjectVersion: object(...VERSION),
  DeleteObjectVersionTagging: object(...VERSION_TAGGED),
  ForceDeleteBucket: bucket,
  GetBucketCors: newBucket,
  GetBucketLocation: bucket,
  GetBucketNotification: bucket,
  GetBucketObjectLockConfiguration: bucket,
  GetBucketPolicy: bucket,
  GetBucketPolicyStatus: bucket,
  GetBucketTagging: bucket,
  GetBucketVersioning: bucket,
  GetEncryptionConfiguration: bucket,
  GetLifecycleConfiguration: bucket,
  GetObject: object(...ENCRYPTION, ...VERSION_TAGGED),
  GetObjectAttributes: newObject(...TAGGED),
  GetObjectLegalHold: object(),
  GetObjectRetention: object(...ENCRYPTION, ...VERSION),
  GetObjectTagging: object(...VERSION_TAGGED),
  GetObjectVersion: object(...VERSION_TAGGED),
  GetObjectVersionAttributes: newObject(...VERSION_TAGGED),
  GetObjectVersionForReplication: object(...VERSION_TAGGED),
  GetObjectVersionTagging: object(...VERSION_TAGGED),
  GetReplicationConfiguration: bucket,
  HeadBucket: bucket,
  ListAllMyBuckets: account,
  ListBucket: listing,
  ListBucketMultipartUploads: bucket,
  ListBucketVersions: listing,
  ListMultipartUploadParts: object(),
  ListenBucketNotification: bucket,
  ListenNotification: account,
  PutBucketCors: newBucket,
  PutBucketNotification: bucket,
  PutBucketObjectLockConfiguration: bucket,
  PutBucketPolicy: bucket,
  PutBucketTagging: { level: 'bucket', keys: NEW_TAGS },
  PutBucketVersioning: bucket,
  PutEncryptionConfiguration: bucket,
  PutLifecycleConfiguration: bucket,
  PutObject: object(
    's3:x-amz-copy-source',
    's3:x-amz-metadata-directive',
    's3:x-amz-storage-class',
    ...ENCRYPTION,
    ...VERSION,
    ...RETENTION,
    ...LEGAL_HOLD,
    ...NEW_TAGS,
  ),
  PutObjectFanOut: newObject(),
  PutObjectLegalHold: object(...ENCRYPTION, ...LEGAL_HOLD, ...VERSION),
  PutObjectRetention: object(...ENCRYPTION, ...REMAINING_DAYS, ...RETENTION, ...VERSION),
  PutObjectTagging: object(...VERSION_TAGGED, ...NEW_TAGS),
  PutObjectVersionTagging: object(...VERSION_TAGGED, ...NEW_TAGS),
  PutReplicationConfiguration: bucket,
  ReplicateDelete: object(...VERSION_TAGGED),
  ReplicateObject: object(...VERSION_TAGGED),
  ReplicateTags: object(...VERSION_TAGGED),
  // Servers list it among the actions on objects, but ask for it about the bucket.
  ResetBucketReplicationState: newBucket,
  RestoreObject: newObject(),
} as const satisfies Record<string, S3Action>

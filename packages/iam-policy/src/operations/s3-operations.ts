import type { S3ActionName } from '../actions/catalogue.ts'

/** An action, and the one that is needed instead if the request names a version of the object. */
export interface ActionByVersion {
  readonly action: S3ActionName
  readonly version?: S3ActionName
}

/**
 * What a request may have in addition, with the right that it needs then. `source` and `source-tags` are about the object that
 * is copied, all others about the resource of the request.
 */
export const S3_REQUEST_PARTS = {
  tags: { action: 's3:PutObjectTagging' },
  retention: { action: 's3:PutObjectRetention' },
  'legal-hold': { action: 's3:PutObjectLegalHold' },
  'governance-bypass': { action: 's3:BypassGovernanceRetention' },
  source: { action: 's3:GetObject', version: 's3:GetObjectVersion' },
  'source-tags': { action: 's3:GetObjectTagging', version: 's3:GetObjectVersionTagging' },
  replica: { action: 's3:ReplicateObject' },
  'replica-tags': { action: 's3:ReplicateTags' },
  'replica-delete': { action: 's3:ReplicateDelete' },
  'force-delete': { action: 's3:ForceDeleteBucket' },
  'object-lock': { action: 's3:PutBucketObjectLockConfiguration' },
  'object-lock-versioning': { action: 's3:PutBucketVersioning' },
} as const satisfies Record<string, ActionByVersion>

export type S3RequestPart = keyof typeof S3_REQUEST_PARTS

/** The rights that a request of an S3 operation needs. Condition keys are those of its actions in the catalogue. */
export interface S3OperationRights extends ActionByVersion {
  /** Needed as well, by every request. */
  readonly also?: ActionByVersion
  /** Needed as well, by requests with these parts. */
  readonly parts?: readonly S3RequestPart[]
  /**
   * When `action` is checked. `first` (default): before anything else, for the resource of the URL. `by-handler`: by the rest of
   * the request, such as the objects that a body names. `filter`: without it the answer is shorter.
   */
  readonly checked?: 'first' | 'by-handler' | 'filter'
  /** With one of these rights on a bucket it is in a list that lacks the right of `action`. */
  readonly filter?: readonly S3ActionName[]
  /** Not asked for, but the answer has a part only with them. */
  readonly shows?: readonly ActionByVersion[]
  /** MinIO asks for `version` too; for all other operations it asks for `action`, whether a version is named or not. */
  readonly minioVersion?: true
  /** An action of the operation's name, which policies may contain but the store never asks for. */
  readonly unasked?: S3ActionName
}

const READ = { action: 's3:GetObject', version: 's3:GetObjectVersion' } as const
const LOCK = [{ action: 's3:GetObjectRetention' }, { action: 's3:GetObjectLegalHold' }] as const
const DESCRIPTIONS = [READ, { action: 's3:GetObjectTagging', version: 's3:GetObjectVersionTagging' }] as const
const WRITE = { action: 's3:PutObject' } as const
const LOCKING = ['retention', 'legal-hold'] as const
const SETTING = { action: 's3:GetBucketPolicy' } as const

/**
 * Every S3 operation of the store, by the name that S3 gives it. The store asks for these rights, "Can they?" and
 * `has-permission` answer by them, and the editor lists them beside an action.
 */
export const S3_OPERATIONS = {
  ListBuckets: { action: 's3:ListAllMyBuckets', checked: 'filter', filter: ['s3:ListBucket', 's3:GetBucketLocation'] },
  ListenNotification: { action: 's3:ListenNotification' },

  CreateBucket: { action: 's3:CreateBucket', parts: ['object-lock', 'object-lock-versioning'] },
  HeadBucket: { action: 's3:ListBucket', unasked: 's3:HeadBucket' },
  DeleteBucket: { action: 's3:DeleteBucket', parts: ['force-delete'] },
  GetBucketLocation: { action: 's3:GetBucketLocation' },
  GetBucketVersioning: { action: 's3:GetBucketVersioning' },
  PutBucketVersioning: { action: 's3:PutBucketVersioning' },
  GetBucketEncryption: { action: 's3:GetEncryptionConfiguration' },
  PutBucketEncryption: { action: 's3:PutEncryptionConfiguration' },
  DeleteBucketEncryption: { action: 's3:PutEncryptionConfiguration' },
  GetBucketCors: { action: 's3:GetBucketCors' },
  PutBucketCors: { action: 's3:PutBucketCors' },
  DeleteBucketCors: { action: 's3:DeleteBucketCors' },
  GetBucketLifecycle: { action: 's3:GetLifecycleConfiguration' },
  PutBucketLifecycle: { action: 's3:PutLifecycleConfiguration' },
  DeleteBucketLifecycle: { action: 's3:PutLifecycleConfiguration' },
  GetBucketNotificationConfiguration: { action: 's3:GetBucketNotification' },
  PutBucketNotificationConfiguration: { action: 's3:PutBucketNotification' },
  ListenBucketNotification: { action: 's3:ListenBucketNotification' },
  GetBucketReplication: { action: 's3:GetReplicationConfiguration' },
  PutBucketReplication: { action: 's3:PutReplicationConfiguration' },
  DeleteBucketReplication: { action: 's3:PutReplicationConfiguration' },
  GetBucketReplicationMetrics: { action: 's3:GetReplicationConfiguration' },
  ValidateBucketReplicationCreds: { action: 's3:GetReplicationConfiguration' },
  ResetBucketReplicationStart: { action: 's3:ResetBucketReplicationState' },
  ResetBucketReplicationStatus: { action: 's3:ResetBucketReplicationState' },
  GetBucketTagging: { action: 's3:GetBucketTagging' },
  PutBucketTagging: { action: 's3:PutBucketTagging' },
  DeleteBucketTagging: { action: 's3:PutBucketTagging' },
  GetBucketPolicy: { action: 's3:GetBucketPolicy' },
  PutBucketPolicy: { action: 's3:PutBucketPolicy' },
  DeleteBucketPolicy: { action: 's3:DeleteBucketPolicy' },
  GetBucketPolicyStatus: { action: 's3:GetBucketPolicyStatus' },
  GetObjectLockConfiguration: { action: 's3:GetBucketObjectLockConfiguration' },
  PutObjectLockConfiguration: { action: 's3:PutBucketObjectLockConfiguration' },
  GetBucketAcl: SETTING,
  PutBucketAcl: { action: 's3:PutBucketPolicy' },
  GetBucketAccelerateConfiguration: SETTING,
  GetBucketLogging: SETTING,
  GetBucketRequestPayment: SETTING,
  GetBucketWebsite: SETTING,

  ListObjects: { action: 's3:ListBucket', shows: DESCRIPTIONS },
  ListObjectsV2: { action: 's3:ListBucket', shows: DESCRIPTIONS },
  ListObjectVersions: { action: 's3:ListBucketVersions', shows: DESCRIPTIONS },
  ListMultipartUploads: { action: 's3:ListBucketMultipartUploads' },

  GetObject: { ...READ, shows: LOCK },
  HeadObject: { ...READ, shows: LOCK },
  GetObjectAttributes: {
    action: 's3:GetObjectAttributes',
    version: 's3:GetObjectVersionAttributes',
    also: READ,
    minioVersion: true,
  },
  GetObjectTagging: { action: 's3:GetObjectTagging', version: 's3:GetObjectVersionTagging' },
  PutObjectTagging: { action: 's3:PutObjectTagging', version: 's3:PutObjectVersionTagging' },
  DeleteObjectTagging: { action: 's3:DeleteObjectTagging', version: 's3:DeleteObjectVersionTagging' },
  GetObjectAcl: READ,
  PutObjectAcl: WRITE,
  GetObjectRetention: { action: 's3:GetObjectRetention' },
  PutObjectRetention: { action: 's3:PutObjectRetention', checked: 'by-handler', parts: ['governance-bypass'] },
  GetObjectLegalHold: { action: 's3:GetObjectLegalHold' },
  PutObjectLegalHold: { action: 's3:PutObjectLegalHold', checked: 'by-handler' },
  RestoreObject: { action: 's3:RestoreObject' },

  PutObject: { ...WRITE, parts: ['tags', ...LOCKING, 'replica', 'replica-tags'] },
  PostObject: { ...WRITE, parts: ['tags', ...LOCKING] },
  CopyObject: { ...WRITE, parts: ['source', 'source-tags', 'tags', ...LOCKING, 'replica', 'replica-tags'] },
  DeleteObject: {
    action: 's3:DeleteObject',
    version: 's3:DeleteObjectVersion',
    // A deletion that another store replicates names the version of its marker, so it needs `action`, and no Deny of `version`.
    checked: 'by-handler',
    parts: ['governance-bypass', 'replica-delete'],
  },
  DeleteObjects: {
    action: 's3:DeleteObject',
    version: 's3:DeleteObjectVersion',
    checked: 'by-handler',
    parts: ['governance-bypass'],
  },
  CreateMultipartUpload: { ...WRITE, parts: ['tags', ...LOCKING, 'replica', 'replica-tags'] },
  UploadPart: WRITE,
  UploadPartCopy: { ...WRITE, parts: ['source'] },
  CompleteMultipartUpload: { ...WRITE, parts: ['replica'] },
  AbortMultipartUpload: { action: 's3:AbortMultipartUpload' },
  ListParts: { action: 's3:ListMultipartUploadParts' },
} as const satisfies Record<string, S3OperationRights>

export type S3OperationName = keyof typeof S3_OPERATIONS

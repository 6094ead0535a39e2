import type { S3ActionName, S3OperationName } from '@stowage/iam-policy'

/** What a probe can name of the things that a run has created. */
export interface ProbeWorld {
  bucket: string
  /** An object with the tag env=prod, whose policies may depend on it, and an untagged one. */
  tagged: string
  plain: string
  /** Version IDs by key. */
  versions: Readonly<Record<string, string>>
}

export interface ProbeQuestion {
  action: S3ActionName
  /** Absent: the bucket, or no resource. */
  object?: string
  /** Values of the conditions that this request has beyond those of every request. */
  conditions?: Record<string, string[]>
}

/** A request of an operation that changes nothing that other probes need, whatever the verdict is. */
export interface S3Probe {
  method: string
  at: 'service' | 'bucket' | 'object'
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: string
  /** What has to be allowed, all of it. */
  asks: ProbeQuestion[]
  /** The answer is read as that of DeleteObjects or ListBuckets, or the request is a form. */
  kind?: 'delete-objects' | 'list-buckets' | 'form'
  /** It may change the policy of the bucket, so it comes last. */
  last?: true
  /** Not in front of MinIO, with the reason. */
  notOnMinio?: string
}

const NO_VERSION = '00000000-0000-4000-8000-000000000000'
const NO_EVENT = 'answers only when there is an event'
const NO_UPLOAD = 'bm90LWFuLXVwbG9hZA'
/** A condition that no object meets: a write with it ends after the rights are checked. */
const NEVER = { 'if-match': '"00000000000000000000000000000000"' }
const WRONG = '<x/>'
const UNTIL = '2099-01-01T00:00:00.000Z'
const TAGGING = '<Tagging><TagSet><Tag><Key>env</Key><Value>prod</Value></Tag></TagSet></Tagging>'
const NEW_TAGS = { 's3:RequestObjectTag/env': ['prod'], 's3:RequestObjectTagKeys': ['env'] }
const TAGGED = { 's3:ExistingObjectTag/env': ['prod'] }

type BucketQuery = Record<string, string>
const onBucket = (method: string, query: BucketQuery, action: S3ActionName, more: Partial<S3Probe> = {}): S3Probe => ({
  method,
  at: 'bucket',
  query,
  asks: [{ action }],
  ...more,
})
const put = (query: BucketQuery, action: S3ActionName, body = WRONG) => onBucket('PUT', query, action, { body })

/** Requests of every S3 operation of the store: a new one does not compile without a line here. */
export function s3Probes({ bucket, tagged, plain, versions }: ProbeWorld): Record<S3OperationName, S3Probe[]> {
  const existing = (key: string) => (key === tagged ? TAGGED : {})
  const onObject = (
    method: string,
    key: string,
    action: S3ActionName,
    { conditions, ...more }: Partial<S3Probe> & { conditions?: Record<string, string[]> } = {},
  ): S3Probe => ({
    method,
    at: 'object',
    key,
    asks: [{ action, object: key, conditions: { ...existing(key), ...conditions } }],
    ...more,
  })
  const onVersion = (method: string, key: string, action: S3ActionName, more: Partial<S3Probe> = {}): S3Probe => {
    const versionId = versions[key] ?? NO_VERSION
    return onObject(method, key, action, {
      ...more,
      query: { ...more.query, versionId },
      conditions: { 's3:versionid': [versionId] },
    })
  }
  const listing = (query: Record<string, string>, action: S3ActionName): S3Probe =>
    onBucket('GET', query, action, {
      asks: [
        {
          action,
          conditions: Object.fromEntries(
            Object.entries(query).flatMap(([name, value]) =>
              ['prefix', 'delimiter', 'max-keys'].includes(name) ? [[`s3:${name}`, [value]]] : [],
            ),
          ),
        },
      ],
    })
  const read = (method: string): S3Probe[] => [
    onObject(method, tagged, 's3:GetObject'),
    onObject(method, plain, 's3:GetObject'),
    onVersion(method, tagged, 's3:GetObjectVersion'),
  ]
  const attributes = { query: { attributes: '' }, headers: { 'x-amz-object-attributes': 'ETag' } }
  const copy = { headers: { ...NEVER, 'x-amz-copy-source': `/${bucket}/${plain}` } }
  const upload = { query: { uploadId: NO_UPLOAD } }
  const part = { query: { uploadId: NO_UPLOAD, partNumber: '1' } }
  const deletion = (versionId: string | undefined, key: string) => ({
    query: { delete: '' },
    kind: 'delete-objects' as const,
    body:
      `<Delete><Object><Key>${key}</Key>${versionId ? `<VersionId>${versionId}</VersionId>` : ''}` +
      '<ETag>00000000000000000000000000000000</ETag></Object></Delete>',
  })
  const fixedSetting = (query: string) => onBucket('GET', { [query]: '' }, 's3:GetBucketPolicy')
  return {
    ListBuckets: [{ method: 'GET', at: 'service', kind: 'list-buckets', asks: [{ action: 's3:ListAllMyBuckets' }] }],
    ListenNotification: [
      {
        method: 'GET',
        at: 'service',
        query: { events: 's3:ObjectCreated:*', ping: '1' },
        asks: [{ action: 's3:ListenNotification' }],
        notOnMinio: NO_EVENT,
      },
    ],
    CreateBucket: [onBucket('PUT', {}, 's3:CreateBucket')],
    HeadBucket: [onBucket('HEAD', {}, 's3:HeadBucket')],
    DeleteBucket: [onBucket('DELETE', {}, 's3:DeleteBucket')],
    GetBucketLocation: [onBucket('GET', { location: '' }, 's3:GetBucketLocation')],
    GetBucketVersioning: [onBucket('GET', { versioning: '' }, 's3:GetBucketVersioning')],
    PutBucketVersioning: [put({ versioning: '' }, 's3:PutBucketVersioning')],
    GetBucketEncryption: [onBucket('GET', { encryption: '' }, 's3:GetEncryptionConfiguration')],
    PutBucketEncryption: [put({ encryption: '' }, 's3:PutEncryptionConfiguration')],
    DeleteBucketEncryption: [onBucket('DELETE', { encryption: '' }, 's3:PutEncryptionConfiguration')],
    GetBucketCors: [onBucket('GET', { cors: '' }, 's3:GetBucketCors')],
    PutBucketCors: [put({ cors: '' }, 's3:PutBucketCors')],
    DeleteBucketCors: [onBucket('DELETE', { cors: '' }, 's3:DeleteBucketCors')],
    GetBucketLifecycle: [onBucket('GET', { lifecycle: '' }, 's3:GetLifecycleConfiguration')],
    PutBucketLifecycle: [put({ lifecycle: '' }, 's3:PutLifecycleConfiguration')],
    DeleteBucketLifecycle: [onBucket('DELETE', { lifecycle: '' }, 's3:PutLifecycleConfiguration')],
    GetBucketNotificationConfiguration: [onBucket('GET', { notification: '' }, 's3:GetBucketNotification')],
    PutBucketNotificationConfiguration: [put({ notification: '' }, 's3:PutBucketNotification')],
    ListenBucketNotification: [
      onBucket('GET', { events: 's3:ObjectCreated:*', ping: '1' }, 's3:ListenBucketNotification', {
        notOnMinio: NO_EVENT,
      }),
    ],
    GetBucketReplication: [onBucket('GET', { replication: '' }, 's3:GetReplicationConfiguration')],
    PutBucketReplication: [put({ replication: '' }, 's3:PutReplicationConfiguration')],
    DeleteBucketReplication: [onBucket('DELETE', { replication: '' }, 's3:PutReplicationConfiguration')],
    GetBucketReplicationMetrics: [onBucket('GET', { 'replication-metrics': '' }, 's3:GetReplicationConfiguration')],
    ValidateBucketReplicationCreds: [onBucket('GET', { 'replication-check': '' }, 's3:GetReplicationConfiguration')],
    ResetBucketReplicationStart: [
      onBucket('PUT', { 'replication-reset': '', arn: 'x' }, 's3:ResetBucketReplicationState'),
    ],
    ResetBucketReplicationStatus: [
      onBucket('GET', { 'replication-reset-status': '', arn: 'x' }, 's3:ResetBucketReplicationState'),
    ],
    GetBucketTagging: [onBucket('GET', { tagging: '' }, 's3:GetBucketTagging')],
    PutBucketTagging: [
      {
        ...put({ tagging: '' }, 's3:PutBucketTagging', TAGGING),
        asks: [{ action: 's3:PutBucketTagging', conditions: NEW_TAGS }],
      },
    ],
    DeleteBucketTagging: [onBucket('DELETE', { tagging: '' }, 's3:PutBucketTagging')],
    GetBucketPolicy: [onBucket('GET', { policy: '' }, 's3:GetBucketPolicy')],
    PutBucketPolicy: [put({ policy: '' }, 's3:PutBucketPolicy', '{}')],
    DeleteBucketPolicy: [onBucket('DELETE', { policy: '' }, 's3:DeleteBucketPolicy', { last: true })],
    GetBucketPolicyStatus: [onBucket('GET', { policyStatus: '' }, 's3:GetBucketPolicyStatus')],
    GetObjectLockConfiguration: [onBucket('GET', { 'object-lock': '' }, 's3:GetBucketObjectLockConfiguration')],
    PutObjectLockConfiguration: [put({ 'object-lock': '' }, 's3:PutBucketObjectLockConfiguration')],
    GetBucketAcl: [fixedSetting('acl')],
    PutBucketAcl: [put({ acl: '' }, 's3:PutBucketPolicy')],
    GetBucketAccelerateConfiguration: [fixedSetting('accelerate')],
    GetBucketLogging: [fixedSetting('logging')],
    GetBucketRequestPayment: [fixedSetting('requestPayment')],
    GetBucketWebsite: [fixedSetting('website')],
    ListObjects: [listing({}, 's3:ListBucket'), listing({ prefix: 'a/', delimiter: '/' }, 's3:ListBucket')],
    ListObjectsV2: [
      listing({ 'list-type': '2', prefix: 'dir/' }, 's3:ListBucket'),
      listing({ 'list-type': '2', prefix: '', 'max-keys': '5' }, 's3:ListBucket'),
    ],
    ListObjectVersions: [
      listing({ versions: '' }, 's3:ListBucketVersions'),
      listing({ versions: '', prefix: 'a/' }, 's3:ListBucketVersions'),
    ],
    ListMultipartUploads: [listing({ uploads: '', prefix: 'a/' }, 's3:ListBucketMultipartUploads')],
    GetObject: read('GET'),
    HeadObject: read('HEAD'),
    GetObjectAttributes: [
      onObject('GET', tagged, 's3:GetObjectAttributes', attributes),
      onVersion('GET', tagged, 's3:GetObjectVersionAttributes', attributes),
    ],
    GetObjectTagging: [
      onObject('GET', plain, 's3:GetObjectTagging', { query: { tagging: '' } }),
      onVersion('GET', tagged, 's3:GetObjectVersionTagging', { query: { tagging: '' } }),
    ],
    PutObjectTagging: [
      onObject('PUT', tagged, 's3:PutObjectTagging', { query: { tagging: '' }, body: TAGGING, conditions: NEW_TAGS }),
    ],
    DeleteObjectTagging: [
      onObject('DELETE', 'a/gone', 's3:DeleteObjectTagging', { query: { tagging: '' } }),
      onVersion('DELETE', 'a/gone', 's3:DeleteObjectVersionTagging', { query: { tagging: '' } }),
    ],
    GetObjectAcl: [
      onObject('GET', tagged, 's3:GetObject', { query: { acl: '' }, notOnMinio: 'asks for GetBucketPolicy' }),
    ],
    PutObjectAcl: [
      onObject('PUT', plain, 's3:PutObject', {
        query: { acl: '' },
        body: WRONG,
        notOnMinio: 'asks for PutBucketPolicy',
      }),
    ],
    GetObjectRetention: [onObject('GET', plain, 's3:GetObjectRetention', { query: { retention: '' } })],
    PutObjectRetention: [
      onObject('PUT', plain, 's3:PutObjectRetention', {
        query: { retention: '' },
        body: `<Retention><Mode>GOVERNANCE</Mode><RetainUntilDate>${UNTIL}</RetainUntilDate></Retention>`,
        notOnMinio: 'checks the right after the lock of the bucket',
      }),
    ],
    GetObjectLegalHold: [onObject('GET', plain, 's3:GetObjectLegalHold', { query: { 'legal-hold': '' } })],
    PutObjectLegalHold: [
      onObject('PUT', plain, 's3:PutObjectLegalHold', {
        query: { 'legal-hold': '' },
        body: '<LegalHold><Status>ON</Status></LegalHold>',
      }),
    ],
    RestoreObject: [onObject('POST', plain, 's3:RestoreObject', { query: { restore: '' }, body: WRONG })],
    PutObject: [
      onObject('PUT', 'a/new', 's3:PutObject', { headers: NEVER, body: 'x' }),
      {
        ...onObject('PUT', 'a/new', 's3:PutObject', { headers: { ...NEVER, 'x-amz-tagging': 'env=prod' }, body: 'x' }),
        asks: (['s3:PutObject', 's3:PutObjectTagging'] as const).map((action) => ({
          action,
          object: 'a/new',
          conditions: NEW_TAGS,
        })),
        notOnMinio: 'sets tags without the right to tag',
      },
    ],
    PostObject: [
      {
        method: 'POST',
        at: 'bucket',
        key: 'a/form',
        kind: 'form',
        asks: [{ action: 's3:PutObject', object: 'a/form', conditions: { 's3:authType': ['POST'] } }],
      },
    ],
    CopyObject: [
      {
        ...onObject('PUT', 'a/copy', 's3:PutObject', copy),
        asks: (
          [
            ['s3:PutObject', 'a/copy'],
            ['s3:GetObject', plain],
          ] as const
        ).map(([action, object]) => ({
          action,
          object,
          conditions: { 's3:x-amz-copy-source': [`/${bucket}/${plain}`] },
        })),
      },
    ],
    DeleteObject: [
      onObject('DELETE', 'a/gone', 's3:DeleteObject', { headers: NEVER }),
      onVersion('DELETE', 'a/gone', 's3:DeleteObjectVersion'),
    ],
    DeleteObjects: [
      {
        ...onBucket('POST', {}, 's3:DeleteObject', deletion(undefined, plain)),
        asks: [{ action: 's3:DeleteObject', object: plain }],
        notOnMinio: 'has no condition by ETag and would delete the object',
      },
      {
        ...onBucket('POST', {}, 's3:DeleteObject', deletion(NO_VERSION, tagged)),
        asks: [{ action: 's3:DeleteObjectVersion', object: tagged, conditions: { 's3:versionid': [NO_VERSION] } }],
        notOnMinio: 'does not have the version ID among the conditions of this request',
      },
    ],
    CreateMultipartUpload: [onObject('POST', 'a/parts', 's3:PutObject', { query: { uploads: '' } })],
    UploadPart: [onObject('PUT', 'a/parts', 's3:PutObject', { ...part, body: 'x' })],
    UploadPartCopy: [
      onObject('PUT', 'a/parts', 's3:PutObject', {
        ...part,
        headers: { 'x-amz-copy-source': `/${bucket}/${plain}` },
        conditions: { 's3:x-amz-copy-source': [`/${bucket}/${plain}`] },
        notOnMinio: 'asks for the source before it looks for the upload',
      }),
    ],
    CompleteMultipartUpload: [onObject('POST', 'a/parts', 's3:PutObject', { ...upload, body: WRONG })],
    AbortMultipartUpload: [onObject('DELETE', 'a/parts', 's3:AbortMultipartUpload', upload)],
    ListParts: [onObject('GET', 'a/parts', 's3:ListMultipartUploadParts', upload)],
  }
}

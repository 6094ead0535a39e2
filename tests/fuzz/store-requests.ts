import fc from 'fast-check'
import type { Body, Caller, FuzzRequest } from './requests.ts'
import { utf8 } from './requests.ts'
import {
  BUCKETS,
  bucketName,
  damaged,
  encoded,
  GROUPS,
  likeJson,
  number,
  objectKey,
  oddText,
  POLICIES,
  pathOf,
  queryOf,
  SECRET,
  text,
  USERS,
  yesOrNo,
} from './texts.ts'

/* Requests to the store: all its operations, and requests that could be mistaken for one. */

type Texts = Readonly<Record<string, fc.Arbitrary<string>>>

interface Operation {
  /** Relative frequency; default 4. */
  weight?: number
  method: string
  level: 'service' | 'bucket' | 'object'
  /** Always present. */
  query?: Texts
  headers?: Texts
  /** Optional. */
  optional?: Texts
  optionalHeaders?: Texts
  body?: fc.Arbitrary<Body>
}

const none = fc.constant<Body>({ kind: 'none' })
const empty = fc.constant('')
const upload = text('{{uploadId}}')
const version = text('{{versionId}}', 'null')
const etag = text('{{etag}}', '"{{etag}}"', '*', 'd41d8cd98f00b204e9800998ecf8427e')
const date = text('Wed, 21 Oct 2026 07:28:00 GMT', '2026-10-21T07:28:00Z', '20261021T072800Z')
const algorithm = text('CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256')

const bytes = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 200 }).map(utf8) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Body>({ kind: 'filler', length: 16_385 }, { kind: 'filler', length: 70_000 }),
  },
  { weight: 1, arbitrary: none },
)
const words = (whole: fc.Arbitrary<string>) => damaged(whole).map(utf8)
const json = (example: unknown) => words(likeJson(example).map((value) => JSON.stringify(value) ?? ''))

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
const element = (name: string, value: fc.Arbitrary<string>) => value.map((inner) => `<${name}>${inner}</${name}>`)
const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''))
const several = (part: fc.Arbitrary<string>, maxLength = 5) => fc.array(part, { maxLength }).map((all) => all.join(''))
const content = (value: fc.Arbitrary<string>) => value.map(escaped)

const tagging = words(
  element(
    'Tagging',
    element(
      'TagSet',
      several(
        element('Tag', joined(element('Key', content(text('colour', 'team'))), element('Value', content(text('red'))))),
      ),
    ),
  ),
)
const cors = words(
  element(
    'CORSConfiguration',
    several(
      element(
        'CORSRule',
        joined(
          element('AllowedOrigin', content(text('*', 'https://*.example'))),
          element('AllowedMethod', content(text('GET', 'PUT'))),
          several(element('AllowedHeader', content(text('*', 'x-amz-*'))), 2),
          several(element('MaxAgeSeconds', number), 1),
        ),
      ),
      2,
    ),
  ),
)
const replication = words(
  fc.constant(
    '<ReplicationConfiguration><Role/><Rule><ID>a</ID><Status>Enabled</Status><Priority>1</Priority><DeleteMarkerReplication>' +
      '<Status>Enabled</Status></DeleteMarkerReplication><Destination><Bucket>arn:minio:replication::11111111-1111-4111-8111-111111111111:b' +
      '</Bucket></Destination><Filter><And><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And></Filter></Rule></ReplicationConfiguration>',
  ),
)
const notification = words(
  element(
    'NotificationConfiguration',
    several(
      element(
        'QueueConfiguration',
        joined(
          element('Queue', content(text('arn:minio:sqs::_:webhook', ''))),
          several(element('Event', content(text('s3:ObjectCreated:*', 's3:ObjectAccessed:Get'))), 3),
        ),
      ),
      2,
    ),
  ),
)
const encryption = words(
  element(
    'ServerSideEncryptionConfiguration',
    element(
      'Rule',
      element(
        'ApplyServerSideEncryptionByDefault',
        joined(
          element('SSEAlgorithm', content(text('AES256', 'aws:kms'))),
          several(element('KMSMasterKeyID', content(text('unknown', 'stowage-default-key'))), 1),
        ),
      ),
    ),
  ),
)
/** Nothing may become due before the run ends, because acknowledged objects must remain. */
const lifecycle = words(
  element(
    'LifecycleConfiguration',
    several(
      element(
        'Rule',
        joined(
          several(element('ID', oddText), 1),
          element('Status', content(text('Enabled', 'Disabled'))),
          element('Filter', several(element('Prefix', content(text('a', 'a/', ''))), 1)),
          fc.oneof(
            element('Expiration', element('Days', content(text('1', '30', '0', '-1')))),
            element('Expiration', element('Date', content(text('2099-01-01T00:00:00Z', '2099-02-31T00:00:00Z')))),
            element('NoncurrentVersionExpiration', element('NoncurrentDays', content(text('3', 'x')))),
            element('Transition', joined(element('Days', content(text('30'))), element('StorageClass', oddText))),
          ),
        ),
      ),
      3,
    ),
  ),
)
const lockMode = element('Mode', content(text('GOVERNANCE', 'COMPLIANCE')))
const lockConfiguration = words(
  element(
    'ObjectLockConfiguration',
    joined(
      fc.constant('<ObjectLockEnabled>Enabled</ObjectLockEnabled>'),
      fc.oneof(
        empty,
        element(
          'Rule',
          element('DefaultRetention', joined(lockMode, element('Days', number), several(element('Years', number), 1))),
        ),
      ),
    ),
  ),
)
const retention = words(element('Retention', joined(lockMode, element('RetainUntilDate', content(date)))))
const deletes = words(
  element(
    'Delete',
    joined(
      fc.constantFrom('', '<Quiet>true</Quiet>'),
      several(
        element(
          'Object',
          joined(element('Key', content(objectKey)), fc.oneof(empty, element('VersionId', content(version)))),
        ),
      ),
    ),
  ),
)
const parts = words(
  element(
    'CompleteMultipartUpload',
    several(element('Part', joined(element('PartNumber', number), element('ETag', content(etag))))),
  ),
)
const statement = {
  Sid: 'one',
  Effect: 'Allow',
  Principal: { AWS: ['*'] },
  Action: ['s3:GetObject', 's3:*'],
  Resource: [`arn:aws:s3:::${BUCKETS[0]}/*`, `arn:aws:s3:::${BUCKETS[0]}`],
  Condition: { StringLike: { 's3:prefix': ['a/*'] }, IpAddress: { 'aws:SourceIp': '127.0.0.1/32' } },
}
const { Principal: _, ...ownStatement } = { ...statement, Resource: ['arn:aws:s3:::*'] }
const bucketPolicy = json({ Version: '2012-10-17', Statement: [statement] })
const userPolicy = { Version: '2012-10-17', Statement: [ownStatement, { Effect: 'Deny', Action: ['admin:*'] }] }

const listing: Texts = {
  prefix: text('', 'a', 'a/', 'dir/'),
  delimiter: text('/', ''),
  'max-keys': number,
  'encoding-type': text('url'),
  metadata: yesOrNo,
}
const conditions: Texts = {
  'if-match': etag,
  'if-none-match': etag,
  'if-modified-since': date,
  'if-unmodified-since': date,
}
const description: Texts = {
  'content-type': text('text/plain', 'text/html'),
  'content-encoding': text('gzip', 'aws-chunked'),
  'content-disposition': text('attachment; filename="a.txt"'),
  'content-language': text('en'),
  'cache-control': text('no-cache'),
  expires: date,
  'x-amz-meta-note': text('a note'),
  'x-amz-meta-__proto__': text('a note'),
  'x-amz-meta-constructor': text('a note'),
  'x-amz-tagging': text('colour=red', 'colour=red&team=a'),
  'x-amz-storage-class': text('STANDARD', 'REDUCED_REDUNDANCY'),
  'x-amz-acl': text('private', 'public-read'),
  'x-amz-website-redirect-location': text('/a'),
  'x-amz-checksum-algorithm': algorithm,
  'x-amz-sdk-checksum-algorithm': algorithm,
  'x-amz-checksum-crc32': text('AAAAAA=='),
  'x-amz-checksum-sha256': text('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='),
  'content-md5': text('1B2M2Y8AsgTpgAmY7PhCfg=='),
  'x-amz-server-side-encryption': text('AES256', 'aws:kms'),
  'x-amz-server-side-encryption-aws-kms-key-id': text('stowage-default-key', 'unknown'),
  'x-amz-server-side-encryption-customer-algorithm': text('AES256'),
  'x-amz-server-side-encryption-customer-key': text('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='),
  'x-amz-server-side-encryption-customer-key-md5': text('tP/LI3N87DFaSk0aoqYgzg=='),
  'x-amz-object-lock-mode': text('GOVERNANCE', 'COMPLIANCE'),
  'x-amz-object-lock-retain-until-date': date,
  'x-amz-object-lock-legal-hold': text('ON', 'OFF'),
}
const copying: Texts = {
  'x-amz-metadata-directive': text('COPY', 'REPLACE'),
  'x-amz-tagging-directive': text('COPY', 'REPLACE'),
  'x-amz-copy-source-if-match': etag,
  'x-amz-copy-source-if-modified-since': date,
}
const source = fc
  .tuple(bucketName, objectKey, fc.oneof(empty, version))
  .map(([bucket, key, id]) => `${pathOf(bucket, key)}${id === '' ? '' : `?versionId=${encoded(id)}`}`)
const reading: Texts = {
  versionId: version,
  partNumber: number,
  'response-content-type': text('text/plain'),
  'response-content-disposition': text('attachment; filename=a'),
  'response-cache-control': text('no-cache'),
  'response-expires': date,
}
const range = { range: text('bytes=0-9', 'bytes=-5', 'bytes=5-', 'bytes=0-0,2-3'), ...conditions }

const replica: Texts = {
  'x-amz-replication-status': text('REPLICA', 'PENDING'),
  'x-minio-source-replication-request': text('true'),
}
const time = text(
  '2026-10-21T07:28:00Z',
  '2026-10-21T07:28:00.123456789Z',
  '9999-12-31T23:59:59Z',
  '0001-01-01T00:00:00Z',
)
const replicaTimes: Texts = {
  'x-minio-source-mtime': time,
  'x-minio-source-etag': etag,
  'x-minio-source-deletemarker': text('true'),
  'x-minio-source-replication-tagging-timestamp': time,
  'x-minio-source-replication-check': text('true'),
}

const subResource = fc.constantFrom(
  ...[
    'abac',
    'accelerate',
    'acl',
    'cors',
    'encryption',
    'events',
    'legal-hold',
    'lifecycle',
    'logging',
    'notification',
  ],
  ...['object-lock', 'ownershipControls', 'replication', 'requestPayment', 'restore', 'retention', 'select', 'session'],
  ...[
    'tagging',
    'torrent',
    'uploads',
    'uploadId',
    'versioning',
    'versions',
    'website',
    'attributes',
    'delete',
    'policy',
  ],
)

const S3: readonly Operation[] = [
  {
    method: 'GET',
    level: 'service',
    optional: { prefix: text('fuzz'), 'max-buckets': number, 'continuation-token': oddText },
  },
  { weight: 8, method: 'PUT', level: 'bucket', optionalHeaders: { 'x-amz-bucket-object-lock-enabled': yesOrNo } },
  { method: 'HEAD', level: 'bucket' },
  { weight: 1, method: 'DELETE', level: 'bucket', optionalHeaders: { 'x-minio-force-delete': yesOrNo } },
  { method: 'GET', level: 'bucket', query: { location: empty } },
  { method: 'GET', level: 'bucket', query: { versioning: empty } },
  {
    method: 'PUT',
    level: 'bucket',
    query: { versioning: empty },
    body: words(
      element(
        'VersioningConfiguration',
        joined(
          element('Status', content(text('Enabled', 'Suspended'))),
          several(element('ExcludedPrefixes', element('Prefix', content(text('a', 'a/', '*b?')))), 2),
          fc.oneof(empty, element('ExcludeFolders', yesOrNo)),
        ),
      ),
    ),
  },
  { method: 'GET', level: 'bucket', query: { cors: empty } },
  { method: 'PUT', level: 'bucket', query: { cors: empty }, body: cors },
  { method: 'DELETE', level: 'bucket', query: { cors: empty } },
  { method: 'GET', level: 'bucket', query: { lifecycle: empty }, optional: { withUpdatedAt: yesOrNo } },
  { weight: 2, method: 'PUT', level: 'bucket', query: { lifecycle: empty }, body: lifecycle },
  { method: 'DELETE', level: 'bucket', query: { lifecycle: empty } },
  { method: 'GET', level: 'bucket', query: { notification: empty } },
  { method: 'GET', level: 'bucket', query: { replication: empty } },
  { method: 'PUT', level: 'bucket', query: { replication: empty }, body: replication },
  { method: 'DELETE', level: 'bucket', query: { replication: empty } },
  { method: 'GET', level: 'bucket', query: { 'replication-metrics': text('', '2') } },
  { method: 'GET', level: 'bucket', query: { 'replication-check': empty } },
  { method: 'PUT', level: 'bucket', query: { 'replication-reset': empty }, optional: { arn: oddText } },
  { method: 'GET', level: 'bucket', query: { 'replication-reset-status': empty }, optional: { arn: oddText } },
  { method: 'PUT', level: 'bucket', query: { notification: empty }, body: notification },
  { method: 'GET', level: 'bucket', query: { encryption: empty } },
  { weight: 2, method: 'PUT', level: 'bucket', query: { encryption: empty }, body: encryption },
  { method: 'DELETE', level: 'bucket', query: { encryption: empty } },
  { method: 'GET', level: 'bucket', query: { 'object-lock': empty } },
  { weight: 1, method: 'PUT', level: 'bucket', query: { 'object-lock': empty }, body: lockConfiguration },
  {
    weight: 1,
    method: 'POST',
    level: 'object',
    query: { restore: empty },
    optional: { versionId: version },
    body: words(element('RestoreRequest', element('Days', number))),
  },
  { method: 'GET', level: 'object', query: { retention: empty }, optional: { versionId: version } },
  { method: 'GET', level: 'object', query: { 'legal-hold': empty }, optional: { versionId: version } },
  {
    method: 'PUT',
    level: 'object',
    query: { retention: empty },
    optional: { versionId: version },
    optionalHeaders: { 'x-amz-bypass-governance-retention': yesOrNo },
    body: retention,
  },
  {
    method: 'PUT',
    level: 'object',
    query: { 'legal-hold': empty },
    optional: { versionId: version },
    body: words(element('LegalHold', element('Status', content(text('ON', 'OFF'))))),
  },
  { method: 'GET', level: 'bucket', query: { tagging: empty } },
  { method: 'PUT', level: 'bucket', query: { tagging: empty }, body: tagging },
  { method: 'DELETE', level: 'bucket', query: { tagging: empty } },
  { method: 'GET', level: 'bucket', query: { policy: empty } },
  { method: 'PUT', level: 'bucket', query: { policy: empty }, body: bucketPolicy },
  { method: 'DELETE', level: 'bucket', query: { policy: empty } },
  { method: 'GET', level: 'bucket', query: { policyStatus: empty } },
  { method: 'GET', level: 'bucket', query: { acl: empty } },
  {
    method: 'PUT',
    level: 'bucket',
    query: { acl: empty },
    optionalHeaders: { 'x-amz-acl': text('private') },
    body: bytes,
  },
  { method: 'GET', level: 'bucket', optional: { ...listing, marker: objectKey } },
  {
    method: 'GET',
    level: 'bucket',
    query: { 'list-type': fc.constant('2') },
    optional: { ...listing, 'continuation-token': text('{{token}}'), 'start-after': objectKey, 'fetch-owner': yesOrNo },
  },
  {
    method: 'GET',
    level: 'bucket',
    query: { versions: empty },
    optional: { ...listing, 'key-marker': objectKey, 'version-id-marker': version },
  },
  {
    method: 'GET',
    level: 'bucket',
    query: { uploads: empty },
    optional: { ...listing, 'key-marker': objectKey, 'upload-id-marker': upload, 'max-uploads': number },
  },
  { method: 'POST', level: 'bucket', query: { delete: empty }, body: deletes },
  { weight: 16, method: 'PUT', level: 'object', optionalHeaders: { ...description, ...conditions }, body: bytes },
  {
    method: 'PUT',
    level: 'object',
    optional: { versionId: version },
    headers: replica,
    optionalHeaders: { ...replicaTimes, ...description },
    body: bytes,
  },
  {
    method: 'DELETE',
    level: 'object',
    optional: { versionId: version },
    headers: replica,
    optionalHeaders: replicaTimes,
  },
  {
    method: 'PUT',
    level: 'object',
    headers: {
      'x-amz-copy-source': text('/fuzz-one/a', 'fuzz-two/a%2Fb').chain((one) => fc.oneof(fc.constant(one), source)),
    },
    optionalHeaders: { ...description, ...copying },
  },
  { weight: 12, method: 'GET', level: 'object', optional: reading, optionalHeaders: range },
  { method: 'HEAD', level: 'object', optional: reading, optionalHeaders: range },
  {
    method: 'DELETE',
    level: 'object',
    optional: { versionId: version },
    optionalHeaders: { 'x-minio-force-delete': yesOrNo, 'if-match': etag },
  },
  {
    method: 'GET',
    level: 'object',
    query: { attributes: empty },
    optional: { versionId: version },
    optionalHeaders: {
      'x-amz-object-attributes': text('ETag,ObjectSize', 'Checksum,ObjectParts'),
      'x-amz-max-parts': number,
    },
  },
  { method: 'GET', level: 'object', query: { tagging: empty }, optional: { versionId: version } },
  { method: 'PUT', level: 'object', query: { tagging: empty }, optional: { versionId: version }, body: tagging },
  { method: 'DELETE', level: 'object', query: { tagging: empty }, optional: { versionId: version } },
  { method: 'GET', level: 'object', query: { acl: empty } },
  { weight: 8, method: 'POST', level: 'object', query: { uploads: empty }, optionalHeaders: description },
  {
    method: 'PUT',
    level: 'object',
    query: { partNumber: number, uploadId: upload },
    optionalHeaders: description,
    body: bytes,
  },
  {
    method: 'PUT',
    level: 'object',
    query: { partNumber: number, uploadId: upload },
    headers: { 'x-amz-copy-source': source },
    optionalHeaders: { 'x-amz-copy-source-range': text('bytes=0-3') },
  },
  {
    method: 'GET',
    level: 'object',
    query: { uploadId: upload },
    optional: { 'part-number-marker': number, 'max-parts': number },
  },
  { method: 'POST', level: 'object', query: { uploadId: upload }, optionalHeaders: conditions, body: parts },
  { method: 'DELETE', level: 'object', query: { uploadId: upload } },
]

const caller = fc.oneof<fc.WeightedArbitrary<Caller>[]>(
  { weight: 6, arbitrary: fc.constant('root') },
  { weight: 2, arbitrary: fc.constant('user') },
  { weight: 1, arbitrary: fc.constant('session') },
  { weight: 1, arbitrary: fc.constant('anonymous') },
)
const signature = fc.oneof<fc.WeightedArbitrary<FuzzRequest['signed']>[]>(
  { weight: 16, arbitrary: fc.constant('header') },
  { weight: 2, arbitrary: fc.constant('query') },
  { weight: 1, arbitrary: fc.constant('damaged') },
)

/** Generates some of these parameters, each with a value. */
function some(texts: Texts): fc.Arbitrary<Record<string, string>> {
  const names = Object.keys(texts)
  if (names.length === 0) return fc.constant({})
  // Only a few at once: with all of them, one would always be wrong.
  const chosen = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 })
  return fc
    .tuple(fc.record(texts), chosen)
    .map(([all, few]) => Object.fromEntries(few.map((name) => [name, all[name] ?? ''])))
}

/** Returns a text that is valid in a header. */
function headerText(value: string): string {
  return value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 3000)
}

function path(level: Operation['level']): fc.Arbitrary<string> {
  const usual =
    level === 'service'
      ? fc.constant('/')
      : level === 'bucket'
        ? bucketName.map((bucket) => pathOf(bucket))
        : fc.tuple(bucketName, objectKey).map(([bucket, key]) => pathOf(bucket, key))
  const asItIs = oddText.map((odd) => `/${BUCKETS[0]}/${odd.replace(/[^\x21-\x7e]/g, '')}`)
  return fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: asItIs })
}

function s3Request(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const { method, level, query = {}, headers = {}, optional = {}, optionalHeaders = {}, body = none } = operation
  // A parameter of another operation can make a request look like that operation.
  const stray = fc.oneof(
    { weight: 12, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.tuple(subResource, oddText).map(([name, value]) => ({ [name]: value })) },
  )
  return fc
    .record({
      path: path(level),
      query: fc.record(query),
      optional: some(optional),
      stray,
      headers: fc.record(headers),
      optionalHeaders: some(optionalHeaders),
      body,
      as: caller,
      signed: signature,
    })
    .map(({ query, optional, stray, headers, optionalHeaders, ...rest }) => ({
      api: 's3' as const,
      method,
      ...rest,
      query: queryOf(Object.entries({ ...query, ...optional, ...stray })),
      headers: Object.fromEntries(
        Object.entries({ ...headers, ...optionalHeaders }).map(([name, value]) => [name, headerText(value)]),
      ),
    }))
}

/** Browser upload forms, signed by their policy. */
const postForm: fc.Arbitrary<FuzzRequest> = fc
  .record({
    bucket: bucketName,
    query: fc.oneof({ weight: 8, arbitrary: empty }, { weight: 1, arbitrary: subResource }),
    fields: some({
      key: fc.oneof(objectKey, fc.constant(['a/', '$', '{filename}'].join(''))),
      tagging: text('<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>'),
      'Content-Type': text('text/plain'),
      success_action_status: text('201', '200'),
      success_action_redirect: text('http://example.com/done'),
      'x-amz-meta-note': oddText,
      acl: text('private'),
    }),
    file: fc.record({ name: oddText, text: fc.string({ maxLength: 100 }) }),
    as: caller,
    signed: fc.constantFrom<FuzzRequest['signed']>('form', 'form', 'damaged'),
  })
  .map(({ bucket, query, fields, file, ...rest }) => ({
    api: 's3',
    method: 'POST',
    path: pathOf(bucket),
    query,
    headers: {},
    body: { kind: 'multipart', fields: Object.entries(fields), file },
    ...rest,
  }))

interface AdminCall {
  method: string
  path: string
  query?: Texts
  body?: fc.Arbitrary<Body>
}

const sealed = (example: unknown) =>
  likeJson(example).map((value): Body => ({ kind: 'sealed', text: JSON.stringify(value) ?? '' }))
const user = text(...USERS)
const group = text(...GROUPS)
const policy = text(...POLICIES)
const status = text('enabled', 'disabled')

const ADMIN: readonly AdminCall[] = [
  ...['accountinfo', 'info', 'storageinfo', 'datausageinfo', 'list-users', 'groups', 'list-canned-policies'].map(
    (name): AdminCall => ({ method: 'GET', path: name, query: { 'prefix-usage': yesOrNo } }),
  ),
  {
    method: 'PUT',
    path: 'add-user',
    query: { accessKey: user },
    body: sealed({ secretKey: SECRET, status: 'enabled' }),
  },
  { method: 'DELETE', path: 'remove-user', query: { accessKey: user } },
  { method: 'GET', path: 'user-info', query: { accessKey: user } },
  { method: 'PUT', path: 'set-user-status', query: { accessKey: user, status } },
  {
    method: 'PUT',
    path: 'update-group-members',
    body: json({ group: GROUPS[0], members: [...USERS], groupStatus: 'enabled', isRemove: false }),
  },
  {
    method: 'PUT',
    path: 'update-group-members',
    body: group.chain((name) => json({ group: name, members: [USERS[0]] })),
  },
  { method: 'GET', path: 'group', query: { group } },
  { method: 'PUT', path: 'set-group-status', query: { group, status } },
  { method: 'PUT', path: 'add-canned-policy', query: { name: policy }, body: json(userPolicy) },
  { method: 'PUT', path: 'add-canned-policy', query: { name: policy }, body: json(userPolicy) },
  { method: 'DELETE', path: 'remove-canned-policy', query: { name: policy } },
  { method: 'GET', path: 'info-canned-policy', query: { name: policy, v: text('2') } },
  {
    method: 'PUT',
    path: 'set-user-or-group-policy',
    query: { policyName: policy, userOrGroup: text(...USERS, ...GROUPS), isGroup: yesOrNo },
  },
  { method: 'POST', path: 'idp/builtin/policy/attach', body: sealed({ policies: [POLICIES[0]], user: USERS[0] }) },
  { method: 'POST', path: 'idp/ldap/policy/attach', body: sealed({ policies: [POLICIES[0]], user: USERS[0] }) },
  { method: 'POST', path: 'idp/ldap/policy/detach', body: sealed({ policies: [POLICIES[0]], group: GROUPS[0] }) },
  { method: 'GET', path: 'idp/ldap/policy-entities' },
  { method: 'PUT', path: 'idp/ldap/add-service-account', body: sealed({ targetUser: USERS[0], name: 'fuzzed' }) },
  { method: 'GET', path: 'idp/ldap/list-access-keys', query: { userDN: user, listType: text('all', 'users-only') } },
  { method: 'GET', path: 'idp/ldap/list-access-keys-bulk', query: { listType: text('all'), all: yesOrNo } },
  {
    method: 'GET',
    path: 'idp/openid/list-access-keys-bulk',
    query: { listType: text('all', 'users-only'), all: yesOrNo, allConfigs: yesOrNo, configName: oddText },
  },
  { method: 'GET', path: 'export-iam' },
  { method: 'POST', path: 'idp/builtin/policy/detach', body: sealed({ policies: [POLICIES[0]], group: GROUPS[0] }) },
  { method: 'GET', path: 'lifecycle-status' },
  { method: 'POST', path: 'lifecycle-confirm-clock' },
  { method: 'GET', path: 'tier' },
  { method: 'GET', path: 'tier-stats' },
  { method: 'GET', path: 'tier/COLD', query: { 'read-only': yesOrNo } },
  { method: 'DELETE', path: 'tier/COLD', query: { force: yesOrNo } },
  {
    method: 'PUT',
    path: 'tier',
    query: { force: yesOrNo },
    body: sealed({ Version: 'v1', Type: 's3', Name: 'COLD', S3: { Endpoint: 'http://127.0.0.1:1', Bucket: 'cold' } }),
  },
  { method: 'POST', path: 'tier/COLD', body: sealed({ access: 'a', secret: SECRET }) },
  { method: 'GET', path: 'get-bucket-quota', query: { bucket: bucketName } },
  {
    method: 'GET',
    path: 'list-remote-targets',
    query: { bucket: bucketName, type: text('', 'replication') },
  },
  {
    method: 'PUT',
    path: 'set-remote-target',
    query: { bucket: bucketName, update: yesOrNo, bandwidth: yesOrNo },
    body: sealed({
      endpoint: '127.0.0.1:9',
      credentials: { accessKey: 'abc', secretKey: 'abcdefgh' },
      targetbucket: 'b',
      type: 'replication',
      bandwidthlimit: 0,
    }),
  },
  { method: 'DELETE', path: 'remove-remote-target', query: { bucket: bucketName, arn: oddText } },
  { method: 'POST', path: 'replication/diff', query: { bucket: bucketName, verbose: yesOrNo, arn: oddText } },
  { method: 'GET', path: 'replication/mrf', query: { bucket: bucketName, arn: oddText } },
  { method: 'POST', path: 'replication/retry', query: { bucket: bucketName, arn: oddText } },
  {
    method: 'PUT',
    path: 'set-bucket-quota',
    query: { bucket: bucketName },
    body: json({ quota: 1e9, size: 1e9, quotatype: 'hard' }),
  },
  {
    method: 'POST',
    path: 'heal/',
    query: { clientToken: text('', 'x'), forceStart: text('', 'false') },
    body: json({ recursive: true, dryRun: false, scanMode: 2 }),
  },
  { method: 'POST', path: 'heal/fuzz-one/a/b', query: { forceStop: empty }, body: json({}) },
  { method: 'POST', path: 'heal/fuzz-one', body: json({ recursive: true, dryRun: true, scanMode: 1 }) },
  { method: 'POST', path: 'background-heal/status' },
  { method: 'GET', path: 'get-config-kv', query: { key: text('api', 'site', 'api:x', 'nonsense') } },
  {
    method: 'PUT',
    path: 'set-config-kv',
    body: text('site comment="fuzz"', 'scanner speed=fast', 'heal bitrotscan=on', 'api nonsense=1').map(
      (line): Body => ({ kind: 'sealed', text: line }),
    ),
  },
  {
    method: 'DELETE',
    path: 'del-config-kv',
    body: text('scanner', 'site comment', 'site:x').map((line): Body => ({ kind: 'sealed', text: line })),
  },
  { method: 'GET', path: 'config' },
  { method: 'GET', path: 'idp-config/openid' },
  { method: 'GET', path: 'idp-config/ldap/_' },
  {
    method: 'PUT',
    path: 'idp-config/openid/fuzz',
    body: text('client_id=a', 'enable=off\nsite name=a', '').map((line): Body => ({ kind: 'sealed', text: line })),
  },
  {
    method: 'POST',
    path: 'idp-config/ldap/_',
    body: text('sts_expiry=2h', 'x').map((line): Body => ({ kind: 'sealed', text: line })),
  },
  { method: 'DELETE', path: 'idp-config/openid/fuzz' },
  {
    method: 'PUT',
    path: 'check-config-kv',
    body: text('api requests_max=x', 'site name="a" region=b', 'x').map(
      (line): Body => ({ kind: 'sealed', text: line }),
    ),
  },
  { method: 'GET', path: 'help-config-kv', query: { subSys: text('', 'api'), key: text('', 'requests_max') } },
  { method: 'GET', path: 'list-config-history-kv', query: { count: text('1', '1000', 'x') } },
  { method: 'PUT', path: 'restore-config-history-kv', query: { restoreId: text('none', 'all') } },
  { method: 'GET', path: 'refused-events', query: { target: text('notify_nsq', 'notify_x:y', 'api') } },
  { method: 'POST', path: 'refused-events', query: { target: text('notify_nsq', 'notify_x:y', 'api') } },
  { method: 'DELETE', path: 'refused-events', query: { target: text('notify_nsq', 'notify_x:y', 'api') } },
  { method: 'POST', path: 'test-notification-target', query: { target: text('notify_nsq', 'notify_x:y', 'api') } },
  { method: 'DELETE', path: 'clear-config-history-kv', query: { restoreId: text('none', 'all') } },
  {
    method: 'POST',
    path: 'revoke-tokens/builtin',
    query: { user, tokenRevokeType: text('fuzz'), fullRevoke: yesOrNo },
  },
  // Never restarts or stops the server.
  { method: 'POST', path: 'service', query: { action: text('freeze', 'unfreeze'), 'dry-run': fc.constant('true') } },
  {
    method: 'PUT',
    path: 'add-service-account',
    body: sealed({ accessKey: 'fuzz-account', secretKey: 'a long secret' }),
  },
  {
    method: 'POST',
    path: 'profile',
    query: {
      profilerType: text('cpu', 'mem', 'cpu,mem', 'goroutines', ''),
      duration: text('100ms', '99ms', '1h', 'x'),
    },
  },
  { method: 'POST', path: 'profiling/start', query: { profilerType: text('cpu', 'mem,cpu', 'x') } },
  { method: 'GET', path: 'profiling/download' },
  {
    method: 'POST',
    path: 'speedtest/drive',
    query: { filesize: text('1048576', '1', '-1', '1e12'), blocksize: text('65536', 'x'), serial: yesOrNo },
  },
  {
    method: 'POST',
    path: 'speedtest',
    query: {
      size: text('1', '65536', '-1', '1e9', '2199023255552'),
      concurrent: text('1', '2', '129', 'x'),
      duration: text('100ms', '1h', 'x'),
    },
  },
  { method: 'GET', path: 'inspect-data', query: { volume: text('a', '..', '.'), file: text('**', '../key') } },
  { method: 'GET', path: 'no-such-call' },
]

function adminRequest({ method, path: name, query = {}, body = none }: AdminCall): fc.Arbitrary<FuzzRequest> {
  const place = fc.oneof(
    { weight: 30, arbitrary: fc.constant(`/minio/admin/v3/${name}`) },
    { weight: 1, arbitrary: oddText.map((odd) => `/minio/admin/v3/${encoded(odd)}`) },
    { weight: 1, arbitrary: oddText.map((odd) => `/minio/admin/${encoded(odd)}/${name}`) },
  )
  return fc.record({ path: place, query: fc.record(query), body, as: caller, signed: signature }).map((request) => ({
    api: 'admin',
    method,
    ...request,
    query: queryOf(Object.entries(request.query)),
    headers: name.startsWith('idp/') ? { 'content-type': 'application/octet-stream' } : {},
  }))
}

const sts: fc.Arbitrary<FuzzRequest> = fc
  .record({
    form: some({
      DurationSeconds: text('900', '3600'),
      Policy: damaged(likeJson(userPolicy).map((value) => JSON.stringify(value) ?? '')),
      TokenRevokeType: text('fuzz'),
      RoleArn: text('arn:minio:iam:::role/x'),
      LDAPUsername: text('fuzz', '*)(uid=*'),
      LDAPPassword: text('fuzz', ''),
    }),
    action: text('AssumeRole', 'AssumeRole', 'AssumeRoleWithWebIdentity', 'AssumeRoleWithLDAPIdentity'),
    version: text('2011-06-15', '2011-06-15', '2011-06-15'),
    as: caller,
    signed: signature,
  })
  .map(({ form, action, version: stsVersion, ...rest }) => ({
    api: 'sts',
    method: 'POST',
    path: '/',
    query: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: { kind: 'bytes', text: queryOf(Object.entries({ Action: action, Version: stsVersion, ...form })) },
    ...rest,
  }))

/** Malformed requests, sent as raw bytes. */
const raw: fc.Arbitrary<FuzzRequest> = damaged(
  fc.constantFrom(
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'PUT /fuzz-one/a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde',
    'PUT /fuzz-one/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b',
    `GET /?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  ),
).map((bytes) => ({
  api: 'raw',
  method: 'RAW',
  path: '/',
  query: '',
  headers: {},
  body: utf8(bytes),
  as: 'anonymous',
  signed: 'header',
}))

export const s3Requests = fc.oneof(
  { weight: 8, arbitrary: postForm },
  ...S3.map((each) => ({ weight: each.weight ?? 4, arbitrary: s3Request(each) })),
)
export const adminRequests = fc.oneof(...ADMIN.map((each) => adminRequest(each)))
export const stsRequests = sts
export const rawRequests = raw

/** All kinds of requests to the store. */
export const storeRequests = fc.oneof(
  { weight: 60, arbitrary: s3Requests },
  { weight: 30, arbitrary: adminRequests },
  { weight: 6, arbitrary: stsRequests },
  { weight: 2, arbitrary: rawRequests },
)

import fc from 'fast-check'
import {
  bucketPolicy,
  bytes,
  content,
  cors,
  date,
  deletes,
  element,
  encryption,
  etag,
  joined,
  lifecycle,
  lockConfiguration,
  notification,
  parts,
  replication,
  retention,
  several,
  tagging,
  version,
  words,
} from './documents.ts'
import { empty, type Texts } from './request-parts.ts'
import type { Body } from './requests.ts'
import { bucketName, encoded, number, objectKey, oddText, pathOf, text, yesOrNo } from './texts.ts'

/* All S3 operations of the store. */

export interface Operation {
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

const upload = text('{{uploadId}}')
const algorithm = text('CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256')

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

export const subResource = fc.constantFrom(
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

export const S3: readonly Operation[] = [
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

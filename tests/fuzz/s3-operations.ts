import fc from 'fast-check'
import type { FuzzBody } from './fuzz-request.ts'
import {
  booleanText,
  bucketName,
  fuzzText,
  numberText,
  objectKey,
  oddText,
  percentEncode,
  requestPath,
} from './random-texts.ts'
import { emptyText, type TextGenerators } from './request-parts.ts'
import {
  bucketPolicy,
  bytes,
  concatenated,
  content,
  cors,
  damagedBytes,
  date,
  deletes,
  element,
  encryption,
  etag,
  lifecycle,
  lockConfiguration,
  notification,
  parts,
  repeatedElements,
  replication,
  retention,
  tagging,
  version,
} from './xml-documents.ts'

/* All S3 operations of the store. */

export interface S3FuzzOperation {
  /** Relative frequency; default 4. */
  weight?: number
  method: string
  level: 'service' | 'bucket' | 'object'
  /** Always present. */
  query?: TextGenerators
  headers?: TextGenerators
  /** Optional. */
  optional?: TextGenerators
  optionalHeaders?: TextGenerators
  body?: fc.Arbitrary<FuzzBody>
}

const upload = fuzzText('{{uploadId}}')
const algorithm = fuzzText('CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256')

const listing: TextGenerators = {
  prefix: fuzzText('', 'a', 'a/', 'dir/'),
  delimiter: fuzzText('/', ''),
  'max-keys': numberText,
  'encoding-type': fuzzText('url'),
  metadata: booleanText,
}
const conditions: TextGenerators = {
  'if-match': etag,
  'if-none-match': etag,
  'if-modified-since': date,
  'if-unmodified-since': date,
}
const description: TextGenerators = {
  'content-type': fuzzText('text/plain', 'text/html'),
  'content-encoding': fuzzText('gzip', 'aws-chunked'),
  'content-disposition': fuzzText('attachment; filename="a.txt"'),
  'content-language': fuzzText('en'),
  'cache-control': fuzzText('no-cache'),
  expires: date,
  'x-amz-meta-note': fuzzText('a note'),
  'x-amz-meta-__proto__': fuzzText('a note'),
  'x-amz-meta-constructor': fuzzText('a note'),
  'x-amz-tagging': fuzzText('colour=red', 'colour=red&team=a'),
  'x-amz-storage-class': fuzzText('STANDARD', 'REDUCED_REDUNDANCY'),
  'x-amz-acl': fuzzText('private', 'public-read'),
  'x-amz-website-redirect-location': fuzzText('/a'),
  'x-amz-checksum-algorithm': algorithm,
  'x-amz-sdk-checksum-algorithm': algorithm,
  'x-amz-checksum-crc32': fuzzText('AAAAAA=='),
  'x-amz-checksum-sha256': fuzzText('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='),
  'content-md5': fuzzText('1B2M2Y8AsgTpgAmY7PhCfg=='),
  'x-amz-server-side-encryption': fuzzText('AES256', 'aws:kms'),
  'x-amz-server-side-encryption-aws-kms-key-id': fuzzText('stowage-default-key', 'unknown'),
  'x-amz-server-side-encryption-customer-algorithm': fuzzText('AES256'),
  'x-amz-server-side-encryption-customer-key': fuzzText('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='),
  'x-amz-server-side-encryption-customer-key-md5': fuzzText('tP/LI3N87DFaSk0aoqYgzg=='),
  'x-amz-object-lock-mode': fuzzText('GOVERNANCE', 'COMPLIANCE'),
  'x-amz-object-lock-retain-until-date': date,
  'x-amz-object-lock-legal-hold': fuzzText('ON', 'OFF'),
}
const copying: TextGenerators = {
  'x-amz-metadata-directive': fuzzText('COPY', 'REPLACE'),
  'x-amz-tagging-directive': fuzzText('COPY', 'REPLACE'),
  'x-amz-copy-source-if-match': etag,
  'x-amz-copy-source-if-modified-since': date,
}
const source = fc
  .tuple(bucketName, objectKey, fc.oneof(emptyText, version))
  .map(([bucket, key, id]) => `${requestPath(bucket, key)}${id === '' ? '' : `?versionId=${percentEncode(id)}`}`)
const reading: TextGenerators = {
  versionId: version,
  partNumber: numberText,
  'response-content-type': fuzzText('text/plain'),
  'response-content-disposition': fuzzText('attachment; filename=a'),
  'response-cache-control': fuzzText('no-cache'),
  'response-expires': date,
}
const range = { range: fuzzText('bytes=0-9', 'bytes=-5', 'bytes=5-', 'bytes=0-0,2-3'), ...conditions }

const replica: TextGenerators = {
  'x-amz-replication-status': fuzzText('REPLICA', 'PENDING'),
  'x-minio-source-replication-request': fuzzText('true'),
}
const time = fuzzText(
  '2026-10-21T07:28:00Z',
  '2026-10-21T07:28:00.123456789Z',
  '9999-12-31T23:59:59Z',
  '0001-01-01T00:00:00Z',
)
const replicaTimes: TextGenerators = {
  'x-minio-source-mtime': time,
  'x-minio-source-etag': etag,
  'x-minio-source-deletemarker': fuzzText('true'),
  'x-minio-source-replication-tagging-timestamp': time,
  'x-minio-source-replication-check': fuzzText('true'),
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

export const S3_OPERATIONS: readonly S3FuzzOperation[] = [
  {
    method: 'GET',
    level: 'service',
    optional: { prefix: fuzzText('fuzz'), 'max-buckets': numberText, 'continuation-token': oddText },
  },
  { weight: 8, method: 'PUT', level: 'bucket', optionalHeaders: { 'x-amz-bucket-object-lock-enabled': booleanText } },
  { method: 'HEAD', level: 'bucket' },
  { weight: 1, method: 'DELETE', level: 'bucket', optionalHeaders: { 'x-minio-force-delete': booleanText } },
  { method: 'GET', level: 'bucket', query: { location: emptyText } },
  { method: 'GET', level: 'bucket', query: { versioning: emptyText } },
  {
    method: 'PUT',
    level: 'bucket',
    query: { versioning: emptyText },
    body: damagedBytes(
      element(
        'VersioningConfiguration',
        concatenated(
          element('Status', content(fuzzText('Enabled', 'Suspended'))),
          repeatedElements(element('ExcludedPrefixes', element('Prefix', content(fuzzText('a', 'a/', '*b?')))), 2),
          fc.oneof(emptyText, element('ExcludeFolders', booleanText)),
        ),
      ),
    ),
  },
  { method: 'GET', level: 'bucket', query: { cors: emptyText } },
  { method: 'PUT', level: 'bucket', query: { cors: emptyText }, body: cors },
  { method: 'DELETE', level: 'bucket', query: { cors: emptyText } },
  { method: 'GET', level: 'bucket', query: { lifecycle: emptyText }, optional: { withUpdatedAt: booleanText } },
  { weight: 2, method: 'PUT', level: 'bucket', query: { lifecycle: emptyText }, body: lifecycle },
  { method: 'DELETE', level: 'bucket', query: { lifecycle: emptyText } },
  { method: 'GET', level: 'bucket', query: { notification: emptyText } },
  { method: 'GET', level: 'bucket', query: { replication: emptyText } },
  { method: 'PUT', level: 'bucket', query: { replication: emptyText }, body: replication },
  { method: 'DELETE', level: 'bucket', query: { replication: emptyText } },
  { method: 'GET', level: 'bucket', query: { 'replication-metrics': fuzzText('', '2') } },
  { method: 'GET', level: 'bucket', query: { 'replication-check': emptyText } },
  { method: 'PUT', level: 'bucket', query: { 'replication-reset': emptyText }, optional: { arn: oddText } },
  { method: 'GET', level: 'bucket', query: { 'replication-reset-status': emptyText }, optional: { arn: oddText } },
  { method: 'PUT', level: 'bucket', query: { notification: emptyText }, body: notification },
  { method: 'GET', level: 'bucket', query: { encryption: emptyText } },
  { weight: 2, method: 'PUT', level: 'bucket', query: { encryption: emptyText }, body: encryption },
  { method: 'DELETE', level: 'bucket', query: { encryption: emptyText } },
  { method: 'GET', level: 'bucket', query: { 'object-lock': emptyText } },
  { weight: 1, method: 'PUT', level: 'bucket', query: { 'object-lock': emptyText }, body: lockConfiguration },
  {
    weight: 1,
    method: 'POST',
    level: 'object',
    query: { restore: emptyText },
    optional: { versionId: version },
    body: damagedBytes(element('RestoreRequest', element('Days', numberText))),
  },
  { method: 'GET', level: 'object', query: { retention: emptyText }, optional: { versionId: version } },
  { method: 'GET', level: 'object', query: { 'legal-hold': emptyText }, optional: { versionId: version } },
  {
    method: 'PUT',
    level: 'object',
    query: { retention: emptyText },
    optional: { versionId: version },
    optionalHeaders: { 'x-amz-bypass-governance-retention': booleanText },
    body: retention,
  },
  {
    method: 'PUT',
    level: 'object',
    query: { 'legal-hold': emptyText },
    optional: { versionId: version },
    body: damagedBytes(element('LegalHold', element('Status', content(fuzzText('ON', 'OFF'))))),
  },
  { method: 'GET', level: 'bucket', query: { tagging: emptyText } },
  { method: 'PUT', level: 'bucket', query: { tagging: emptyText }, body: tagging },
  { method: 'DELETE', level: 'bucket', query: { tagging: emptyText } },
  { method: 'GET', level: 'bucket', query: { policy: emptyText } },
  { method: 'PUT', level: 'bucket', query: { policy: emptyText }, body: bucketPolicy },
  { method: 'DELETE', level: 'bucket', query: { policy: emptyText } },
  { method: 'GET', level: 'bucket', query: { policyStatus: emptyText } },
  { method: 'GET', level: 'bucket', query: { acl: emptyText } },
  {
    method: 'PUT',
    level: 'bucket',
    query: { acl: emptyText },
    optionalHeaders: { 'x-amz-acl': fuzzText('private') },
    body: bytes,
  },
  { method: 'GET', level: 'bucket', optional: { ...listing, marker: objectKey } },
  {
    method: 'GET',
    level: 'bucket',
    query: { 'list-type': fc.constant('2') },
    optional: {
      ...listing,
      'continuation-token': fuzzText('{{token}}'),
      'start-after': objectKey,
      'fetch-owner': booleanText,
    },
  },
  {
    method: 'GET',
    level: 'bucket',
    query: { versions: emptyText },
    optional: { ...listing, 'key-marker': objectKey, 'version-id-marker': version },
  },
  {
    method: 'GET',
    level: 'bucket',
    query: { uploads: emptyText },
    optional: { ...listing, 'key-marker': objectKey, 'upload-id-marker': upload, 'max-uploads': numberText },
  },
  { method: 'POST', level: 'bucket', query: { delete: emptyText }, body: deletes },
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
      'x-amz-copy-source': fuzzText('/fuzz-one/a', 'fuzz-two/a%2Fb').chain((one) => fc.oneof(fc.constant(one), source)),
    },
    optionalHeaders: { ...description, ...copying },
  },
  { weight: 12, method: 'GET', level: 'object', optional: reading, optionalHeaders: range },
  { method: 'HEAD', level: 'object', optional: reading, optionalHeaders: range },
  {
    method: 'DELETE',
    level: 'object',
    optional: { versionId: version },
    optionalHeaders: { 'x-minio-force-delete': booleanText, 'if-match': etag },
  },
  {
    method: 'GET',
    level: 'object',
    query: { attributes: emptyText },
    optional: { versionId: version },
    optionalHeaders: {
      'x-amz-object-attributes': fuzzText('ETag,ObjectSize', 'Checksum,ObjectParts'),
      'x-amz-max-parts': numberText,
    },
  },
  { method: 'GET', level: 'object', query: { tagging: emptyText }, optional: { versionId: version } },
  { method: 'PUT', level: 'object', query: { tagging: emptyText }, optional: { versionId: version }, body: tagging },
  { method: 'DELETE', level: 'object', query: { tagging: emptyText }, optional: { versionId: version } },
  { method: 'GET', level: 'object', query: { acl: emptyText } },
  { weight: 8, method: 'POST', level: 'object', query: { uploads: emptyText }, optionalHeaders: description },
  {
    method: 'PUT',
    level: 'object',
    query: { partNumber: numberText, uploadId: upload },
    optionalHeaders: description,
    body: bytes,
  },
  {
    method: 'PUT',
    level: 'object',
    query: { partNumber: numberText, uploadId: upload },
    headers: { 'x-amz-copy-source': source },
    optionalHeaders: { 'x-amz-copy-source-range': fuzzText('bytes=0-3') },
  },
  {
    method: 'GET',
    level: 'object',
    query: { uploadId: upload },
    optional: { 'part-number-marker': numberText, 'max-parts': numberText },
  },
  { method: 'POST', level: 'object', query: { uploadId: upload }, optionalHeaders: conditions, body: parts },
  { method: 'DELETE', level: 'object', query: { uploadId: upload } },
]

import fc from 'fast-check'
import { type FuzzBody, utf8 } from './fuzz-request.ts'
import { BUCKETS, fuzzText, jsonLike, maybeDamaged, numberText, objectKey, oddText } from './random-texts.ts'
import { emptyBody, emptyText } from './request-parts.ts'

/* Bodies of requests to the store. */

export const version = fuzzText('{{versionId}}', 'null')
export const etag = fuzzText('{{etag}}', '"{{etag}}"', '*', 'd41d8cd98f00b204e9800998ecf8427e')
export const date = fuzzText('Wed, 21 Oct 2026 07:28:00 GMT', '2026-10-21T07:28:00Z', '20261021T072800Z')

export const bytes = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 200 }).map(utf8) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<FuzzBody>({ kind: 'filler', length: 16_385 }, { kind: 'filler', length: 70_000 }),
  },
  { weight: 1, arbitrary: emptyBody },
)
export const damagedBytes = (whole: fc.Arbitrary<string>) => maybeDamaged(whole).map(utf8)
export const json = (example: unknown) => damagedBytes(jsonLike(example).map((value) => JSON.stringify(value) ?? ''))

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
export const element = (name: string, value: fc.Arbitrary<string>) =>
  value.map((inner) => `<${name}>${inner}</${name}>`)
export const concatenated = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''))
export const repeatedElements = (part: fc.Arbitrary<string>, maxLength = 5) =>
  fc.array(part, { maxLength }).map((all) => all.join(''))
export const content = (value: fc.Arbitrary<string>) => value.map(escaped)

export const tagging = damagedBytes(
  element(
    'Tagging',
    element(
      'TagSet',
      repeatedElements(
        element(
          'Tag',
          concatenated(element('Key', content(fuzzText('colour', 'team'))), element('Value', content(fuzzText('red')))),
        ),
      ),
    ),
  ),
)
export const cors = damagedBytes(
  element(
    'CORSConfiguration',
    repeatedElements(
      element(
        'CORSRule',
        concatenated(
          element('AllowedOrigin', content(fuzzText('*', 'https://*.example'))),
          element('AllowedMethod', content(fuzzText('GET', 'PUT'))),
          repeatedElements(element('AllowedHeader', content(fuzzText('*', 'x-amz-*'))), 2),
          repeatedElements(element('MaxAgeSeconds', numberText), 1),
        ),
      ),
      2,
    ),
  ),
)
export const replication = damagedBytes(
  fc.constant(
    '<ReplicationConfiguration><Role/><Rule><ID>a</ID><Status>Enabled</Status><Priority>1</Priority><DeleteMarkerReplication>' +
      '<Status>Enabled</Status></DeleteMarkerReplication><Destination><Bucket>arn:minio:replication::11111111-1111-4111-8111-111111111111:b' +
      '</Bucket></Destination><Filter><And><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And></Filter></Rule></ReplicationConfiguration>',
  ),
)
export const notification = damagedBytes(
  element(
    'NotificationConfiguration',
    repeatedElements(
      element(
        'QueueConfiguration',
        concatenated(
          element('Queue', content(fuzzText('arn:minio:sqs::_:webhook', ''))),
          repeatedElements(element('Event', content(fuzzText('s3:ObjectCreated:*', 's3:ObjectAccessed:Get'))), 3),
        ),
      ),
      2,
    ),
  ),
)
export const encryption = damagedBytes(
  element(
    'ServerSideEncryptionConfiguration',
    element(
      'Rule',
      element(
        'ApplyServerSideEncryptionByDefault',
        concatenated(
          element('SSEAlgorithm', content(fuzzText('AES256', 'aws:kms'))),
          repeatedElements(element('KMSMasterKeyID', content(fuzzText('unknown', 'stowage-default-key'))), 1),
        ),
      ),
    ),
  ),
)
/** Nothing may become due before the run ends, because acknowledged objects must remain. */
export const lifecycle = damagedBytes(
  element(
    'LifecycleConfiguration',
    repeatedElements(
      element(
        'Rule',
        concatenated(
          repeatedElements(element('ID', oddText), 1),
          element('Status', content(fuzzText('Enabled', 'Disabled'))),
          element('Filter', repeatedElements(element('Prefix', content(fuzzText('a', 'a/', ''))), 1)),
          fc.oneof(
            element('Expiration', element('Days', content(fuzzText('1', '30', '0', '-1')))),
            element('Expiration', element('Date', content(fuzzText('2099-01-01T00:00:00Z', '2099-02-31T00:00:00Z')))),
            element('NoncurrentVersionExpiration', element('NoncurrentDays', content(fuzzText('3', 'x')))),
            element(
              'Transition',
              concatenated(element('Days', content(fuzzText('30'))), element('StorageClass', oddText)),
            ),
          ),
        ),
      ),
      3,
    ),
  ),
)
const lockMode = element('Mode', content(fuzzText('GOVERNANCE', 'COMPLIANCE')))
export const lockConfiguration = damagedBytes(
  element(
    'ObjectLockConfiguration',
    concatenated(
      fc.constant('<ObjectLockEnabled>Enabled</ObjectLockEnabled>'),
      fc.oneof(
        emptyText,
        element(
          'Rule',
          element(
            'DefaultRetention',
            concatenated(lockMode, element('Days', numberText), repeatedElements(element('Years', numberText), 1)),
          ),
        ),
      ),
    ),
  ),
)
export const retention = damagedBytes(
  element('Retention', concatenated(lockMode, element('RetainUntilDate', content(date)))),
)
export const deletes = damagedBytes(
  element(
    'Delete',
    concatenated(
      fc.constantFrom('', '<Quiet>true</Quiet>'),
      repeatedElements(
        element(
          'Object',
          concatenated(element('Key', content(objectKey)), fc.oneof(emptyText, element('VersionId', content(version)))),
        ),
      ),
    ),
  ),
)
export const parts = damagedBytes(
  element(
    'CompleteMultipartUpload',
    repeatedElements(element('Part', concatenated(element('PartNumber', numberText), element('ETag', content(etag))))),
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
export const bucketPolicy = json({ Version: '2012-10-17', Statement: [statement] })
export const userPolicy = { Version: '2012-10-17', Statement: [ownStatement, { Effect: 'Deny', Action: ['admin:*'] }] }

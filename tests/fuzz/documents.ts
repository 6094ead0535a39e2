import fc from 'fast-check'
import { empty, none } from './request-parts.ts'
import { type Body, utf8 } from './requests.ts'
import { BUCKETS, damaged, likeJson, number, objectKey, oddText, text } from './texts.ts'

/* Bodies of requests to the store. */

export const version = text('{{versionId}}', 'null')
export const etag = text('{{etag}}', '"{{etag}}"', '*', 'd41d8cd98f00b204e9800998ecf8427e')
export const date = text('Wed, 21 Oct 2026 07:28:00 GMT', '2026-10-21T07:28:00Z', '20261021T072800Z')

export const bytes = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 200 }).map(utf8) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Body>({ kind: 'filler', length: 16_385 }, { kind: 'filler', length: 70_000 }),
  },
  { weight: 1, arbitrary: none },
)
export const words = (whole: fc.Arbitrary<string>) => damaged(whole).map(utf8)
export const json = (example: unknown) => words(likeJson(example).map((value) => JSON.stringify(value) ?? ''))

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
export const element = (name: string, value: fc.Arbitrary<string>) =>
  value.map((inner) => `<${name}>${inner}</${name}>`)
export const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''))
export const several = (part: fc.Arbitrary<string>, maxLength = 5) =>
  fc.array(part, { maxLength }).map((all) => all.join(''))
export const content = (value: fc.Arbitrary<string>) => value.map(escaped)

export const tagging = words(
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
export const cors = words(
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
export const replication = words(
  fc.constant(
    '<ReplicationConfiguration><Role/><Rule><ID>a</ID><Status>Enabled</Status><Priority>1</Priority><DeleteMarkerReplication>' +
      '<Status>Enabled</Status></DeleteMarkerReplication><Destination><Bucket>arn:minio:replication::11111111-1111-4111-8111-111111111111:b' +
      '</Bucket></Destination><Filter><And><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And></Filter></Rule></ReplicationConfiguration>',
  ),
)
export const notification = words(
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
export const encryption = words(
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
export const lifecycle = words(
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
export const lockConfiguration = words(
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
export const retention = words(element('Retention', joined(lockMode, element('RetainUntilDate', content(date)))))
export const deletes = words(
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
export const parts = words(
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
export const bucketPolicy = json({ Version: '2012-10-17', Statement: [statement] })
export const userPolicy = { Version: '2012-10-17', Statement: [ownStatement, { Effect: 'Deny', Action: ['admin:*'] }] }

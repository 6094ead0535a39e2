import { describe, expect, test } from 'vitest'
import { type BucketSettingName, bucketSettingCodecs } from './bucket-settings.ts'
import { effectiveVersioning } from './versioning-codec.ts'

const lockRule = (retention: string) =>
  '<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled>' +
  `<Rule><DefaultRetention>${retention}</DefaultRetention></Rule></ObjectLockConfiguration>`

const sseRule = (content: string) =>
  `<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault>${content}` +
  '</ApplyServerSideEncryptionByDefault></Rule></ServerSideEncryptionConfiguration>'

const queue = (events: string, filter = '') =>
  '<NotificationConfiguration><QueueConfiguration><Queue>arn:minio:sqs::a:webhook</Queue>' +
  `${events}<Filter><S3Key>${filter}</S3Key></Filter></QueueConfiguration></NotificationConfiguration>`

const rules = (...contents: string[]) =>
  `<LifecycleConfiguration>${contents.map((content) => `<Rule>${content}</Rule>`).join('')}</LifecycleConfiguration>`
const lifecycleRule = (content: string, id = 'a') =>
  `<ID>${id}</ID><Status>Enabled</Status>${content.includes('<Filter>') ? '' : '<Filter/>'}${content}`
const expireIn = (days: number | string) => `<Expiration><Days>${days}</Days></Expiration>`
const onDate = (date: string) => rules(lifecycleRule(`<Expiration><Date>${date}</Date></Expiration>`))

const REPLICATION_ARN = 'arn:minio:replication::11111111-1111-4111-8111-111111111111:b'
const replication = (filter: string, markers = 'Enabled', bucket = REPLICATION_ARN) =>
  `<ReplicationConfiguration><Rule><ID>r</ID><Status>Enabled</Status><Priority>1</Priority><DeleteMarkerReplication><Status>${markers}` +
  `</Status></DeleteMarkerReplication><Destination><Bucket>${bucket}</Bucket></Destination><Filter>${filter}</Filter></Rule></ReplicationConfiguration>`

const corsRule = (content: string) => `<CORSConfiguration><CORSRule>${content}</CORSRule></CORSConfiguration>`

/** Documents as callers send them, and those that are refused with their code. */
const cases: { [Name in BucketSettingName]: { good: string[]; bad: [document: string, code: string][] } } = {
  cors: {
    good: [
      corsRule('<AllowedOrigin>https://*.example</AllowedOrigin><AllowedMethod>GET</AllowedMethod>'),
      corsRule(
        '<ID>a</ID><AllowedOrigin>*</AllowedOrigin><AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader><MaxAgeSeconds>5</MaxAgeSeconds>',
      ),
    ],
    bad: [
      ['<CORSConfiguration/>', 'MalformedXML'],
      [corsRule('<AllowedOrigin>*</AllowedOrigin>'), 'MalformedXML'],
      [corsRule('<AllowedOrigin>*</AllowedOrigin><AllowedMethod>OPTIONS</AllowedMethod>'), 'InvalidRequest'],
      [corsRule('<AllowedOrigin>*.*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>'), 'InvalidRequest'],
      [corsRule('<AllowedOrigin>a b</AllowedOrigin><AllowedMethod>GET</AllowedMethod>'), 'InvalidRequest'],
      [
        corsRule(
          '<AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><ExposeHeader>a&#13;&#10;b: c</ExposeHeader>',
        ),
        'InvalidRequest',
      ],
      [
        corsRule('<AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><MaxAgeSeconds>-1</MaxAgeSeconds>'),
        'MalformedXML',
      ],
    ],
  },
  encryption: {
    good: [
      sseRule('<SSEAlgorithm>AES256</SSEAlgorithm>'),
      sseRule('<SSEAlgorithm>aws:kms</SSEAlgorithm>'),
      sseRule('<SSEAlgorithm>aws:kms</SSEAlgorithm><KMSMasterKeyID>arn:aws:kms:a-key</KMSMasterKeyID>'),
    ],
    bad: [
      ['<ServerSideEncryptionConfiguration/>', 'MalformedXML'],
      [sseRule(''), 'MalformedXML'],
      [sseRule('<SSEAlgorithm>DES</SSEAlgorithm>'), 'MalformedXML'],
      [sseRule('<SSEAlgorithm>AES256</SSEAlgorithm><KMSMasterKeyID>k</KMSMasterKeyID>'), 'MalformedXML'],
    ],
  },
  lifecycle: {
    good: [
      rules(`<Prefix>old/</Prefix><Status>Disabled</Status>${expireIn(1)}`),
      rules(lifecycleRule(`<Filter><Prefix>a&amp;b/</Prefix></Filter>${expireIn(7)}`)),
      rules(lifecycleRule(`<Filter><Tag><Key>k</Key><Value>v</Value></Tag></Filter>${expireIn(7)}`)),
      rules(
        lifecycleRule(
          '<Filter><And><Prefix>a</Prefix><Tag><Key>k</Key><Value>v</Value></Tag><Tag><Key>l</Key><Value></Value></Tag>' +
            '<ObjectSizeGreaterThan>5</ObjectSizeGreaterThan><ObjectSizeLessThan>500</ObjectSizeLessThan></And></Filter>' +
            '<Expiration><Days>9</Days><ExpiredObjectAllVersions>true</ExpiredObjectAllVersions></Expiration>' +
            '<NoncurrentVersionExpiration><NoncurrentDays>3</NoncurrentDays><NewerNoncurrentVersions>2</NewerNoncurrentVersions>' +
            '</NoncurrentVersionExpiration><Transition><Days>0</Days><StorageClass>COLD</StorageClass></Transition>' +
            '<NoncurrentVersionTransition><NoncurrentDays>1</NoncurrentDays><StorageClass>COLD</StorageClass></NoncurrentVersionTransition>',
        ),
        lifecycleRule(
          '<AbortIncompleteMultipartUpload><DaysAfterInitiation>3</DaysAfterInitiation></AbortIncompleteMultipartUpload>',
          'b',
        ),
        lifecycleRule('<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>', 'c'),
        lifecycleRule('<DelMarkerExpiration><Days>2</Days></DelMarkerExpiration>', 'd'),
      ),
      onDate('2030-02-28T00:00:00Z'),
      // mc leaves out zero days.
      rules(lifecycleRule('<Transition><StorageClass>COLD</StorageClass></Transition>')),
      rules(...Array.from({ length: 1000 }, (_, n) => lifecycleRule(expireIn(1), String(n)))),
    ],
    bad: [
      [rules(), 'MalformedXML'],
      [rules(...Array.from({ length: 1001 }, (_, n) => lifecycleRule(expireIn(1), String(n)))), 'InvalidArgument'],
      [rules(lifecycleRule(expireIn(1)), lifecycleRule(expireIn(2))), 'InvalidArgument'],
      [rules(lifecycleRule(expireIn(1), 'x'.repeat(256))), 'InvalidArgument'],
      [rules(lifecycleRule('')), 'MalformedXML'],
      [rules(`<Status>enabled</Status><Filter/>${expireIn(1)}`), 'MalformedXML'],
      [rules(lifecycleRule(expireIn(0))), 'InvalidArgument'],
      [rules(lifecycleRule(expireIn(-1))), 'InvalidArgument'],
      [rules(lifecycleRule(expireIn('many'))), 'MalformedXML'],
      [rules(lifecycleRule(`${expireIn(1)}<Surprise/>`)), 'MalformedXML'],
      [rules(lifecycleRule(`<Filter><Owner>me</Owner></Filter>${expireIn(1)}`)), 'MalformedXML'],
      [rules(lifecycleRule('<Transition><Days>1</Days></Transition>')), 'MalformedXML'],
      [
        rules(lifecycleRule(`<Transition><Days>5</Days><StorageClass>COLD</StorageClass></Transition>${expireIn(5)}`)),
        'InvalidArgument',
      ],
      [
        rules(lifecycleRule('<Expiration><Days>1</Days><Date>2030-01-01T00:00:00Z</Date></Expiration>')),
        'MalformedXML',
      ],
      [onDate('2030-02-31T00:00:00Z'), 'MalformedXML'],
      [onDate('2030-02-28T23:59:59Z'), 'InvalidArgument'],
      [onDate('tomorrow'), 'MalformedXML'],
    ],
  },
  notification: {
    good: [
      '<NotificationConfiguration/>',
      queue('<Event>s3:ObjectCreated:*</Event><Event>s3:ObjectRemoved:Delete</Event>'),
      queue(
        '<Event>s3:ObjectAccessed:Get</Event>',
        '<FilterRule><Name>Prefix</Name><Value>a&amp;b/</Value></FilterRule>',
      ),
    ],
    bad: [
      [queue(''), 'MalformedXML'],
      ['<NotificationConfiguration><QueueConfiguration/></NotificationConfiguration>', 'MalformedXML'],
      ['<NotificationConfiguration><TopicConfiguration/></NotificationConfiguration>', 'UnsupportedNotification'],
      [queue('<Event>s3:ObjectCreated:Sometimes</Event>'), 'InvalidArgument'],
      [queue('<Event>s3:*</Event>'), 'InvalidArgument'],
      [queue('<Event>constructor</Event>'), 'InvalidArgument'],
      [queue('<Event>s3:ObjectCreated:*</Event><Event>s3:ObjectCreated:*</Event>'), 'InvalidArgument'],
      ...[
        '<FilterRule><Name>infix</Name><Value>a</Value></FilterRule>',
        '<FilterRule><Name>prefix</Name></FilterRule><FilterRule><Name>Prefix</Name></FilterRule>',
        `<FilterRule><Name>prefix</Name><Value>${'a'.repeat(1025)}</Value></FilterRule>`,
      ].map((filter): [string, string] => [queue('<Event>s3:ObjectCreated:*</Event>', filter), 'InvalidArgument']),
      [
        `<NotificationConfiguration>${queue('<Event>s3:ObjectCreated:*</Event>').slice(27, -28).repeat(101)}</NotificationConfiguration>`,
        'InvalidArgument',
      ],
    ],
  },
  'object-lock': {
    good: [
      '<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>',
      lockRule('<Mode>GOVERNANCE</Mode><Days>36500</Days>'),
      lockRule('<Mode>COMPLIANCE</Mode><Years>100</Years>'),
    ],
    bad: [
      ['<ObjectLockConfiguration/>', 'MalformedXML'],
      [lockRule(''), 'InvalidArgument'],
      [lockRule('<Mode>governance</Mode><Days>1</Days>'), 'InvalidArgument'],
      [lockRule('<Mode>GOVERNANCE</Mode>'), 'InvalidArgument'],
      [lockRule('<Mode>GOVERNANCE</Mode><Days>1</Days><Years>1</Years>'), 'InvalidArgument'],
      ...['0', '-1', '1.5', '1e2', '36501', ''].map((days): [string, string] => [
        lockRule(`<Mode>GOVERNANCE</Mode><Days>${days}</Days>`),
        'InvalidArgument',
      ]),
      [lockRule('<Mode>GOVERNANCE</Mode><Years>101</Years>'), 'InvalidArgument'],
    ],
  },
  replication: {
    good: [
      replication(''),
      replication('<Prefix>a&amp;b/</Prefix>'),
      replication('<Tag><Key>k</Key><Value>v</Value></Tag>', 'Disabled'),
      replication('<And><Prefix>p</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And>', 'Disabled'),
    ],
    bad: [
      ['<ReplicationConfiguration/>', 'MalformedXML'],
      [replication('<Tag><Key>k</Key><Value>v</Value></Tag>'), 'MalformedXML'],
      [replication('', 'enabled'), 'MalformedXML'],
      [replication('', 'Enabled', 'arn:aws:s3:::bucket'), 'MalformedXML'],
      [replication(`<Prefix>${'a'.repeat(1025)}</Prefix>`), 'MalformedXML'],
      [
        `<ReplicationConfiguration>${replication('').slice(26, -27).repeat(2)}</ReplicationConfiguration>`,
        'MalformedXML',
      ],
    ],
  },
  versioning: {
    good: [
      '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>',
      '<VersioningConfiguration><Status>Enabled</Status><ExcludedPrefixes><Prefix>a&amp;b/</Prefix></ExcludedPrefixes>' +
        '<ExcludedPrefixes><Prefix>*/tmp/</Prefix></ExcludedPrefixes><ExcludeFolders>true</ExcludeFolders></VersioningConfiguration>',
      'Suspended',
    ],
    bad: [
      ['<VersioningConfiguration/>', 'IllegalVersioningConfigurationException'],
      [
        `<VersioningConfiguration><Status>Enabled</Status>${'<ExcludedPrefixes><Prefix>a</Prefix></ExcludedPrefixes>'.repeat(11)}</VersioningConfiguration>`,
        'IllegalVersioningConfigurationException',
      ],
      [
        '<VersioningConfiguration><Status>Enabled</Status><ExcludedPrefixes/></VersioningConfiguration>',
        'IllegalVersioningConfigurationException',
      ],
      [
        '<VersioningConfiguration><Status>Suspended</Status><ExcludeFolders>true</ExcludeFolders></VersioningConfiguration>',
        'IllegalVersioningConfigurationException',
      ],
      ['<Versioning><Status>Enabled</Status></Versioning>', 'MalformedXML'],
    ],
  },
  quota: {
    good: ['{"quota":5}', '{"size":7,"quotatype":"hard"}', '{"quota":0,"size":0,"rate":1,"requests":2}'],
    bad: [
      ['{"size":-1}', 'XMinioMalformedJSON'],
      ['{"size":1.5}', 'XMinioMalformedJSON'],
      ['5', 'XMinioMalformedJSON'],
      ['{"size":5,"quotatype":"fifo"}', 'XMinioAdminInvalidArgument'],
    ],
  },
  tagging: {
    good: [
      '<Tagging><TagSet><Tag><Key>a</Key><Value>1</Value></Tag></TagSet></Tagging>',
      '<Tagging><TagSet/></Tagging>',
    ],
    bad: [
      ['<Tagging/>', 'MalformedXML'],
      ['<Tagging><TagSet><Tag><Key></Key></Tag></TagSet></Tagging>', 'InvalidTag'],
    ],
  },
  policy: {
    good: ['{"Version":"2012-10-17","Statement":[]}'],
    bad: [],
  },
}

describe.each(Object.entries(cases))('%s', (name, { good, bad }) => {
  const codec = bucketSettingCodecs[name as BucketSettingName]
  test('what is written is read again as it was', () => {
    for (const document of good) {
      // The value is the codec's own; a union of codecs has no parameter that all of them take.
      const write = codec.write as (value: unknown) => string
      const written = write(codec.read(document))
      expect(write(codec.read(written))).toBe(written)
    }
  })
  test.each(bad)('%s is refused', (document, code) => {
    expect(() => codec.read(document)).toThrow(expect.objectContaining({ code }))
  })
})

test('an excluded key keeps no versions: by a prefix with wildcards, or as a folder', () => {
  const versioning = {
    status: 'Enabled',
    excludedPrefixes: ['tmp/', '*/_temporary/', 'a?c/'],
    excludeFolders: true,
  } as const
  const excluded = ['tmp/', 'tmp/x', 'x/_temporary/y', 'x/y/_temporary/z', 'abc/d', 'folder/']
  for (const key of excluded) expect([key, effectiveVersioning(versioning, key)]).toEqual([key, 'Suspended'])
  for (const key of ['tmp', 'x/tmp/y', '_temporary/x', 'ac/d', 'folder/x', 'TMP/x']) {
    expect([key, effectiveVersioning(versioning, key)]).toEqual([key, 'Enabled'])
  }
  expect(effectiveVersioning({ ...versioning, status: 'Suspended' }, 'x')).toBe('Suspended')
  expect(effectiveVersioning(undefined, 'x')).toBeUndefined()
})

test('the time for a prefix of many wildcards grows with its length only', () => {
  const versioning = { status: 'Enabled', excludedPrefixes: [`${'*a'.repeat(500)}b`], excludeFolders: false } as const
  const startedAt = performance.now()
  expect(effectiveVersioning(versioning, 'a'.repeat(1024))).toBe('Enabled')
  expect(performance.now() - startedAt).toBeLessThan(500)
})

test.each(['<Tag><Key>k</Key><Value>v</Value></Tag>', '<And><Tag><Key>k</Key><Value>v</Value></Tag></And>'])(
  'the filter %s of a lifecycle rule keeps its form, which mc edits',
  (filter) => {
    const document = rules(lifecycleRule(`<Filter>${filter}</Filter>${expireIn(1)}`))
    expect(bucketSettingCodecs.lifecycle.write(bucketSettingCodecs.lifecycle.read(document))).toContain(
      `<Filter>${filter}</Filter>`,
    )
  },
)

import {
  DeleteObjectCommand,
  GetBucketLocationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import {
  type AccessRequest,
  compilePolicy,
  conditionValues,
  type Dialect,
  evaluate,
  policyFromJson,
} from '@stowage/iam-policy'
import { assumeRole } from '@stowage/madmin'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

/*
 * The verdicts of the evaluator are those of the connected server: each policy is given to a user, who then sends each request.
 * In front of MinIO (STOWAGE_TEST_SERVER) the evaluator follows MinIO's rules.
 */

let c: TestTarget
let dialect: Dialect
let bucket: string
let other: string
beforeAll(async () => {
  c = await sharedConsole()
  const { capabilities } = await c.call('getSession', {})
  dialect = capabilities.includes('aws-policies') ? 'stowage' : 'minio-2025'
  ;[bucket, other] = [await c.newBucket('verdict'), await c.newBucket('verdict')]
  for (const Bucket of [bucket, other]) {
    for (const Key of ['bob/a', 'eve/a', 'logs']) await c.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))
  }
})

interface Attempt extends Pick<AccessRequest, 'action' | 'object'> {
  conditions?: Record<string, string[]>
  send: (s3: S3Client, Bucket: string) => Promise<unknown>
}

const listing = (Prefix: string, Delimiter?: string): Attempt => ({
  action: 's3:ListBucket',
  conditions: { 's3:prefix': [Prefix], ...(Delimiter ? { 's3:delimiter': [Delimiter] } : {}) },
  send: (s3, Bucket) => s3.send(new ListObjectsV2Command({ Bucket, Prefix, Delimiter })),
})
const reading = (Key: string): Attempt => ({
  action: 's3:GetObject',
  object: Key,
  send: async (s3, Bucket) => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }))
    await Body?.transformToByteArray()
  },
})
const writing = (Key: string): Attempt => ({
  action: 's3:PutObject',
  object: Key,
  send: (s3, Bucket) => s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' })),
})

const ATTEMPTS: Attempt[] = [
  listing('bob/'),
  listing('bob/', '/'),
  listing('eve/'),
  reading('bob/a'),
  reading('eve/a'),
  reading('logs'),
  writing('bob/new'),
  writing('eve/new'),
  {
    action: 's3:DeleteObject',
    object: 'eve/gone',
    send: (s3, Bucket) => s3.send(new DeleteObjectCommand({ Bucket, Key: 'eve/gone' })),
  },
  {
    action: 's3:GetObjectTagging',
    object: 'bob/a',
    send: (s3, Bucket) => s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'bob/a' })),
  },
  {
    action: 's3:PutObjectTagging',
    object: 'logs',
    conditions: { 's3:RequestObjectTag/kind': ['log'], 's3:RequestObjectTagKeys': ['kind'] },
    send: (s3, Bucket) =>
      s3.send(
        new PutObjectTaggingCommand({ Bucket, Key: 'logs', Tagging: { TagSet: [{ Key: 'kind', Value: 'log' }] } }),
      ),
  },
  { action: 's3:GetBucketLocation', send: (s3, Bucket) => s3.send(new GetBucketLocationCommand({ Bucket })) },
  { action: 's3:GetBucketVersioning', send: (s3, Bucket) => s3.send(new GetBucketVersioningCommand({ Bucket })) },
  {
    action: 's3:ListBucketVersions',
    conditions: { 's3:prefix': ['bob/'] },
    send: (s3, Bucket) => s3.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'bob/' })),
  },
]

type Statements = (arn: string) => object[]
const allow = (Action: string | string[], Resource: string | string[], more: object = {}) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...more,
})
const deny = (Action: string | string[], Resource: string | string[], more: object = {}) => ({
  ...allow(Action, Resource, more),
  Effect: 'Deny',
})

const POLICIES: [string, Statements][] = [
  ['one action on objects', (arn) => [allow('s3:GetObject', `${arn}/*`)]],
  ['all actions on objects, none on the bucket', (arn) => [allow('s3:*', `${arn}/*`)]],
  ['all actions on the bucket, none on objects', (arn) => [allow('s3:*', arn)]],
  ['a prefix of objects', (arn) => [allow('s3:*', `${arn}/bob/*`)]],
  ['a wildcard in the action', (arn) => [allow('s3:Get*', [arn, `${arn}/*`])]],
  ['one letter as a wildcard', (arn) => [allow('s3:*', `${arn}/???/a`)]],
  ['any bucket', () => [allow(['s3:GetObject', 's3:ListBucket'], 'arn:aws:s3:::*')]],
  ['a wildcard in the name of the bucket', (arn) => [allow('s3:*', [`${arn.slice(0, -2)}*`])]],
  ['the variable of the user’s name', (arn) => [allow('s3:GetObject', `${arn}/\${aws:username}/*`)]],
  ['a denied action', (arn) => [allow('s3:*', [arn, `${arn}/*`]), deny('s3:DeleteObject', `${arn}/*`)]],
  ['a denied prefix', (arn) => [allow('s3:*', [arn, `${arn}/*`]), deny('s3:*', `${arn}/eve/*`)]],
  ['a denied listing', (arn) => [allow('s3:*', [arn, `${arn}/*`]), deny('s3:ListBucket', arn)]],
  ['denied versions', (arn) => [allow('s3:*', [arn, `${arn}/*`]), deny('s3:ListBucketVersions', arn)]],
  [
    'a listing by prefix',
    (arn) => [allow('s3:ListBucket', arn, { Condition: { StringLike: { 's3:prefix': 'bob/*' } } })],
  ],
  [
    'a listing by prefix and delimiter',
    (arn) => [
      allow('s3:ListBucket', arn, {
        Condition: { StringEquals: { 's3:prefix': ['bob/', 'eve/'], 's3:delimiter': '/' } },
      }),
    ],
  ],
  [
    'a denied prefix of a listing',
    (arn) => [
      allow('s3:ListBucket', arn),
      deny('s3:ListBucket', arn, { Condition: { StringNotEquals: { 's3:prefix': 'bob/' } } }),
    ],
  ],
  [
    'the address of the caller',
    (arn) => [
      allow('s3:GetObject', `${arn}/*`, { Condition: { IpAddress: { 'aws:SourceIp': ['127.0.0.0/8', '::1/128'] } } }),
    ],
  ],
  [
    'another address',
    (arn) => [allow('s3:GetObject', `${arn}/*`, { Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } })],
  ],
  [
    'plain HTTP',
    (arn) => [allow('s3:GetObject', `${arn}/*`, { Condition: { Bool: { 'aws:SecureTransport': 'false' } } })],
  ],
  ['TLS', (arn) => [allow('s3:GetObject', `${arn}/*`, { Condition: { Bool: { 'aws:SecureTransport': 'true' } } })]],
]

// MinIO cannot list its policies any more once one of them has NotAction.
const POLICIES_OF_OURS: [string, Statements][] = [
  [
    'NotAction',
    (arn) => [{ Effect: 'Allow', NotAction: ['s3:DeleteObject', 's3:PutObject'], Resource: [arn, `${arn}/*`] }],
  ],
  ['NotResource', (arn) => [{ Effect: 'Allow', Action: ['s3:GetObject'], NotResource: [`${arn}/eve/*`] }]],
]

const s3Client = (credentials: { accessKey: string; secretKey: string; sessionToken?: string }) =>
  new S3Client({
    endpoint: c.serverUrl,
    region: 'us-east-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: {
      accessKeyId: credentials.accessKey,
      secretAccessKey: credentials.secretKey,
      ...(credentials.sessionToken ? { sessionToken: credentials.sessionToken } : {}),
    },
  })

const document = (statements: object[]) => ({ Version: '2012-10-17', Statement: statements })

/** What the server decides about each attempt on both buckets, beside what the evaluator does. */
async function decisions(s3: S3Client, principal: string, policy: object, session?: object) {
  const compiled = (text: object) => compilePolicy(policyFromJson(text), { name: 'policy', dialect })
  const access = { policies: [compiled(policy)], principal, ...(session ? { sessions: [compiled(session)] } : {}) }
  const rows = await Promise.all(
    [bucket, other].flatMap((name) =>
      // In the other bucket a few of them show that the policy names the first one.
      ATTEMPTS.filter((_, n) => name === bucket || n % 5 === 0).map(
        async ({ action, object, conditions = {}, send }) => {
          const known = {
            'aws:username': [principal],
            'aws:SourceIp': ['127.0.0.1'],
            'aws:SecureTransport': ['false'],
            ...conditions,
          }
          const { decision } = evaluate(access, { action, bucket: name, object, conditions: conditionValues(known) })
          const status = await send(s3, name).then(
            () => 200,
            (error: { $metadata?: { httpStatusCode?: number } }) => error.$metadata?.httpStatusCode,
          )
          const title = `${action} ${name === bucket ? 'own' : 'other'}/${object ?? ''} ${JSON.stringify(conditions)}`
          return { title, evaluator: decision, server: status === 403 ? 'deny' : status === 200 ? 'allow' : status }
        },
      ),
    ),
  )
  return {
    evaluator: rows.map(({ title, evaluator }) => `${title}: ${evaluator}`),
    server: rows.map(({ title, server }) => `${title}: ${server}`),
  }
}

const all = process.env.STOWAGE_TEST_SERVER === undefined ? [...POLICIES, ...POLICIES_OF_OURS] : POLICIES
test.each(all)('the server decides like the evaluator: %s', async (_, statements) => {
  const policy = document(statements(`arn:aws:s3:::${bucket}`))
  const user = await c.newUser(policy)
  const { evaluator, server } = await decisions(s3Client(user), user.accessKey, policy)
  expect(server).toEqual(evaluator)
})

test('the server decides like the evaluator: a session policy narrows', async () => {
  const policy = document([allow('s3:*', [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`])])
  const session = document([allow(['s3:GetObject', 's3:ListBucket'], 'arn:aws:s3:::*')])
  const user = await c.newUser(policy)
  const given = await assumeRole({ endpoint: c.serverUrl, credentials: user }, { policy: session })
  const { evaluator, server } = await decisions(s3Client(given.credentials), user.accessKey, policy, session)
  expect(server).toEqual(evaluator)
})

test('the list of buckets shows those that the user may list', async () => {
  const user = await c.newUser(document([allow('s3:ListBucket', `arn:aws:s3:::${bucket}`)]))
  const own = [bucket, await c.newBucket()]
  const { Buckets = [] } = await s3Client(user).send(new ListBucketsCommand({}))
  // Other test files create buckets that everyone may list.
  expect(Buckets.map(({ Name }) => Name).filter((name) => own.includes(name ?? ''))).toEqual([bucket])
})

import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const readPolicy = async (bucket: string) => (await c.call('getBucketPolicy', { params: { bucket } })).policy
const readStatements = async (bucket: string) => {
  const policy = await readPolicy(bucket)
  return policy === '' ? [] : (JSON.parse(policy) as { Statement: object[] }).Statement
}
const save = async (bucket: string, policy: string, more: { before?: string; force?: boolean } = {}) =>
  await c.call('setBucketPolicy', { params: { bucket }, body: { policy, ...more } })
const document = (...Statement: object[]) => JSON.stringify({ Version: '2012-10-17', Statement })
const setAccess = async (bucket: string, access: 'PRIVATE' | 'PUBLIC_READ' | 'PUBLIC') =>
  await c.call('setBucketAccess', { params: { bucket }, body: { access } })
const forUser = (bucket: string) => ({
  Effect: 'Allow',
  Principal: { AWS: ['arn:aws:iam:::user/somebody'] },
  Action: ['s3:GetObject'],
  Resource: [`arn:aws:s3:::${bucket}/team/*`],
})
const denied = (bucket: string) => ({
  Effect: 'Deny',
  Principal: { AWS: ['*'] },
  Action: ['s3:DeleteObject'],
  Resource: [`arn:aws:s3:::${bucket}/keep/*`],
})

test('the policy of a bucket is read, replaced and removed as JSON', async () => {
  const bucket = await c.newBucket()
  expect(await readPolicy(bucket)).toBe('')
  await save(bucket, document(denied(bucket)))
  expect(await readStatements(bucket)).toEqual([expect.objectContaining({ Effect: 'Deny' })])
  await save(bucket, ' ')
  expect(await readPolicy(bucket)).toBe('')
})

test('making a bucket public and private keeps other statements and the access rules', async () => {
  const bucket = await c.newBucket()
  await save(bucket, document(denied(bucket)))
  await c.call('setAccessRule', { params: { bucket }, body: { prefix: 'out/', access: 'readonly' } })
  const before = await readStatements(bucket)
  expect(await setAccess(bucket, 'PUBLIC')).toMatchObject({ access: 'CUSTOM', anonymous: { write: true } })
  const open = await readStatements(bucket)
  expect(open.length).toBeGreaterThan(before.length)
  expect(open).toEqual(expect.arrayContaining([expect.objectContaining(denied(bucket))]))
  const rules = async () => (await c.call('listAccessRules', { params: { bucket } })).accessRules
  expect(await rules()).toEqual([
    { prefix: '', access: 'readwrite' },
    { prefix: 'out/', access: 'readonly' },
  ])
  await setAccess(bucket, 'PUBLIC_READ')
  expect((await rules())[0]).toEqual({ prefix: '', access: 'readonly' })
  expect(await setAccess(bucket, 'PRIVATE')).toMatchObject({ access: 'CUSTOM', anonymous: { write: false } })
  expect(await rules()).toEqual([{ prefix: 'out/', access: 'readonly' }])
  expect(await readStatements(bucket)).toEqual(expect.arrayContaining([expect.objectContaining(denied(bucket))]))
})

test('a bucket that another statement makes public cannot be set to private, and is not changed', async () => {
  const bucket = await c.newBucket()
  const everything = { Effect: 'Allow', Principal: { AWS: ['*'] }, Action: ['s3:*'] }
  await save(bucket, document({ ...everything, Resource: [`arn:aws:s3:::${bucket}/*`] }))
  const before = await readPolicy(bucket)
  expect(await callFailure(setAccess(bucket, 'PRIVATE'))).toMatchObject({
    status: 409,
    body: { reason: { id: 'rule-of-other-statement' } },
  })
  expect(await readPolicy(bucket)).toBe(before)
})

test('of two concurrent edits of the policy the second gets an error', async () => {
  const bucket = await c.newBucket()
  await save(bucket, document(denied(bucket)), { before: '' })
  expect(await callFailure(save(bucket, '', { before: '' }))).toMatchObject({
    status: 409,
    body: { reason: { id: 'policy-changed' } },
  })
  await save(bucket, '', { before: await readPolicy(bucket) })
  expect(await readPolicy(bucket)).toBe('')
})

test('rules that are set at the same time are all stored', async () => {
  const bucket = await c.newBucket()
  const prefixes = ['a/', 'b/', 'c/', 'd/', 'e/', 'f/']
  const set = (prefix: string) => c.call('setAccessRule', { params: { bucket }, body: { prefix, access: 'readonly' } })
  await Promise.all(prefixes.map(set))
  const { accessRules } = await c.call('listAccessRules', { params: { bucket } })
  expect(accessRules.map(({ prefix }) => prefix)).toEqual(prefixes)
})

ownStore.test('a policy that locks its author out is saved only with force, and then it does', async () => {
  const bucket = await c.newBucket()
  const Resource = ['arn:aws:s3:::*']
  const { accessKey, secretKey } = await c.newUser(
    JSON.parse(document({ Effect: 'Allow', Action: ['s3:*'], Resource })),
  )
  const author = await c.signIn(accessKey, secretKey)
  const lock = document({
    Effect: 'Deny',
    Principal: { AWS: [`arn:aws:iam:::user/${accessKey}`] },
    Action: ['s3:PutBucketPolicy'],
    Resource: [`arn:aws:s3:::${bucket}`],
  })
  const params = { bucket }
  expect(await callFailure(author.call('setBucketPolicy', { params, body: { policy: lock } }))).toMatchObject({
    status: 409,
    body: { reason: { id: 'policy-locks-out' } },
  })
  expect(await readPolicy(bucket)).toBe('')
  await author.call('setBucketPolicy', { params, body: { policy: lock, force: true } })
  expect(
    await callFailure(author.call('setBucketPolicy', { params, body: { policy: lock, force: true } })),
  ).toMatchObject({
    status: 403,
  })
})

test.each([
  ['text that is no JSON', '{'],
  [
    'a policy without a Principal',
    '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:aws:s3:::B/*"}]}',
  ],
  [
    'a policy about another bucket',
    '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::other/*"}]}',
  ],
])('%s is refused, and nothing changes', async (_what, policy) => {
  const bucket = await c.newBucket()
  await save(bucket, document(denied(bucket)))
  const before = await readPolicy(bucket)
  expect(await callFailure(save(bucket, policy.replace(':B/', `:${bucket}/`)))).toMatchObject({ status: 400 })
  expect(await readPolicy(bucket)).toBe(before)
})

test('a policy for one user survives access changes and takes effect', async (t) => {
  if (!c.embedded) t.skip('policies of its buckets are about everyone alone')
  const bucket = await c.newBucket()
  const { accessKey, secretKey } = await c.newUser(allowS3(['s3:GetBucketLocation']))
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'team/a', Body: 'x' }))
  const statement = { ...forUser(bucket), Principal: { AWS: [`arn:aws:iam:::user/${accessKey}`] } }
  await save(bucket, document(statement))
  await setAccess(bucket, 'PUBLIC_READ')
  await setAccess(bucket, 'PRIVATE')
  const s3 = new S3Client({
    endpoint: c.serverUrl,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
  })
  const read = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: 'team/a' }))
  expect(await read.Body?.transformToString()).toBe('x')
})

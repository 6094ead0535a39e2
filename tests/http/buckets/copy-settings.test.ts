import { GetObjectLockConfigurationCommand, PutBucketPolicyCommand } from '@aws-sdk/client-s3'
import type { CopiedSetting } from '@stowage/contract'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { allowS3Except } from '../../support/data/policies.ts'

const GiB = 2 ** 30
const retention = { mode: 'governance', unit: 'days', validity: 3 } as const

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const copy = async (to: string, from: string, setting: CopiedSetting) =>
  await c.call('copyBucketSetting', { params: { bucket: to }, body: { from, setting } })

const policyFor = (bucket: string) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Sid: `the policy of ${bucket}`,
      Effect: 'Allow',
      Principal: { AWS: ['*'] },
      Action: ['s3:GetObject'],
      Resource: [`arn:aws:s3:::${bucket}/public/*`],
    },
  ],
})

/** Returns a bucket with every kind of setting that MinIO supports without keys and targets. */
async function makeSource() {
  const bucket = await c.newBucket()
  const params = { bucket }
  await c.call('setBucketVersioning', { params, body: { versioning: true, excluded_prefixes: ['tmp/'] } })
  await c.call('setBucketQuota', { params, body: { enabled: true, quota_type: 'hard', amount: 5 * GiB } })
  await c.call('setBucketTags', { params, body: { tags: { team: 'design' } } })
  await c.call('addLifecycleRule', { params, body: { prefix: 'logs/', expiry_days: 9 } })
  await c.s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: JSON.stringify(policyFor(bucket)) }))
  return bucket
}

test('settings are copied from another bucket, one by one; the policy names the new bucket', async () => {
  const from = await makeSource()
  const to = await c.newBucket()
  const params = { bucket: to }
  for (const setting of ['versioning', 'quota', 'tags', 'lifecycle', 'policy'] as const) await copy(to, from, setting)
  expect(await c.call('getBucketVersioning', { params })).toMatchObject({
    is_versioned: true,
    excluded_prefixes: ['tmp/'],
  })
  expect(await c.call('getBucketQuota', { params })).toEqual({ quota: 5 * GiB, type: 'hard' })
  expect(await c.call('getBucketTags', { params })).toEqual({ tags: { team: 'design' } })
  const { lifecycle } = await c.call('listLifecycleRules', { params })
  expect(lifecycle).toMatchObject([{ prefix: 'logs/', expiration: { days: 9 } }])
  const { policy } = await c.call('getBucketPolicy', { params })
  const [statement] = JSON.parse(policy).Statement
  expect([statement.Resource].flat()).toEqual([`arn:aws:s3:::${to}/public/*`])
})

test('a setting that the other bucket does not have is removed', async () => {
  const from = await c.newBucket()
  const to = await makeSource()
  const params = { bucket: to }
  for (const setting of ['versioning', 'quota', 'tags', 'lifecycle', 'policy', 'events'] as const)
    await copy(to, from, setting)
  expect(await c.call('getBucketVersioning', { params })).toMatchObject({ is_versioned: false })
  expect(await c.call('getBucketQuota', { params })).toEqual({})
  expect(await c.call('getBucketTags', { params })).toEqual({ tags: {} })
  expect(await callFailure(c.call('listLifecycleRules', { params }))).toMatchObject({ status: 404 })
  expect(await c.call('getBucketPolicy', { params })).toEqual({ policy: '' })
})

test('encryption and CORS are copied and removed', async (t) => {
  if (!c.embedded) t.skip('the other server has neither')
  const from = await c.newBucket()
  const to = await c.newBucket()
  const rules = [
    {
      allowedOrigins: ['https://www.example.com'],
      allowedMethods: ['GET' as const],
      allowedHeaders: [],
      exposeHeaders: [],
    },
  ]
  await c.call('enableBucketEncryption', { params: { bucket: from }, body: { encType: 'sse-s3' } })
  await c.call('setBucketCors', { params: { bucket: from }, body: { rules } })
  for (const setting of ['encryption', 'cors'] as const) await copy(to, from, setting)
  expect(await c.call('getBucketEncryption', { params: { bucket: to } })).toMatchObject({ algorithm: 'AES256' })
  expect(await c.call('getBucketCors', { params: { bucket: to } })).toEqual({ rules })
  const bare = await c.newBucket()
  for (const setting of ['encryption', 'cors'] as const) await copy(to, bare, setting)
  expect(await callFailure(c.call('getBucketEncryption', { params: { bucket: to } }))).toMatchObject({ status: 404 })
  expect(await c.call('getBucketCors', { params: { bucket: to } })).toEqual({ rules: [] })
})

test('a bucket is created with the settings of another, object locking included', async () => {
  const from = c.freshName('lock')
  await c.call('createBucket', { body: { name: from, versioning: true, retention } })
  await c.call('setBucketTags', { params: { bucket: from }, body: { tags: { team: 'design' } } })
  const name = c.freshName('copy')
  const settings: CopiedSetting[] = ['versioning', 'retention', 'quota', 'tags']
  await c.call('createBucket', { body: { name, copy: { from, settings } } })
  const params = { bucket: name }
  expect(await c.call('getObjectLocking', { params })).toEqual({ object_locking_enabled: true })
  expect(await c.call('getBucketRetention', { params })).toEqual(retention)
  expect(await c.call('getBucketTags', { params })).toEqual({ tags: { team: 'design' } })
  // Without object locking a default retention cannot follow.
  const plain = await c.newBucket()
  expect(await callFailure(copy(plain, from, 'retention'))).toMatchObject({ status: 409 })
  // Without object locking, a default retention cannot be copied.
  await copy(name, plain, 'retention')
  const { ObjectLockConfiguration } = await c.s3.send(new GetObjectLockConfigurationCommand({ Bucket: name }))
  expect(ObjectLockConfiguration).toEqual({ ObjectLockEnabled: 'Enabled' })
})

ownStore.test(
  'a bucket whose quota is refused is removed again; if it cannot be, the answer says what stayed',
  async () => {
    const create = async (denied: string[]) => {
      const name = c.freshName()
      const { accessKey, secretKey } = await c.newUser(allowS3Except(denied, [name]))
      const caller = await c.signIn(accessKey, secretKey)
      const quota = { enabled: true, quota_type: 'hard' as const, amount: 1_000_000 }
      const failure = await callFailure(caller.call('createBucket', { body: { name, quota } }))
      const isThere = (await c.call('listBuckets', {})).buckets.some((bucket) => bucket.name === name)
      return { failure, isThere, name }
    }
    const removed = await create(['s3:PutBucketTagging'])
    expect(removed).toMatchObject({ isThere: false, failure: { status: 403 } })
    const { failure, isThere, name } = await create(['s3:DeleteBucket'])
    expect(isThere).toBe(true)
    expect(failure).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(name), reason: { id: 'bucket-left-behind' } },
    })
  },
)

test('a bucket whose settings cannot be copied is not created', async () => {
  const name = c.freshName('copy')
  const body = { name, copy: { from: c.freshName('absent'), settings: ['tags' as const] } }
  expect(await callFailure(c.call('createBucket', { body }))).toMatchObject({ status: 404 })
  expect(await callFailure(c.call('getBucket', { params: { bucket: name } }))).toMatchObject({ status: 404 })
  // A removed setting is copied as "not set".
  const params = { bucket: await c.newBucket() }
  await c.call('setBucketTags', { params, body: { tags: { team: 'design' } } })
  const copied = c.call('copyBucketSetting', { params, body: { from: body.copy.from, setting: 'tags' } })
  expect(await callFailure(copied)).toMatchObject({ status: 404, body: { field: 'from' } })
  expect(await c.call('getBucketTags', { params })).toEqual({ tags: { team: 'design' } })
})

test('a copy from the same bucket, of an unknown setting or from an invalid name is refused', async () => {
  const bucket = await c.newBucket()
  for (const body of [
    { from: bucket, setting: 'tags' },
    { from: 'photos', setting: 'replication' },
    { from: 'photos', setting: 'constructor' },
    { from: 'a/b', setting: 'tags' },
  ])
    expect(
      await callFailure(c.call('copyBucketSetting', { params: { bucket }, body: body as never })),
      JSON.stringify(body),
    ).toMatchObject({ status: 400 })
})

ownStore.test('a caller copies only what may be read there and changed here', async () => {
  const from = await makeSource()
  const to = await c.newBucket()
  const body = { from, setting: 'policy' } as const
  for (const [actions, bucket] of [
    [['s3:GetBucketPolicy'], from],
    [['s3:PutBucketPolicy'], to],
  ] as const) {
    const caller = await c.signInWith(allowS3Except([...actions], [bucket]))
    expect(await callFailure(caller.call('copyBucketSetting', { params: { bucket: to }, body }))).toMatchObject({
      status: 403,
    })
  }
  expect(await c.call('getBucketPolicy', { params: { bucket: to } })).toEqual({ policy: '' })
})

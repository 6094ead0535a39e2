import {
  GetBucketPolicyCommand,
  GetBucketVersioningCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { GiB, TiB } from '@stowage/contract'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('the list has name, creation date, size and access [BKT-05] [OBJ-03]', async () => {
  const bucket = await c.newBucket()
  const { buckets, total } = await c.call('listBuckets', {})
  const entry = buckets.find((b) => b.name === bucket)
  expect(entry).toMatchObject({ name: bucket, size: 0, objects: 0, access: 'PRIVATE' })
  expect(Date.parse(entry?.creation_date ?? '')).toBeGreaterThan(Date.now() - 60_000)
  expect(total).toBe(buckets.length)
})

test('the list contains access only on request', async () => {
  const bucket = await c.newBucket()
  const { buckets } = await c.call('listBuckets', { query: { without_access: 'true' } })
  const entry = buckets.find((b) => b.name === bucket)
  expect(entry).toMatchObject({ name: bucket, size: 0 })
  expect(entry).not.toHaveProperty('access')
})

test('the size is the stored bytes, immediately on our own store [BKT-05]', async (t) => {
  if (!c.embedded) t.skip('a scanner counts on MinIO, minutes later')
  const bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: 'x'.repeat(1234) }))
  const { buckets } = await c.call('listBuckets', {})
  expect(buckets.find((b) => b.name === bucket)).toMatchObject({ size: 1234, objects: 1 })
})

test('a user sees only the buckets that the policy allows', async () => {
  const open = await c.newBucket('open')
  const closed = await c.newBucket('closed')
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['s3:ListBucket', 's3:GetObject'],
        Resource: [`arn:aws:s3:::${open}`, `arn:aws:s3:::${open}/*`],
      },
    ],
  })
  const names = (await caller.call('listBuckets', {})).buckets.map((b) => b.name)
  expect(names).toContain(open)
  expect(names).not.toContain(closed)
})

test('a bucket is created with versioning and a quota in bytes [BKT-42]', async () => {
  const name = c.freshName()
  const quota = { enabled: true, quota_type: 'hard', amount: 3 * TiB } as const
  const response = await c.root.send('createBucket', { body: { name, versioning: true, quota } })
  expect(response.status).toBe(201)
  expect(await c.call('getBucketVersioning', { params: { bucket: name } })).toMatchObject({ is_versioned: true })
  expect(await c.call('getBucketQuota', { params: { bucket: name } })).toEqual({ quota: 3 * TiB, type: 'hard' })
})

test.each([
  ['ab', 400],
  ['Has-Capitals', 400],
  ['has space', 400],
  ['a/b', 400],
  ['..', 400],
  ['dots..dots', 400],
  ['192.168.1.1', 400],
  ['x'.repeat(64), 400],
  ['-starts-with-dash', 400],
  ['emoji-😀', 400],
  ['bidi-\u202etxt', 400],
])('the bucket name %j is refused with a reason', async (name, status) => {
  const failure = await callFailure(c.call('createBucket', { body: { name } }))
  expect(failure.status).toBe(status)
  expect(failure.body.message).toMatch(/bucket|name/i)
})

test('creating an existing bucket is a conflict and does not change it', async () => {
  const name = await c.newBucket()
  const failure = await callFailure(c.call('createBucket', { body: { name, versioning: true } }))
  expect(failure).toMatchObject({ status: 409, body: { cause: 'BucketAlreadyOwnedByYou' } })
  expect(await c.call('getBucketVersioning', { params: { bucket: name } })).toMatchObject({ is_versioned: false })
})

test('a body that names another bucket than the path is refused, and changes neither', async () => {
  const [inPath, inBody] = [await c.newBucket(), await c.newBucket()]
  const params = { bucket: inPath }
  const wrongName = await callFailure(c.call('deleteBucket', { params, body: { name: inBody } }))
  expect(wrongName).toMatchObject({ status: 400, body: { field: 'name' } })
  const quota = { enabled: true, amount: GiB, bucket: inBody }
  const wrongBucket = await callFailure(c.call('setBucketQuota', { params, body: quota }))
  expect(wrongBucket).toMatchObject({ status: 400, body: { field: 'bucket' } })
  const { buckets } = await c.call('listBuckets', {})
  expect(buckets.map(({ name }) => name)).toEqual(expect.arrayContaining([inPath, inBody]))
  expect(await c.call('getBucketQuota', { params })).toEqual({})
})

test('an empty bucket is deleted, by path with the name in the body [BKT-07]', async () => {
  const bucket = await c.newBucket()
  const response = await c.root.send('deleteBucket', { params: { bucket }, body: { name: bucket } })
  expect(response.status).toBe(204)
  expect((await c.call('listBuckets', {})).buckets.map((b) => b.name)).not.toContain(bucket)
})

test('a bucket with objects in it is not deleted, and the message has the reason', async () => {
  const bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'keep', Body: 'x' }))
  const failure = await callFailure(c.call('deleteBucket', { params: { bucket }, body: { name: bucket } }))
  expect(failure).toMatchObject({ status: 409, body: { cause: 'BucketNotEmpty' } })
  expect(failure.body.message).toMatch(/not empty/i)
})

test('every call for a missing bucket is 404', async () => {
  const params = { bucket: c.freshName('nothing') }
  const failures = await Promise.all([
    callFailure(c.call('getBucket', { params })),
    callFailure(c.call('deleteBucket', { params })),
    callFailure(c.call('getBucketVersioning', { params })),
    callFailure(c.call('getBucketQuota', { params })),
    callFailure(c.call('setBucketAccess', { params, body: { access: 'PUBLIC' } })),
    callFailure(c.call('listObjects', { params, query: { limit: '10' } })),
  ])
  expect(failures.map((f) => f.status)).toEqual(failures.map(() => 404))
  expect(failures.map((f) => f.body.cause)).toEqual(failures.map(() => 'NoSuchBucket'))
})

test('one bucket is read with its access [BKT-26]', async () => {
  const bucket = await c.newBucket()
  expect(await c.call('getBucket', { params: { bucket } })).toMatchObject({ name: bucket, access: 'PRIVATE' })
})

test('set-policy opens a bucket to everyone and closes it again [BKT-28]', async () => {
  const bucket = await c.newBucket()
  const opened = await c.call('setBucketAccess', { params: { bucket }, body: { access: 'PUBLIC' } })
  expect(opened).toMatchObject({ name: bucket, access: 'PUBLIC' })
  expect((await fetch(`${c.serverUrl}/${bucket}/free`, { method: 'PUT', body: 'hello' })).status).toBe(200)
  expect(await (await fetch(`${c.serverUrl}/${bucket}/free`)).text()).toBe('hello')
  const { buckets } = await c.call('listBuckets', {})
  expect(buckets.find((b) => b.name === bucket)?.access).toBe('PUBLIC')

  const closed = await c.call('setBucketAccess', { params: { bucket }, body: { access: 'PRIVATE' } })
  expect(closed.access).toBe('PRIVATE')
  expect((await fetch(`${c.serverUrl}/${bucket}/free`)).status).toBe(403)
  await expect(c.s3.send(new GetBucketPolicyCommand({ Bucket: bucket }))).rejects.toMatchObject({
    name: 'NoSuchBucketPolicy',
  })
})

test('a policy of another shape is CUSTOM', async () => {
  const bucket = await c.newBucket()
  const Policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: ['*'] },
        Action: ['s3:GetObject'],
        Resource: [`arn:aws:s3:::${bucket}/pub/*`],
      },
    ],
  })
  await c.s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }))
  expect((await c.call('getBucket', { params: { bucket } })).access).toBe('CUSTOM')
})

test('versioning is read as set: enabled or suspended [BKT-39] [BKT-40]', async () => {
  const bucket = await c.newBucket()
  const params = { bucket }
  expect(await c.call('getBucketVersioning', { params })).toMatchObject({ is_versioned: false })
  const response = await c.root.send('setBucketVersioning', { params, body: { versioning: true } })
  expect(response.status).toBe(201)
  expect(await c.call('getBucketVersioning', { params })).toMatchObject({ is_versioned: true })
  await c.call('setBucketVersioning', { params, body: { versioning: false } })
  expect(await c.call('getBucketVersioning', { params })).toMatchObject({ is_versioned: false })
  expect(await c.s3.send(new GetBucketVersioningCommand({ Bucket: bucket }))).toMatchObject({ Status: 'Suspended' })
})

test('a quota is kept in bytes, and removed when not enabled [BKT-42] [BKT-43]', async () => {
  const params = { bucket: await c.newBucket() }
  expect(await c.call('getBucketQuota', { params })).toEqual({})
  await c.call('setBucketQuota', { params, body: { enabled: true, quota_type: 'hard', amount: 5 * GiB } })
  expect(await c.call('getBucketQuota', { params })).toEqual({ quota: 5 * GiB, type: 'hard' })
  expect(await c.madmin.getBucketQuota(params.bucket)).toMatchObject({ size: 5 * GiB })
  await c.call('setBucketQuota', { params, body: { enabled: false, quota_type: 'hard', amount: 5 * GiB } })
  expect(await c.call('getBucketQuota', { params })).toEqual({})
})

test('a hard quota refuses a write that would exceed it [BKT-43]', async () => {
  const bucket = await c.newBucket()
  await c.call('setBucketQuota', { params: { bucket }, body: { enabled: true, quota_type: 'hard', amount: 1000 } })
  const put = (Key: string, size: number) =>
    c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x'.repeat(size) }))
  await expect(put('too-large', 1001)).rejects.toMatchObject({ name: 'XMinioAdminBucketQuotaExceeded' })
  if (c.embedded) {
    await put('a', 600)
    await expect(put('b', 600)).rejects.toMatchObject({ name: 'XMinioAdminBucketQuotaExceeded' })
    await put('c', 400)
  }
})

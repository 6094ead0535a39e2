import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { newLockBucket } from '../../support/data/objects.ts'
import { allowS3Except } from '../../support/data/policies.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

async function empty(bucket: string, body: { bypass?: boolean } = {}) {
  const response = await c.root.send(
    'emptyBucket',
    { params: { bucket }, body },
    { headers: { accept: 'application/x-ndjson' } },
  )
  const lines = (await response.text()).trim().split('\n')
  return { status: response.status, report: JSON.parse(lines.at(-1) ?? '') as { deleted: number; failed: number } }
}
const remove = async (bucket: string) => await c.call('deleteBucket', { params: { bucket }, body: { name: bucket } })

test('a bucket with versions, delete markers and uploads is emptied and can then be deleted', async () => {
  const Bucket = await c.newBucket()
  await c.call('setBucketVersioning', { params: { bucket: Bucket }, body: { versioning: true } })
  for (const Key of ['a', 'a', 'dir/b', 'dir/']) await c.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))
  await c.s3.send(new DeleteObjectCommand({ Bucket, Key: 'a' }))
  await c.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'large' }))
  await c.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'larger' }))
  expect(await callFailure(remove(Bucket))).toMatchObject({ status: 409 })
  expect(await empty(Bucket)).toMatchObject({ status: 200, report: { done: true, deleted: 5, failed: 0 } })
  const { Versions, DeleteMarkers } = await c.s3.send(new ListObjectVersionsCommand({ Bucket }))
  expect([Versions ?? [], DeleteMarkers ?? []]).toEqual([[], []])
  await remove(Bucket)
})

// MinIO refuses such keys.
ownStore.test('an upload whose key XML cannot contain is listed and aborted', async () => {
  const Bucket = await c.newBucket()
  const Key = 'a b+c/\u{1}\ufffe'
  await c.s3.send(new CreateMultipartUploadCommand({ Bucket, Key }))
  const { uploads } = await c.call('listUploads', { params: { bucket: Bucket }, query: {} })
  expect(uploads.map(({ key }) => key)).toEqual([Key])
  expect(await empty(Bucket)).toMatchObject({ status: 200, report: { done: true } })
  await remove(Bucket)
})

test('locked versions remain, and the report has their number', async (t) => {
  const Bucket = await newLockBucket(c)
  if (!Bucket) return t.skip('the other server has no object locking')
  const lock = { ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: new Date(Date.now() + 86_400_000) } as const
  await c.s3.send(new PutObjectCommand({ Bucket, Key: 'locked', Body: 'x', ...lock }))
  await c.s3.send(new PutObjectCommand({ Bucket, Key: 'free', Body: 'x' }))
  expect(await empty(Bucket)).toMatchObject({ report: { deleted: 1, failed: 1 } })
  expect(await empty(Bucket, { bypass: true })).toMatchObject({ report: { deleted: 1, failed: 0 } })
  await remove(Bucket)
})

// MinIO lets everyone who may list objects list versions.
ownStore.test('without the right to list versions nothing is deleted', async () => {
  const Bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'x' }))
  const caller = await c.signInWith(allowS3Except(['s3:ListBucketVersions'], [Bucket]))
  const response = await caller.send('emptyBucket', { params: { bucket: Bucket }, body: {} })
  await response.body?.cancel()
  expect(response.status).toBe(403)
  expect((await c.s3.send(new ListObjectVersionsCommand({ Bucket }))).Versions).toHaveLength(1)
})

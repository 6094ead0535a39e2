import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeleteObjectTaggingCommand,
  GetBucketTaggingCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketTaggingCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
} from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const setVersioning = (Bucket: string, Status: 'Enabled' | 'Suspended') =>
  c.s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }))
const put = async (Bucket: string, Key: string, Body: string) =>
  (await c.s3.send(new PutObjectCommand({ Bucket, Key, Body }))).VersionId
const text = async (input: { Bucket: string; Key: string; VersionId?: string }) =>
  await (await c.s3.send(new GetObjectCommand(input))).Body?.transformToString()

test('versions are kept, listed newest first, read and deleted one by one', async () => {
  const Bucket = await c.newBucket()
  const before = await put(Bucket, 'k', 'zero')
  expect(before).toBeUndefined()
  await setVersioning(Bucket, 'Enabled')
  const first = (await put(Bucket, 'k', 'one')) ?? ''
  const second = (await put(Bucket, 'k', 'two')) ?? ''
  expect(await text({ Bucket, Key: 'k' })).toBe('two')
  expect(await text({ Bucket, Key: 'k', VersionId: first })).toBe('one')
  expect(await text({ Bucket, Key: 'k', VersionId: 'null' })).toBe('zero')
  const { Versions } = await c.s3.send(new ListObjectVersionsCommand({ Bucket }))
  expect(Versions?.map((v) => [v.VersionId, v.IsLatest])).toEqual([
    [second, true],
    [first, false],
    ['null', false],
  ])

  const marker = await c.s3.send(new DeleteObjectCommand({ Bucket, Key: 'k' }))
  expect(marker.DeleteMarker).toBe(true)
  await expect(text({ Bucket, Key: 'k' })).rejects.toMatchObject({ name: 'NoSuchKey' })
  expect((await c.s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0)
  await expect(
    c.s3.send(new HeadObjectCommand({ Bucket, Key: 'k', VersionId: marker.VersionId })),
  ).rejects.toMatchObject({ $metadata: { httpStatusCode: 405 } })

  await c.s3.send(new DeleteObjectCommand({ Bucket, Key: 'k', VersionId: marker.VersionId }))
  expect(await text({ Bucket, Key: 'k' })).toBe('two')
  const deleted = await c.s3.send(
    new DeleteObjectsCommand({
      Bucket,
      Delete: { Objects: [second, 'null'].map((VersionId) => ({ Key: 'k', VersionId })) },
    }),
  )
  expect(deleted.Deleted).toHaveLength(2)
  expect(await text({ Bucket, Key: 'k' })).toBe('one')
})

test('with versioning suspended the null version is replaced, the others stay', async () => {
  const Bucket = await c.newBucket()
  await setVersioning(Bucket, 'Enabled')
  const kept = (await put(Bucket, 'k', 'kept')) ?? ''
  await setVersioning(Bucket, 'Suspended')
  await put(Bucket, 'k', 'null one')
  await put(Bucket, 'k', 'null two')
  const { Versions } = await c.s3.send(new ListObjectVersionsCommand({ Bucket }))
  expect(Versions?.map((v) => v.VersionId)).toEqual(['null', kept])
  expect(await text({ Bucket, Key: 'k' })).toBe('null two')
  await c.s3.send(new DeleteObjectCommand({ Bucket, Key: 'k' }))
  const after = await c.s3.send(new ListObjectVersionsCommand({ Bucket }))
  expect(after.Versions?.map((v) => v.VersionId)).toEqual([kept])
  expect(after.DeleteMarkers?.map((m) => m.VersionId)).toEqual(['null'])
})

test('tags belong to a version, and are replaced and removed as a whole', async () => {
  const Bucket = await c.newBucket()
  await setVersioning(Bucket, 'Enabled')
  const VersionId = await put(Bucket, 'k', 'one')
  await put(Bucket, 'k', 'two')
  const TagSet = [
    { Key: 'team', Value: 'a b+c=d:e/f' },
    { Key: 'empty', Value: '' },
  ]
  const old = { Bucket, Key: 'k', VersionId }
  await c.s3.send(new PutObjectTaggingCommand({ ...old, Tagging: { TagSet } }))
  const readTags = async (input: { Bucket: string; Key: string }) =>
    (await c.s3.send(new GetObjectTaggingCommand(input))).TagSet
  expect(await readTags(old)).toEqual(expect.arrayContaining(TagSet))
  expect(await readTags({ Bucket, Key: 'k' })).toEqual([])
  await c.s3.send(new DeleteObjectTaggingCommand(old))
  expect(await readTags(old)).toEqual([])
  const tooMany = Array.from({ length: 11 }, (_, i) => ({ Key: `k${i}`, Value: 'v' }))
  await expect(c.s3.send(new PutObjectTaggingCommand({ ...old, Tagging: { TagSet: tooMany } }))).rejects.toMatchObject({
    $metadata: { httpStatusCode: 400 },
  })

  await c.s3.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }))
  expect((await c.s3.send(new GetBucketTaggingCommand({ Bucket }))).TagSet).toEqual(expect.arrayContaining(TagSet))
})

test('a write with versioning suspended returns no version ID', async () => {
  const Bucket = await c.newBucket()
  await setVersioning(Bucket, 'Suspended')
  expect(await put(Bucket, 'k', 'x')).toBeUndefined()
})

import {
  GetObjectLegalHoldCommand,
  GetObjectRetentionCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import type { JobLine } from '@stowage/contract'
import { beforeAll, expect, inject, test } from 'vitest'
import { acceptLines, readAnswerLines } from '../../support/console/answer-lines.ts'
import { callFailure, type TestCaller } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { newBucketWith, newLockBucket, readObjectText } from '../../support/data/objects.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

type Report = Extract<JobLine, { done: true }>

async function change(bucket: string, body: object, caller: TestCaller = c.root): Promise<Report> {
  const response = await caller.send('changeObjects', { params: { bucket }, body } as never, acceptLines)
  const report = (await readAnswerLines<JobLine>(response)).at(-1)
  if (!report || !('done' in report)) throw new Error(`No report: ${JSON.stringify(report)}`)
  return report
}

const put = (Bucket: string, Key: string, more: object = {}) =>
  c.s3.send(new PutObjectCommand({ Bucket, Key, Body: Key, ...more }))
const head = (Bucket: string, Key: string) => c.s3.send(new HeadObjectCommand({ Bucket, Key }))
const retention = (Bucket: string, Key: string) => c.s3.send(new GetObjectRetentionCommand({ Bucket, Key }))

async function tags(Bucket: string, Key: string): Promise<string[]> {
  const { TagSet = [] } = await c.s3.send(new GetObjectTaggingCommand({ Bucket, Key }))
  return TagSet.map((tag) => `${tag.Key}=${tag.Value}`).sort()
}

async function versions(bucket: string) {
  const query = { recursive: 'true', with_versions: 'true' } as const
  return (await c.call('listObjects', { params: { bucket }, query })).objects
}

const inDays = (days: number) => new Date(Math.ceil(Date.now() / 1000 + days * 86_400) * 1000).toISOString()

test('content type, metadata and tags of a selection are merged with what each object has', async () => {
  const bucket = await newBucketWith(c, { 'dir.bak': 'x', 'other.txt': 'y' })
  const before = { ContentType: 'text/plain', CacheControl: 'no-store', Metadata: { camera: 'x100', year: '2024' } }
  await put(bucket, 'dir/a', { ...before, Tagging: 'team=blue&draft=1' })
  await put(bucket, 'dir/sub/b')
  const changes = {
    content_type: 'image/jpeg',
    headers: { 'content-language': 'it' },
    user_metadata: { Place: 'Lago è', year: null },
    tags: { project: 'lakes', draft: null },
  }
  const report = await change(bucket, { paths: ['dir/', 'other.txt', 'gone'], changes })
  expect(report).toMatchObject({ count: 3, skipped: 1, failed: 0 })
  const details = await readDetails(bucket, 'dir/a')
  expect(details).toMatchObject({
    content_type: 'image/jpeg',
    headers: { 'cache-control': 'no-store', 'content-language': 'it' },
    user_metadata: { camera: 'x100', place: 'Lago è' },
    tags: { team: 'blue', project: 'lakes' },
  })
  expect(details.user_metadata).not.toHaveProperty('year')
  expect(await readObjectText(c, bucket, 'dir/a')).toBe('dir/a')
  for (const key of ['dir/sub/b', 'other.txt']) expect((await head(bucket, key)).ContentType).toBe('image/jpeg')
  expect((await head(bucket, 'dir.bak')).ContentType).not.toBe('image/jpeg')
  expect(await tags(bucket, 'dir.bak')).toEqual([])
  // Nothing is written where nothing differs.
  expect(await change(bucket, { paths: ['dir/'], changes })).toMatchObject({ count: 0, skipped: 2, failed: 0 })
})

const readDetails = (bucket: string, prefix: string) => c.call('getObject', { params: { bucket }, query: { prefix } })

test('a dry run of a change says what it would do, and changes nothing', async () => {
  const bucket = await newBucketWith(c, { a: '12', b: '3' })
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`k${i}`, 'v']))
  await put(bucket, 'b', { Tagging: 'own=1' })
  const report = await change(bucket, {
    paths: ['a', 'b'],
    changes: { tags: many, content_type: 'a/b' },
    dry_run: true,
  })
  expect(report).toMatchObject({ count: 1, failed: 1, bytes: 2, changes: [{ path: 'a', code: 'Change' }] })
  expect(report.changes?.[0]?.message).toBe('metadata; tags')
  expect(report.errors).toEqual([{ path: 'b', code: 'InvalidTag', message: expect.stringContaining('11 tags') }])
  expect(await tags(bucket, 'a')).toEqual([])
  expect((await head(bucket, 'a')).ContentType).not.toBe('a/b')
})

test('in a bucket with versions only metadata makes a new version', async () => {
  const bucket = await newBucketWith(c, {})
  await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  await put(bucket, 'a')
  await change(bucket, { paths: ['a'], changes: { tags: { x: '1' } } })
  expect(await versions(bucket)).toHaveLength(1)
  const planned = await change(bucket, { paths: ['a'], changes: { content_type: 'x/y' }, dry_run: true })
  expect(planned.changes?.[0]?.message).toBe('metadata, as a new version')
  await change(bucket, { paths: ['a'], changes: { content_type: 'x/y' } })
  expect(await versions(bucket)).toHaveLength(2)
  expect(await tags(bucket, 'a')).toEqual(['x=1'])
})

test('rights are asked for each object of a change', async () => {
  const bucket = await newBucketWith(c, { 'd/free': '1', 'd/hidden': '2', 'd/kept': '3' })
  const arn = (path: string) => `arn:aws:s3:::${path}`
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:*'], Resource: [bucket, `${bucket}/*`].map(arn) },
      { Effect: 'Deny', Action: ['s3:GetObject'], Resource: [arn(`${bucket}/d/hidden`)] },
      { Effect: 'Deny', Action: ['s3:PutObjectTagging'], Resource: [arn(`${bucket}/d/kept`)] },
    ],
  })
  const body = { paths: ['d/'], changes: { tags: { a: '1' } } }
  for (const dry_run of [true, false]) {
    const report = await change(bucket, { ...body, dry_run }, caller)
    expect(report).toMatchObject({ count: 1, failed: 2 })
    expect(report.errors.map(({ path }) => path)).toEqual(['d/hidden', 'd/kept'])
  }
  expect(await tags(bucket, 'd/free')).toEqual(['a=1'])
  expect(await tags(bucket, 'd/kept')).toEqual([])
})

test('legal hold and retention of a selection, and a new version keeps them', async ({ skip }) => {
  const bucket = await newLockBucket(c)
  if (!bucket) return skip()
  for (const key of ['a', 'b']) await put(bucket, key)
  const expires = inDays(3)
  const changes = { legal_hold: 'enabled', retention: { mode: 'governance', expires } }
  expect(await change(bucket, { paths: ['a', 'b'], changes })).toMatchObject({ count: 2, failed: 0 })
  expect(await change(bucket, { paths: ['a', 'b'], changes })).toMatchObject({ count: 0, skipped: 2 })
  await change(bucket, { paths: ['a'], changes: { content_type: 'x/y' } })
  const kept = await head(bucket, 'a')
  expect(kept).toMatchObject({ ContentType: 'x/y', ObjectLockLegalHoldStatus: 'ON', ObjectLockMode: 'GOVERNANCE' })
  expect(kept.ObjectLockRetainUntilDate?.toISOString()).toBe(expires)
  await change(bucket, { paths: ['a', 'b'], changes: { legal_hold: 'disabled' } })
  const { LegalHold } = await c.s3.send(new GetObjectLegalHoldCommand({ Bucket: bucket, Key: 'a' }))
  expect(LegalHold?.Status).toBe('OFF')
})

test('retention is shortened only by a bypass, and compliance never', async ({ skip }) => {
  const bucket = await newLockBucket(c)
  if (!bucket) return skip()
  for (const key of ['a', 'b']) await put(bucket, key)
  const lock = (paths: string[], mode: string, days: number, governance_bypass?: boolean) =>
    change(bucket, { paths, changes: { retention: { mode, expires: inDays(days) }, governance_bypass } })
  await lock(['a'], 'governance', 5)
  await lock(['b'], 'compliance', 1)
  const refused = await lock(['a', 'b'], 'governance', 1)
  expect(refused).toMatchObject({ count: 0, failed: 2 })
  expect(refused.errors.map(({ message }) => message)).toEqual([
    'Governance retention can be shortened or changed only by a bypass.',
    'Compliance retention cannot be shortened, changed or removed.',
  ])
  expect(await lock(['a', 'b'], 'governance', 1, true)).toMatchObject({ count: 1, failed: 1 })
  const removed = await change(bucket, { paths: ['a', 'b'], changes: { retention: null } })
  expect(removed).toMatchObject({ count: 1, failed: 1, errors: [{ path: 'b', code: 'AccessDenied' }] })
  await expect(retention(bucket, 'a')).rejects.toMatchObject({ name: 'NoSuchObjectLockConfiguration' })
  expect((await retention(bucket, 'b')).Retention?.Mode).toBe('COMPLIANCE')
})

test('a bypass without its right is refused', async ({ skip }) => {
  const bucket = await newLockBucket(c)
  if (!bucket) return skip()
  await put(bucket, 'a', { ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: new Date(inDays(5)) })
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] },
      { Effect: 'Deny', Action: ['s3:BypassGovernanceRetention'], Resource: ['arn:aws:s3:::*'] },
    ],
  })
  const changes = { retention: { mode: 'governance', expires: inDays(1) }, governance_bypass: true }
  // MinIO lets anyone who sends the bypass header change governance retention.
  for (const dry_run of inject('console').embedded ? [true, false] : [true])
    expect(await change(bucket, { paths: ['a'], changes, dry_run }, caller)).toMatchObject({ count: 0, failed: 1 })
})

test('a change goes on behind its cursor', async () => {
  const bucket = await newBucketWith(c, { 'd/1': 'a', 'd/2': 'b', 'd/3': 'c', e: 'd' })
  const cursor = Buffer.from(JSON.stringify([0, 'd/2'])).toString('base64url')
  const body = { paths: ['d/', 'e'], changes: { tags: { a: '1' } }, cursor }
  expect(await change(bucket, body)).toMatchObject({ count: 2 })
  expect(await Promise.all(['d/1', 'd/2', 'd/3', 'e'].map((key) => tags(bucket, key)))).toEqual([
    [],
    [],
    ['a=1'],
    ['a=1'],
  ])
})

test.each([
  ['no change', {}, 'nothing-to-change'],
  ['a bypass alone', { governance_bypass: true, tags: {} }, 'nothing-to-change'],
  ['a header with a line break', { headers: { 'cache-control': 'a\r\nx-amz-acl: public-read' } }, 'wrong-format'],
  ['a name that is no header', { user_metadata: { 'a b': 'x' } }, 'wrong-format'],
  [
    'a retention that is over',
    { retention: { mode: 'governance', expires: '2020-01-01T00:00:00Z' } },
    'retention-in-the-past',
  ],
])('a change with %s is refused', async (_, changes, id) => {
  const body = { paths: ['a'], changes } as never
  const failure = await callFailure(c.root.call('changeObjects', { params: { bucket: 'some-bucket' }, body }))
  expect(failure).toMatchObject({ status: 400, body: { reason: { id } } })
})

import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { JobLine } from '@stowage/contract'
import { beforeAll, expect, test } from 'vitest'
import { acceptLines, readAnswerLines } from '../../support/console/answer-lines.ts'
import { callFailure, type TestCaller } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { listKeys, newBucketWith, newLockBucket, readObjectText } from '../../support/data/objects.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

type Report = Extract<JobLine, { done: true }>

async function copy(bucket: string, body: object, caller: TestCaller = c.root): Promise<Report> {
  const lines = await readAnswerLines<JobLine>(
    await caller.send('copyObjects', { params: { bucket }, body } as never, acceptLines),
  )
  const report = lines.at(-1)
  if (!report || !('done' in report)) throw new Error(`No report: ${JSON.stringify(lines)}`)
  return report
}
const versionsIn = async (bucket: string) =>
  (await c.call('listObjects', { params: { bucket }, query: { with_versions: 'true', recursive: 'true' } })).objects

test('an object is copied with its metadata and tags into another bucket', async () => {
  const bucket = await c.newBucket()
  const target = await c.newBucket()
  await c.s3.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: 'a b/ü?.txt',
      Body: 'text',
      ContentType: 'text/x-mine',
      Metadata: { camera: 'x100' },
      Tagging: 'team=blue',
    }),
  )
  const entries = [{ from: 'a b/ü?.txt', to: 'c/d%.txt' }]
  const report = await copy(bucket, { target_bucket: target, entries })
  expect(report).toEqual({ done: true, count: 1, skipped: 0, failed: 0, bytes: 4, errors: [] })
  const got = await c.s3.send(new GetObjectCommand({ Bucket: target, Key: 'c/d%.txt' }))
  expect(await got.Body?.transformToString()).toBe('text')
  expect(got).toMatchObject({ ContentType: 'text/x-mine', Metadata: { camera: 'x100' } })
  const { TagSet } = await c.s3.send(new GetObjectTaggingCommand({ Bucket: target, Key: 'c/d%.txt' }))
  expect(TagSet).toEqual([{ Key: 'team', Value: 'blue' }])
  expect(await listKeys(c, bucket)).toEqual(['a b/ü?.txt'])
})

test('a copy of a folder keeps the encryption of each object', async ({ skip }) => {
  const bucket = await newBucketWith(c, { 'd/plain': 'x' })
  const put = { Bucket: bucket, Key: 'd/sealed', Body: 'x', ServerSideEncryption: 'AES256' } as const
  try {
    await c.s3.send(new PutObjectCommand(put))
  } catch {
    // A MinIO without a key server encrypts nothing.
    return skip()
  }
  await copy(bucket, { target_bucket: bucket, entries: [{ from: 'd/', to: 'e/' }] })
  const objectEncryption = async (Key: string) =>
    (await c.s3.send(new HeadObjectCommand({ Bucket: bucket, Key }))).ServerSideEncryption
  expect(await objectEncryption('e/sealed')).toBe('AES256')
  expect(await objectEncryption('e/plain')).toBe(undefined)
})

test('a folder is moved without its neighbours', async () => {
  const bucket = await newBucketWith(c, { 'dir/a': '1', 'dir/sub/b': '2', 'dir.bak': '3', 'dirt/c': '4' })
  const report = await copy(bucket, { target_bucket: bucket, entries: [{ from: 'dir/', to: 'new/' }], move: true })
  expect(report).toMatchObject({ count: 2, skipped: 0, failed: 0, bytes: 2 })
  expect(await listKeys(c, bucket)).toEqual(['dir.bak', 'dirt/c', 'new/a', 'new/sub/b'])
})

test('a move deletes only the version that it copied', async () => {
  const bucket = await newBucketWith(c, {})
  await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  const put = (Body: string) => c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body }))
  const first = await put('old')
  await put('new')
  const move = { target_bucket: bucket, entries: [{ from: 'a', to: 'b' }], move: true }
  const planned = await copy(bucket, { ...move, dry_run: true })
  expect(planned).toMatchObject({ count: 1, changes: [{ path: 'a', code: 'Move' }] })
  expect(planned.changes?.[0]?.message).toContain('older versions stay')
  expect(await listKeys(c, bucket)).toEqual(['a'])
  await copy(bucket, move)
  const left = await versionsIn(bucket)
  expect(left.filter(({ name }) => name === 'a').map(({ version_id }) => version_id)).toEqual([first.VersionId])
  expect(await readObjectText(c, bucket, 'b')).toBe('new')
})

test('an existing target is kept unless overwriting was chosen', async () => {
  const bucket = await newBucketWith(c, { a: 'mine', b: 'other', c: 'mine' })
  const entries = ['b', 'c'].map((to) => ({ from: 'a', to }))
  const report = await copy(bucket, { target_bucket: bucket, entries, move: true })
  expect(report).toMatchObject({ count: 0, skipped: 2, failed: 0 })
  expect(report.errors.map(({ code }) => code)).toEqual(['TargetExists', 'TargetExists'])
  expect(await readObjectText(c, bucket, 'b')).toBe('other')
  expect(await listKeys(c, bucket)).toContain('a')
  await copy(bucket, { target_bucket: bucket, entries: entries.slice(0, 1), overwrite: true })
  expect(await readObjectText(c, bucket, 'b')).toBe('mine')
})

test('rights are checked for each object on both sides', async () => {
  const bucket = await newBucketWith(c, { 'd/free': '1', 'd/hidden': '2', 'd/kept': '3' })
  const target = await c.newBucket()
  const arn = (path: string) => `arn:aws:s3:::${path}`
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:*'], Resource: [bucket, `${bucket}/*`, target, `${target}/*`].map(arn) },
      { Effect: 'Deny', Action: ['s3:GetObject'], Resource: [arn(`${bucket}/d/hidden`)] },
      { Effect: 'Deny', Action: ['s3:PutObject'], Resource: [arn(`${target}/x/kept`)] },
    ],
  })
  const body = { target_bucket: target, entries: [{ from: 'd/', to: 'x/' }], move: true }
  for (const dry_run of [true, false]) {
    const report = await copy(bucket, { ...body, dry_run }, caller)
    expect(report).toMatchObject({ count: 1, failed: 2 })
    expect(report.errors.map(({ path }) => path)).toEqual(['d/hidden', 'd/kept'])
  }
  expect(await listKeys(c, bucket)).toEqual(['d/hidden', 'd/kept'])
  expect(await listKeys(c, target)).toEqual(['x/free'])
})

test('a locked object is copied, and its source is kept', async ({ skip }) => {
  const bucket = await newLockBucket(c)
  if (!bucket) return skip()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: 'x', ObjectLockLegalHoldStatus: 'ON' }))
  const target = await c.newBucket()
  const body = { target_bucket: target, entries: [{ from: 'a', to: 'a' }], move: true }
  expect((await copy(bucket, { ...body, dry_run: true })).changes?.[0]?.message).toContain('locked')
  const report = await copy(bucket, body)
  expect(report).toMatchObject({ count: 0, failed: 1, errors: [{ path: 'a' }] })
  expect(report.errors[0]?.message).toContain('could not be deleted')
  expect(await listKeys(c, target)).toEqual(['a'])
  expect(await listKeys(c, bucket)).toEqual(['a'])
})

test('a copy continues after its cursor', async () => {
  const bucket = await newBucketWith(c, { 'd/1': 'a', 'd/2': 'b', 'd/3': 'c', e: 'd' })
  const target = await c.newBucket()
  const entries = [
    { from: 'd/', to: '' },
    { from: 'e', to: 'e' },
  ]
  const cursor = Buffer.from(JSON.stringify([0, 'd/2'])).toString('base64url')
  expect(await copy(bucket, { target_bucket: target, entries, cursor })).toMatchObject({ count: 2 })
  expect(await listKeys(c, target)).toEqual(['3', 'e'])
  // An invalid cursor means the beginning.
  const again = await copy(bucket, { target_bucket: target, entries, cursor: 'no-cursor' })
  expect(again).toMatchObject({ count: 2, skipped: 2 })
})

test('objects deleted during the job are skipped', async () => {
  const bucket = await newBucketWith(c, {})
  const report = await copy(bucket, { target_bucket: bucket, entries: [{ from: 'gone', to: 'b' }] })
  expect(report).toMatchObject({ count: 0, failed: 0, skipped: 1 })
})

test.each([
  ['a folder into itself', [{ from: 'd/', to: 'd/e/' }], 400],
  ['an object onto itself', [{ from: 'a', to: 'a' }], 400],
  ['a folder to an object', [{ from: 'd/', to: 'e' }], 400],
  ['an object to nothing', [{ from: 'a', to: '' }], 400],
  ['no entry', [], 400],
  ['a key that is too long', [{ from: 'a', to: 'x'.repeat(1025) }], 400],
])('%s is refused', async (_, entries, status) => {
  const bucket = await newBucketWith(c, {})
  const failure = await callFailure(
    c.call('copyObjects', { params: { bucket }, body: { target_bucket: bucket, entries } }),
  )
  expect(failure.status).toBe(status)
  expect(failure.body.field).toMatch(/^entries/)
})

test('an object whose ETag is no checksum is compared by reading, and moved', async () => {
  const bucket = await c.newBucket()
  const target = { Bucket: bucket, Key: 'parts' }
  const { UploadId } = await c.s3.send(new CreateMultipartUploadCommand(target))
  const Parts = await Promise.all(
    [Buffer.alloc(5 << 20, 1), Buffer.from('end')].map(async (Body, i) => {
      const { ETag } = await c.s3.send(new UploadPartCommand({ ...target, UploadId, PartNumber: i + 1, Body }))
      return { PartNumber: i + 1, ETag }
    }),
  )
  await c.s3.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }))
  const report = await copy(bucket, { target_bucket: bucket, entries: [{ from: 'parts', to: 'moved' }], move: true })
  expect(report).toMatchObject({ count: 1, failed: 0, bytes: (5 << 20) + 3 })
  expect(await listKeys(c, bucket)).toEqual(['moved'])
})

test('a caller that does not accept lines gets the report, or an error', async () => {
  const bucket = await newBucketWith(c, { a: 'x' })
  const body = { target_bucket: bucket, entries: [{ from: 'a', to: 'b' }] }
  const response = await c.root.send('copyObjects', { params: { bucket }, body })
  expect(await response.json()).toMatchObject({ done: true, count: 1 })
  const other = await c.signInWith(allowS3(['s3:ListBucket']))
  const refused = await other.send('copyObjects', { params: { bucket }, body })
  expect(refused.status).toBe(403)
  expect(await refused.text()).toContain('a: ')
})

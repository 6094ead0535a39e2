import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { DeleteLine, JobLine } from '@stowage/contract'
import { beforeAll, expect, test } from 'vitest'
import { acceptLines, readAnswerLines } from '../../support/console/answer-lines.ts'
import { callFailure, type TestCaller } from '../../support/console/caller.ts'
import { isMinio2021 } from '../../support/console/server-release.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { listKeys, newBucketWith, readObjectText } from '../../support/data/objects.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

type Report = Extract<JobLine, { done: true }>

async function report(operation: 'restoreFolder' | 'undeleteObjects', bucket: string, body: object, caller = c.root) {
  const response = await caller.send(operation, { params: { bucket }, body } as never, acceptLines)
  return (await readAnswerLines<JobLine>(response)).at(-1) as Report
}

async function versionedBucket() {
  const bucket = await c.newBucket()
  await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  const put = (Key: string, Body: string) => c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
  const remove = async (...paths: string[]) => {
    const body = paths.map((path) => ({ path, recursive: path.endsWith('/') }))
    const answer = await c.root.send('deleteObjects', { params: { bucket }, body }, acceptLines)
    return (await readAnswerLines<DeleteLine>(answer)).at(-1) as Extract<DeleteLine, { done: true }>
  }
  /** Returns a time after all writes so far, by the server's clock. */
  const now = async () => {
    const latest = async () => {
      const query = { with_versions: 'true', recursive: 'true' }
      const { objects } = await c.call('listObjects', { params: { bucket }, query })
      return Math.max(...objects.map(({ last_modified }) => Date.parse(last_modified)))
    }
    const at = (await latest()) + 1
    await expect
      .poll(async () => {
        await put('clock', 'x')
        return await latest()
      })
      .toBeGreaterThan(at)
    return new Date(at).toISOString()
  }
  return { bucket, put, remove, now }
}

test('a folder is restored to a date, after a dry run that changes nothing', async () => {
  const { bucket, put, remove, now } = await versionedBucket()
  await put('dir/kept', 'same')
  await put('dir/edited', 'old')
  await put('dir/deleted', 'gone')
  await put('dir/sub/gone', 'x')
  await put('dir/sub/gone', 'y')
  await put('dirt/neighbour', 'old')
  const date = await now()
  await put('dir/edited', 'new')
  await remove('dir/deleted', 'dir/sub/')
  await put('dir/added', 'x')
  await put('dirt/neighbour', 'new')

  const before = await listKeys(c, bucket)
  const plan = await report('restoreFolder', bucket, { prefix: 'dir/', date, dry_run: true })
  expect(plan).toMatchObject({ count: 4, skipped: 1, failed: 0 })
  expect(plan.changes?.map(({ path, code }) => [path, code])).toEqual([
    ['dir/added', 'Hide'],
    ['dir/deleted', 'Restore'],
    ['dir/edited', 'Restore'],
    ['dir/sub/gone', 'Restore'],
  ])
  expect(await listKeys(c, bucket)).toEqual(before)

  expect(await report('restoreFolder', bucket, { prefix: 'dir/', date })).toMatchObject({ count: 4, failed: 0 })
  expect((await listKeys(c, bucket)).filter((key) => key.startsWith('dir/'))).toEqual([
    'dir/deleted',
    'dir/edited',
    'dir/kept',
    'dir/sub/gone',
  ])
  expect(await readObjectText(c, bucket, 'dir/edited')).toBe('old')
  expect(await readObjectText(c, bucket, 'dir/sub/gone')).toBe('y')
  expect(await readObjectText(c, bucket, 'dirt/neighbour')).toBe('new')
})

test('a restore continues after its cursor', async () => {
  const { bucket, put, now } = await versionedBucket()
  await put('a', '1')
  await put('b', '1')
  const date = await now()
  await put('a', '2')
  await put('b', '2')
  const cursor = Buffer.from(JSON.stringify([0, 'a'])).toString('base64url')
  await report('restoreFolder', bucket, { prefix: '', date, cursor })
  expect([await readObjectText(c, bucket, 'a'), await readObjectText(c, bucket, 'b')]).toEqual(['2', '1'])
})

test('the last deletion is undone, but not earlier ones', async () => {
  const { bucket, put, remove, now } = await versionedBucket()
  for (const key of ['dir/a', 'dir/old', 'one', 'one.bak']) await put(key, key)
  await remove('dir/old')
  const later = await now()
  const { since, deleted } = await remove('dir/', 'one')
  expect(deleted).toBe(2)
  // Whole seconds of the server's clock, never later than the deletion.
  expect(Date.parse(since ?? '')).toBeLessThanOrEqual(Date.now())
  expect(Date.parse(since ?? '')).toBeGreaterThan(Date.parse(later) - 60_000)
  expect(await listKeys(c, bucket)).toEqual(['clock', 'one.bak'])
  const undone = await report('undeleteObjects', bucket, { paths: ['dir/', 'one'], since: later })
  expect(undone).toMatchObject({ count: 2, skipped: 1, failed: 0 })
  expect(await listKeys(c, bucket)).toEqual(['clock', 'dir/a', 'one', 'one.bak'])
  expect(await readObjectText(c, bucket, 'one')).toBe('one')
})

test('without versioning nothing is restored, because that would destroy data', async () => {
  const bucket = await newBucketWith(c, { a: 'x' })
  const body = { prefix: '', date: '2020-01-01T00:00:00Z' }
  expect((await callFailure(c.call('restoreFolder', { params: { bucket }, body }))).status).toBe(409)
  const { bucket: suspended, put } = await versionedBucket()
  await put('a', 'x')
  await c.call('setBucketVersioning', { params: { bucket: suspended }, body: { versioning: false } })
  expect((await callFailure(c.call('restoreFolder', { params: { bucket: suspended }, body }))).status).toBe(409)
  const since = '2020-01-01T00:00:00Z'
  expect(await report('undeleteObjects', bucket, { paths: ['a'], since })).toMatchObject({ count: 0, skipped: 1 })
  expect(await listKeys(c, bucket)).toEqual(['a'])
})

test('rights are checked for each object', async () => {
  const { bucket, put, remove, now } = await versionedBucket()
  await put('free', 'x')
  await put('kept', 'x')
  const date = await now()
  const { since } = await remove('free', 'kept')
  const arn = (path: string) => `arn:aws:s3:::${path}`
  const caller: TestCaller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:*'], Resource: [arn(bucket), arn(`${bucket}/*`)] },
      { Effect: 'Deny', Action: ['s3:PutObject', 's3:DeleteObjectVersion'], Resource: [arn(`${bucket}/kept`)] },
    ],
  })
  const restored = await report('restoreFolder', bucket, { prefix: '', date }, caller)
  expect(restored).toMatchObject({ failed: 1, errors: [{ path: 'kept', code: 'AccessDenied' }] })
  // MinIO of 2021 only checks s3:DeleteObject.
  if (await isMinio2021(c)) return
  const undone = await report('undeleteObjects', bucket, { paths: ['free', 'kept'], since }, caller)
  expect(undone).toMatchObject({ count: 0, failed: 1, errors: [{ path: 'kept' }] })
  expect(await listKeys(c, bucket)).not.toContain('kept')
})

test.each([
  ['a prefix without its slash', { prefix: 'dir', date: '2026-01-01T00:00:00Z' }, 'prefix'],
  ['a date that is none', { prefix: '', date: 'yesterday' }, 'date'],
])('%s is refused', async (_, body, field) => {
  const bucket = await c.newBucket()
  const failure = await callFailure(c.call('restoreFolder', { params: { bucket }, body }))
  expect([failure.status, failure.body.field]).toEqual([400, field])
})

import { HeadObjectCommand, ListObjectVersionsCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { jobReport } from '../../support/data/job-reports.ts'
import { newLockBucket } from '../../support/data/objects.ts'

/* Every call that makes a new version from an existing one keeps the lock and the redirect of the latest version. */

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const KEY = 'd/a.txt'
const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 86_400_000)
const lock = {
  ObjectLockMode: 'GOVERNANCE',
  ObjectLockRetainUntilDate: until,
  ObjectLockLegalHoldStatus: 'ON',
} as const
const REDIRECT = 'https://example.com/a'

/** Writes two versions; the latest is locked and redirects. @returns the ID of the first */
async function lockedObject(bucket: string): Promise<string> {
  const put = { Bucket: bucket, Key: KEY, ContentType: 'text/plain' }
  const { VersionId = '' } = await c.s3.send(new PutObjectCommand({ ...put, Body: 'one' }))
  await c.s3.send(new PutObjectCommand({ ...put, Body: 'two', WebsiteRedirectLocation: REDIRECT, ...lock }))
  return VersionId
}

const details = async (bucket: string) => await c.call('getObject', { params: { bucket }, query: { prefix: KEY } })

const edits = {
  'its metadata is replaced': async (bucket: string, _: string, caller = c.root) => {
    const body = { content_type: 'text/x-mine', user_metadata: { a: '1' } }
    await caller.call('setObjectMetadata', { params: { bucket }, query: { prefix: KEY }, body })
  },
  'its text is edited': async (bucket: string, _: string, caller = c.root) => {
    const { etag = '' } = await details(bucket)
    await caller.call('setObjectText', { params: { bucket }, query: { prefix: KEY }, body: { text: 'three', etag } })
  },
  'a job changes its metadata': async (bucket: string, _: string, caller = c.root) => {
    const body = { paths: [KEY], changes: { content_type: 'text/x-mine' } }
    const report = await jobReport(caller, 'changeObjects', bucket, body)
    if (report.failed > 0) throw Object.assign(new Error('refused'), { status: 403 })
  },
  'an earlier version is restored': async (bucket: string, version_id: string, caller = c.root) => {
    await caller.call('restoreObject', { params: { bucket }, query: { prefix: KEY, version_id } })
  },
  'its folder is restored to a past time': async (bucket: string, version_id: string, caller = c.root) => {
    const { Versions = [] } = await c.s3.send(new ListObjectVersionsCommand({ Bucket: bucket }))
    const latest = Versions.find(({ VersionId }) => VersionId !== version_id)
    const date = latest?.LastModified?.toISOString() ?? ''
    const report = await jobReport(caller, 'restoreFolder', bucket, { prefix: 'd/', date })
    if (report.failed > 0) throw Object.assign(new Error('refused'), { status: 403 })
    expect(report).toMatchObject({ count: 1 })
  },
}

test.each(Object.entries(edits))('a locked object stays locked when %s', async (name, edit) => {
  const bucket = await newLockBucket(c)
  if (!bucket) return
  const first = await lockedObject(bucket)
  await edit(bucket, first)
  const head = await c.s3.send(new HeadObjectCommand({ Bucket: bucket, Key: KEY }))
  expect(head).toMatchObject(lock)
  const { Versions = [] } = await c.s3.send(new ListObjectVersionsCommand({ Bucket: bucket }))
  expect(Versions).toHaveLength(3)
  // What is restored is the earlier version, which had no redirect.
  if (!name.includes('restored')) expect(head.WebsiteRedirectLocation).toBe(REDIRECT)
})

test.each(Object.entries(edits))('without the right to lock, a locked object is unchanged when %s', async (_, edit) => {
  const bucket = await newLockBucket(c)
  if (!bucket) return
  const first = await lockedObject(bucket)
  const arns = [bucket, `${bucket}/*`].map((path) => `arn:aws:s3:::${path}`)
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:*'], Resource: arns },
      { Effect: 'Deny', Action: ['s3:PutObjectRetention', 's3:PutObjectLegalHold'], Resource: arns },
    ],
  })
  await expect(edit(bucket, first, caller)).rejects.toMatchObject({ status: 403 })
  const { Versions = [] } = await c.s3.send(new ListObjectVersionsCommand({ Bucket: bucket }))
  expect(Versions).toHaveLength(2)
})

test('a restored version keeps the stronger of its own lock and that of the latest version', async () => {
  const bucket = await newLockBucket(c)
  if (!bucket) return
  const put = { Bucket: bucket, Key: KEY }
  const later = new Date(until.getTime() + 86_400_000)
  const own = { ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: later } as const
  const { VersionId = '' } = await c.s3.send(new PutObjectCommand({ ...put, Body: 'one', ...own }))
  await c.s3.send(new PutObjectCommand({ ...put, Body: 'two', ...lock }))
  await c.call('restoreObject', { params: { bucket }, query: { prefix: KEY, version_id: VersionId } })
  const head = await c.s3.send(new HeadObjectCommand(put))
  expect(head).toMatchObject({ ...own, ObjectLockLegalHoldStatus: 'ON' })
})

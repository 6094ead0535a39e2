import { randomBytes } from 'node:crypto'
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
  PutObjectTaggingCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { resumeResyncs } from '../../../replication/resync.ts'
import {
  createVersionedBucket,
  enableVersioning,
  listVersionLines,
  replicationStatus,
  setReplicationTarget,
  setUpReplication,
  startSite,
  waitForSameVersions,
  waitForStatus,
} from '../../testing/replication-sites.ts'
import { readSdkBody } from '../../testing/test-store.ts'

const [a, b] = await Promise.all([startSite(), startSite()])
afterAll(() => Promise.all([a[Symbol.asyncDispose](), b[Symbol.asyncDispose]()]))
const [from, to] = [a.s3(), b.s3()]

let buckets = 0
/** Creates a bucket at both sites, and its replication from the first to the second one. */
async function pair(objectLock = false): Promise<string> {
  const bucket = `pair-${buckets++}`
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, bucket, objectLock)))
  await setUpReplication(a, bucket, { port: b.port, bucket })
  return bucket
}

test('versions, markers and removals arrive with their IDs, times, tags and metadata', async () => {
  const Bucket = await pair()
  const Key = 'a folder/ä+b'
  const put = (Body: string, more = {}) => from.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))
  const first = await put('one', { Metadata: { note: 'x' }, Tagging: 'k=v%20w', ContentType: 'text/plain' })
  await put('two')
  await from.send(new DeleteObjectCommand({ Bucket, Key }))
  await from.send(new PutObjectCommand({ Bucket, Key: 'large', Body: randomBytes(300_000) }))
  await waitForSameVersions(from, Bucket, to, Bucket)
  await waitForStatus(from, Bucket, 'large', 'COMPLETED')
  expect(await replicationStatus(to, Bucket, 'large')).toBe('REPLICA')
  const VersionId = first.VersionId
  const [here, there] = await Promise.all(
    [from, to].map((s3) => s3.send(new GetObjectCommand({ Bucket, Key, VersionId }))),
  )
  expect(there?.LastModified).toEqual(here?.LastModified)
  expect(there).toMatchObject({ Metadata: { note: 'x' }, ContentType: 'text/plain', TagCount: 1 })
  expect(String(there && (await readSdkBody(there)))).toBe('one')
  await from.send(new DeleteObjectCommand({ Bucket, Key, VersionId }))
  const left = await waitForSameVersions(from, Bucket, to, Bucket)
  expect(left).toHaveLength(3)
})

test('tags that change later arrive', async () => {
  const Bucket = await pair()
  await from.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', Tagging: 'a=1' }))
  await waitForStatus(from, Bucket, 'k', 'COMPLETED')
  const TagSet = [{ Key: 'a', Value: '2' }]
  await from.send(new PutObjectTaggingCommand({ Bucket, Key: 'k', Tagging: { TagSet } }))
  await vi.waitFor(async () => {
    expect((await to.send(new GetObjectTaggingCommand({ Bucket, Key: 'k' }))).TagSet).toEqual(TagSet)
  }, 20_000)
  await from.send(new PutObjectTaggingCommand({ Bucket, Key: 'k', Tagging: { TagSet: [] } }))
  await vi.waitFor(async () => {
    expect((await to.send(new GetObjectTaggingCommand({ Bucket, Key: 'k' }))).TagSet).toEqual([])
  }, 20_000)
  expect(await listVersionLines(to, Bucket)).toEqual(await listVersionLines(from, Bucket))
})

test('an object of several parts arrives part by part: its ETag and the sizes of its parts stay', async () => {
  const Bucket = await pair()
  const object = { Bucket, Key: 'parts' }
  const { UploadId } = await from.send(new CreateMultipartUploadCommand(object))
  const bodies = [randomBytes(5 * 2 ** 20), randomBytes(1000)]
  const Parts = await Promise.all(
    bodies.map(async (Body, i) => {
      const PartNumber = i + 1
      const { ETag } = await from.send(new UploadPartCommand({ ...object, UploadId, PartNumber, Body }))
      return { PartNumber, ETag }
    }),
  )
  await from.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }))
  await waitForSameVersions(from, Bucket, to, Bucket)
  const second = await to.send(new GetObjectCommand({ ...object, PartNumber: 2 }))
  expect(second.PartsCount).toBe(2)
  expect(await readSdkBody(second)).toEqual(bodies[1])
})

test('a lock is replicated, and a deletion does not bypass it', async () => {
  const Bucket = await pair(true)
  const object = { Bucket, Key: 'held' }
  const { VersionId } = await from.send(new PutObjectCommand({ ...object, Body: 'x', ObjectLockLegalHoldStatus: 'ON' }))
  await waitForSameVersions(from, Bucket, to, Bucket)
  expect((await to.send(new HeadObjectCommand(object))).ObjectLockLegalHoldStatus).toBe('ON')
  await from.send(new PutObjectLegalHoldCommand({ ...object, LegalHold: { Status: 'OFF' } }))
  await from.send(new DeleteObjectCommand({ ...object, VersionId }))
  const mrf = () => a.send({ path: '/minio/admin/v3/replication/mrf', query: `bucket=${Bucket}&node=` })
  await vi.waitFor(async () => expect((await mrf()).text).toContain('"object":"held"'), 20_000)
  expect(await listVersionLines(to, Bucket)).toHaveLength(1)
})

test('a removal that passed governance at the source passes it nowhere else', async () => {
  const Bucket = await pair(true)
  const object = { Bucket, Key: 'governed' }
  const until = new Date(Date.now() + 3_600_000)
  const lock = { ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: until } as const
  const { VersionId } = await from.send(new PutObjectCommand({ ...object, Body: 'x', ...lock }))
  await waitForSameVersions(from, Bucket, to, Bucket)
  await from.send(new DeleteObjectCommand({ ...object, VersionId, BypassGovernanceRetention: true }))
  expect(await listVersionLines(from, Bucket)).toEqual([])
  const [target] = a.server.replication.targets.list(Bucket)
  const counts = () => a.engine.replicationCounts(Bucket, target?.id ?? '')
  await vi.waitFor(() => expect(counts()).toMatchObject({ pending: 0, failed: 1 }), 20_000)
  expect(await listVersionLines(to, Bucket)).toHaveLength(1)
})

test('the null version stays null, also behind newer versions', async () => {
  const Bucket = 'null-version'
  await from.send(new CreateBucketCommand({ Bucket }))
  await from.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'without a version' }))
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, Bucket).catch(() => enableVersioning(s3, Bucket))))
  const arn = await setUpReplication(a, Bucket, { port: b.port, bucket: Bucket })
  await from.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'newer' }))
  await a.send({ method: 'PUT', path: `/${Bucket}`, query: `arn=${encodeURIComponent(arn)}&replication-reset=` })
  const versions = await waitForSameVersions(from, Bucket, to, Bucket)
  expect(versions.map((version) => version.split(' ')[1] === 'null')).toEqual([false, true])
  const there = await to.send(new GetObjectCommand({ Bucket, Key: 'k', VersionId: 'null' }))
  expect(String(await readSdkBody(there))).toBe('without a version')
})

test('a write to a synchronous target is answered when the target has it', async () => {
  const bucket = 'synchronous'
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, bucket)))
  await setUpReplication(a, bucket, { port: b.port, bucket }, {}, { replicationSync: true })
  for (const Key of ['a', 'b', 'c']) {
    await from.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x' }))
    expect(await replicationStatus(to, bucket, Key)).toBe('REPLICA')
  }
})

test('what was there before the rule arrives by a resync', async () => {
  const bucket = 'existing'
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, bucket)))
  for (const Body of ['1', '2', '3']) await from.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body }))
  const arn = await setUpReplication(a, bucket, { port: b.port, bucket })
  const started = await a.send({
    method: 'PUT',
    path: `/${bucket}`,
    query: `arn=${encodeURIComponent(arn)}&replication-reset=`,
  })
  expect(JSON.parse(started.text)).toMatchObject({ target: [{ arn }] })
  expect(await waitForSameVersions(from, bucket, to, bucket)).toHaveLength(3)
  const status = () => a.send({ path: `/${bucket}`, query: 'replication-reset-status=' })
  await vi.waitFor(async () => expect((await status()).text).toContain('"resyncStatus":"Completed"'), 20_000)
  // The names that clients of MinIO read.
  expect(JSON.parse((await status()).text)).toMatchObject({
    target: [{ arn, resetid: expect.any(String), replicationCount: 3, completedReplicationSize: 3 }],
  })
})

test('a resync that was interrupted by a crash continues where it was, and sends nothing twice', async () => {
  const bucket = 'cut-resync'
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, bucket)))
  for (const Key of ['a', 'b', 'c']) await from.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }))
  await setUpReplication(a, bucket, { port: b.port, bucket })
  const { engine, server } = a
  const target = server.replication.targets.list(bucket)[0]?.id ?? ''
  const startedAt = Date.now()
  // The record after each page, which is all that remains after a crash.
  const noted = { bucket, target, resetId: 'r', startedAt, before: startedAt, next: { key: 'a' }, done: false }
  const value = JSON.stringify({ ...noted, queued: 1, endedAt: 0 })
  await engine.putDocuments([{ collection: 'replication-resyncs', name: target, value }])
  const closing = new AbortController()
  resumeResyncs({ engine, replication: server.replication, log: pino({ level: 'silent' }), closing: closing.signal })
  const state = () => JSON.parse(engine.getDocument('replication-resyncs', target) ?? '{}')
  await vi.waitFor(() => expect(state()).toMatchObject({ done: true, queued: 3 }), 30_000)
  await vi.waitFor(() => expect(engine.replicationCounts(bucket, target)).toMatchObject({ completed: 2 }), 60_000)
  expect((await listVersionLines(to, bucket)).map((version) => version[0])).toEqual(['b', 'c'])
})

test('two sites that replicate to each other come to rest with the same versions', async () => {
  const bucket = 'both-ways'
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, bucket)))
  await setUpReplication(a, bucket, { port: b.port, bucket })
  await setUpReplication(b, bucket, { port: a.port, bucket })
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => {
      const s3 = i % 2 === 0 ? from : to
      const object = { Bucket: bucket, Key: `k${i % 3}` }
      return i % 7 === 6
        ? s3.send(new DeleteObjectCommand(object))
        : s3.send(new PutObjectCommand({ ...object, Body: `${i}` }))
    }),
  )
  await vi.waitFor(async () => {
    const versions = await listVersionLines(from, bucket)
    expect(versions).toHaveLength(20)
    expect(await listVersionLines(to, bucket)).toEqual(versions)
  }, 60_000)
  const counts = [a, b].map(({ engine, server }) =>
    server.replication.targets.list(bucket).map(({ id }) => engine.replicationCounts(bucket, id)),
  )
  const sent = counts.flat().reduce((sum, { completed, pending, failed }) => sum + completed + pending + failed, 0)
  expect(sent).toBe(20)
})

test('the rules of a bucket are removed with the status that clients of MinIO expect', async () => {
  const bucket = await pair()
  expect((await a.send({ method: 'DELETE', path: `/${bucket}`, query: 'replication=' })).status).toBe(200)
  expect((await a.send({ path: `/${bucket}`, query: 'replication=' })).status).toBe(404)
})

test('with a bucket go its targets, which have keys in them', async () => {
  const bucket = await pair()
  const targets = () => a.engine.listDocuments('remote-targets').filter(({ value }) => value.includes(`"${bucket}"`))
  expect(targets()).toHaveLength(1)
  await a.engine.deleteBucket(bucket, { force: true })
  await expect.poll(targets).toEqual([])
})

test('a store refuses itself as a target, and buckets that cannot take versions', async () => {
  const bucket = 'targets'
  await createVersionedBucket(from, bucket)
  const refused = async (to: { port: number; bucket: string; secretKey?: string }, more = {}) =>
    (await setReplicationTarget(a, bucket, to, more)).code
  expect(await refused({ port: a.port, bucket })).toBe('XMinioAdminRemoteIdenticalToSource')
  expect(await refused({ port: b.port, bucket: 'no-such' })).toBe('RemoteDestinationNotFoundError')
  expect(await refused({ port: b.port, bucket, secretKey: 'wrong-secret' })).toBe(
    'XMinioAdminReplicationRemoteConnectionError',
  )
  expect(await refused({ port: 9, bucket })).toBe('XMinioAdminReplicationRemoteConnectionError')
  expect(await refused({ port: b.port, bucket }, { endpoint: '169.254.169.254' })).toBe(
    'XMinioAdminReplicationRemoteConnectionError',
  )
  expect(await refused({ port: b.port, bucket }, { endpoint: 'user@host/path' })).toBe('XMinioAdminInvalidArgument')
  expect(await refused({ port: b.port, bucket }, { bandwidthlimit: 5 })).toBe(
    'XMinioAdminReplicationBandwidthLimitError',
  )
})

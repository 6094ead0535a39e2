import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
  PutObjectTaggingCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { testCertificate } from '@stowage/egress/testing'
import { afterAll, expect, test, vi } from 'vitest'
import {
  createVersionedBucket,
  listVersionLines,
  replicationRuleXml,
  setReplicationTarget,
  setUpReplication,
  startProxy,
  startSite,
  waitForSameVersions,
  waitShortly,
} from '../../testing/replication-sites.ts'
import type { HttpTestStore } from '../../testing/test-store.ts'

const HOUR_MS = 60 * 60_000
const [a, b, c] = await Promise.all([startSite(), startSite(), startSite()])
afterAll(() => Promise.all([a, b, c].map((site) => site[Symbol.asyncDispose]())))
const [from, to] = [a.s3(), b.s3()]

/** Enables the replication of changes of replicas. */
async function sendReplicaChanges(site: HttpTestStore, bucket: string, arn: string): Promise<void> {
  const modifications = '<ReplicaModifications><Status>Enabled</Status></ReplicaModifications>'
  const body = replicationRuleXml(arn, {}).replace(
    '</Rule>',
    `<SourceSelectionCriteria>${modifications}</SourceSelectionCriteria></Rule>`,
  )
  expect((await site.send({ method: 'PUT', path: `/${bucket}`, query: 'replication=', body })).text).toBe('')
}

const listCounts = (site: HttpTestStore, bucket: string) =>
  site.server.replication.targets.list(bucket).map(({ id }) => site.engine.replicationCounts(bucket, id))
const targetState = ({ server: { replication } }: HttpTestStore, bucket: string) =>
  replication.targets.list(bucket).map((target) => replication.targetState(target))[0]

test('a target that is lost in the middle gets everything when it is back, each version once', async () => {
  await using line = await startProxy(b.port)
  const bucket = 'lost-target'
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, bucket)))
  await setUpReplication(a, bucket, { port: line.port, bucket })
  const put = (i: number) => from.send(new PutObjectCommand({ Bucket: bucket, Key: `k${i}`, Body: `${i}` }))
  await Promise.all(Array.from({ length: 20 }, (_, i) => put(i)))
  await vi.waitFor(() => expect(listCounts(a, bucket)[0]?.completed).toBeGreaterThan(3), 60_000)
  await line.cut()
  await Promise.all(Array.from({ length: 20 }, (_, i) => put(20 + i)))
  await vi.waitFor(() => expect(targetState(a, bucket)).toMatchObject({ online: false }), 60_000)
  expect(listCounts(a, bucket)[0]).toMatchObject({ failed: 0 })
  const metrics = await a.send({ path: `/${bucket}`, query: 'replication-metrics=' })
  const [stats] = Object.values(JSON.parse(metrics.text).Stats) as { pendingSince?: string; currentBandwidth: number }[]
  expect(Math.abs(Date.parse(stats?.pendingSince ?? '') - Date.now())).toBeLessThan(HOUR_MS)
  await line.mend()
  expect(await waitForSameVersions(from, bucket, to, bucket)).toHaveLength(40)
  await vi.waitFor(
    () => expect(listCounts(a, bucket)[0]).toMatchObject({ completed: 40, pending: 0, failed: 0 }),
    60_000,
  )
})

test('a target that accepts requests and never answers keeps its changes, and holds up no other target', async () => {
  await using site = await startSite({ replication: { wait: waitShortly, answerMs: 300 } })
  const bucket = 'hanging'
  const s3 = site.s3()
  await Promise.all([s3, to, c.s3()].map((client) => createVersionedBucket(client, bucket)))
  let hangs = false
  await using line = await startProxy(b.port, (bytes) => (hangs ? Buffer.alloc(0) : bytes))
  const hanging = await setUpReplication(site, bucket, { port: line.port, bucket })
  const quick = JSON.parse((await setReplicationTarget(site, bucket, { port: c.port, bucket })).text) as string
  const [rule = ''] = /<Rule>.*<\/Rule>/.exec(replicationRuleXml(quick, { priority: 2 })) ?? []
  const body = replicationRuleXml(hanging, {}).replace('</Rule>', `</Rule>${rule.replace('<ID>r</ID>', '<ID>s</ID>')}`)
  expect((await site.send({ method: 'PUT', path: `/${bucket}`, query: 'replication=', body })).text).toBe('')
  hangs = true
  for (const Key of ['a', 'b', 'c']) await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }))
  expect(await waitForSameVersions(s3, bucket, c.s3(), bucket)).toHaveLength(3)
  await vi.waitFor(() => expect(targetState(site, bucket)).toMatchObject({ online: false }), 60_000)
  expect(targetState(site, bucket)?.reason).not.toBe('')
  expect(listCounts(site, bucket)).toMatchObject([
    { pending: 3, failed: 0 },
    { pending: 0, completed: 3 },
  ])
  hangs = false
  expect(await waitForSameVersions(s3, bucket, to, bucket)).toHaveLength(3)
})

test('a target whose bucket is removed keeps its changes until the bucket is there again', async () => {
  const bucket = 'bucket-gone'
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, bucket)))
  await setUpReplication(a, bucket, { port: b.port, bucket })
  await b.engine.deleteBucket(bucket, { force: true })
  await from.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'x' }))
  await vi.waitFor(() => expect(targetState(a, bucket)).toMatchObject({ online: false }), 60_000)
  expect(targetState(a, bucket)?.reason).toContain('does not exist')
  expect(listCounts(a, bucket)[0]).toMatchObject({ pending: 1, failed: 0 })
  await createVersionedBucket(to, bucket)
  expect(await waitForSameVersions(from, bucket, to, bucket)).toHaveLength(1)
})

test('what cannot be sent has failed with its reason, and holds up nothing else', async () => {
  const Bucket = 'not-sendable'
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, Bucket)))
  await setUpReplication(a, Bucket, { port: b.port, bucket: Bucket })
  await from.send(new PutObjectCommand({ Bucket, Key: 'sealed', Body: 'x', ServerSideEncryption: 'AES256' }))
  const key = randomBytes(32)
  const own = { SSECustomerAlgorithm: 'AES256', SSECustomerKey: key.toString('base64') }
  const SSECustomerKeyMD5 = createHash('md5').update(key).digest('base64')
  await from.send(new PutObjectCommand({ Bucket, Key: 'own-key', Body: 'x', ...own, SSECustomerKeyMD5 }))
  await from.send(new PutObjectCommand({ Bucket, Key: 'plain', Body: 'x' }))
  await vi.waitFor(
    () => expect(listCounts(a, Bucket)[0]).toMatchObject({ completed: 1, pending: 0, failed: 2 }),
    60_000,
  )
  expect((await listVersionLines(to, Bucket)).map((version) => version.split(' ')[0])).toEqual(['plain'])
  const { text } = await a.send({ path: '/minio/admin/v3/replication/mrf', query: `bucket=${Bucket}&node=` })
  const failures = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { object: string; error: string })
  expect(Object.fromEntries(failures.map(({ object, error }) => [object, error]))).toEqual({
    sealed: expect.stringContaining('TLS'),
    'own-key': expect.stringContaining('key of a customer'),
  })
})

test('a target without TLS where TLS was asked, and one without versioning, are refused and not kept', async () => {
  const bucket = 'refused'
  await createVersionedBucket(from, bucket)
  await to.send(new CreateBucketCommand({ Bucket: bucket }))
  expect((await setReplicationTarget(a, bucket, { port: b.port, bucket }, { secure: true })).code).toBe(
    'XMinioAdminReplicationRemoteConnectionError',
  )
  expect((await setReplicationTarget(a, bucket, { port: b.port, bucket })).code).toBe('RemoteTargetNotVersionedError')
  expect(a.server.replication.targets.list(bucket)).toEqual([])
})

test('a target whose certificate is not trusted is refused with that reason, and nothing is sent to it', async () => {
  const bucket = 'unknown-certificate'
  await createVersionedBucket(from, bucket)
  let requests = 0
  const server = createTlsServer(testCertificate, (_, response) => {
    requests++
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answer = await setReplicationTarget(
    a,
    bucket,
    { port, bucket },
    { secure: true, endpoint: `localhost:${port}` },
  )
  expect(answer.code).toBe('XMinioAdminReplicationRemoteConnectionError')
  expect(answer.text).toMatch(/certificate/)
  expect(requests).toBe(0)
  expect(a.server.replication.targets.list(bucket)).toEqual([])
  server.close()
})

test('a target whose clock is an hour off is refused with that reason; one whose clock goes wrong later keeps its changes', async () => {
  const bucket = 'wrong-clock'
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, bucket)))
  let isWrong = true
  // The target gets each request as if signed an hour earlier or later on the same day.
  const anHourOff = (_: string, day: string, hour: string) =>
    `x-amz-date: ${day}T${String(Number(hour) + (Number(hour) < 12 ? 1 : -1)).padStart(2, '0')}`
  const change = (bytes: Buffer) =>
    isWrong ? Buffer.from(bytes.toString('latin1').replace(/x-amz-date: (\d{8})T(\d\d)/gi, anHourOff), 'latin1') : bytes
  await using line = await startProxy(b.port, change)
  const refused = await setReplicationTarget(a, bucket, { port: line.port, bucket })
  expect(refused.code).toBe('XMinioAdminReplicationRemoteConnectionError')
  expect(refused.text).toContain('clocks')
  isWrong = false
  await setUpReplication(a, bucket, { port: line.port, bucket })
  isWrong = true
  await from.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'x' }))
  await vi.waitFor(() => expect(targetState(a, bucket)).toMatchObject({ online: false }), 60_000)
  expect(targetState(a, bucket)?.reason).toContain('clocks')
  expect(listCounts(a, bucket)[0]).toMatchObject({ pending: 1, failed: 0 })
  isWrong = false
  expect(await waitForSameVersions(from, bucket, to, bucket)).toHaveLength(1)
})

test('a ring of three comes to rest, because no replica is sent on', async () => {
  const bucket = 'ring'
  const sites = [a, b, c]
  await Promise.all(sites.map((site) => createVersionedBucket(site.s3(), bucket)))
  for (const [i, site] of sites.entries()) {
    const next = sites[(i + 1) % sites.length] ?? a
    await setUpReplication(site, bucket, { port: next.port, bucket })
  }
  await from.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'x' }))
  // Replicas are not replicated again: a version written at one site arrives only at the next one.
  expect(await waitForSameVersions(from, bucket, to, bucket)).toHaveLength(1)
  const rest = () => sites.map((site) => listCounts(site, bucket)[0])
  await vi.waitFor(() => expect(rest().map((counts) => counts?.pending)).toEqual([0, 0, 0]), 60_000)
  expect(rest().map((counts) => counts?.completed)).toEqual([1, 0, 0])
  expect(await listVersionLines(c.s3(), bucket)).toEqual([])
})

test('a ring of three that sends the changes of replicas comes to rest too', async () => {
  const Bucket = 'ring-of-changes'
  const sites = [a, b, c]
  await Promise.all(sites.map((site) => createVersionedBucket(site.s3(), Bucket)))
  for (const [i, site] of sites.entries()) {
    const next = sites[(i + 1) % sites.length] ?? a
    await sendReplicaChanges(site, Bucket, await setUpReplication(site, Bucket, { port: next.port, bucket: Bucket }))
  }
  await from.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }))
  await waitForSameVersions(from, Bucket, to, Bucket)
  const Tagging = { TagSet: [{ Key: 'at', Value: 'b' }] }
  await to.send(new PutObjectTaggingCommand({ Bucket, Key: 'k', Tagging }))
  const tagsAt = async (site: HttpTestStore) =>
    (await site.s3().send(new GetObjectTaggingCommand({ Bucket, Key: 'k' }))).TagSet
  await vi.waitFor(async () => expect(await tagsAt(c)).toEqual(Tagging.TagSet), 60_000)
  const rest = () => sites.map((site) => listCounts(site, Bucket)[0])
  await vi.waitFor(() => expect(rest().map((counts) => counts?.pending)).toEqual([0, 0, 0]), 60_000)
  const { completed = 0 } = rest()[1] ?? {}
  // The object `mark` is sent after everything that a change could have caused.
  await to.send(new PutObjectCommand({ Bucket, Key: 'mark', Body: 'x' }))
  await vi.waitFor(() => expect(rest()[1]).toMatchObject({ completed: completed + 1, pending: 0 }), 60_000)
})

test('two sites that write, tag, hold and delete one key at the same time end equal', async () => {
  const Bucket = 'same-time'
  const Key = 'k'
  await Promise.all([from, to].map((s3) => createVersionedBucket(s3, Bucket, true)))
  for (const [site, other] of [
    [a, b],
    [b, a],
  ] as const) {
    await sendReplicaChanges(site, Bucket, await setUpReplication(site, Bucket, { port: other.port, bucket: Bucket }))
  }
  const { VersionId } = await from.send(new PutObjectCommand({ Bucket, Key, Body: 'first' }))
  await waitForSameVersions(from, Bucket, to, Bucket)
  const version = { Bucket, Key, VersionId }
  const tag = (Value: string) =>
    new PutObjectTaggingCommand({ ...version, Tagging: { TagSet: [{ Key: 'site', Value }] } })
  await Promise.all([
    from.send(tag('a')),
    to.send(tag('b')),
    to.send(new PutObjectLegalHoldCommand({ ...version, LegalHold: { Status: 'ON' } })),
    from.send(new PutObjectCommand({ Bucket, Key, Body: 'from a' })),
    to.send(new PutObjectCommand({ Bucket, Key, Body: 'from b' })),
    from.send(new DeleteObjectCommand({ Bucket, Key })),
    to.send(new DeleteObjectCommand({ Bucket, Key })),
  ])
  const stateAt = async (s3: S3Client) => ({
    versions: await listVersionLines(s3, Bucket),
    tags: (await s3.send(new GetObjectTaggingCommand(version))).TagSet,
    hold: (await s3.send(new HeadObjectCommand(version))).ObjectLockLegalHoldStatus,
  })
  await vi.waitFor(async () => {
    const state = await stateAt(from)
    expect(state).toMatchObject({ hold: 'ON', tags: [{ Key: 'site' }] })
    expect(state.versions).toHaveLength(5)
    expect(await stateAt(to)).toEqual(state)
    expect([a, b].flatMap((site) => listCounts(site, Bucket)).map(({ pending }) => pending)).toEqual([0, 0])
  }, 60_000)
})

import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net'
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
import { certificate } from '@stowage/egress/testing'
import { afterAll, expect, test, vi } from 'vitest'
import {
  arrived,
  makeBucket,
  replicate,
  ruleDocument,
  setTarget,
  startSite,
  versionsOf,
} from './replication-testing.ts'
import type { TestStore } from './testing.ts'

const HOUR_MS = 60 * 60_000
const [a, b, c] = await Promise.all([startSite(), startSite(), startSite()])
afterAll(() => Promise.all([a, b, c].map((site) => site[Symbol.asyncDispose]())))
const [from, to] = [a.s3(), b.s3()]

/**
 * A line to a port that can be cut in the middle of requests, and mended.
 * @param change what becomes of the bytes that are sent to the port
 */
async function lineTo(port: number, change?: (bytes: Buffer) => Buffer) {
  const sockets = new Set<Socket>()
  const server: Server = createServer((near) => {
    const far = dial(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      if (change && one === near) one.on('data', (bytes: Buffer) => other.write(change(bytes)))
      else one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  const cut = async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  }
  const mend = async () => {
    server.listen(own, '127.0.0.1')
    await once(server, 'listening')
  }
  return { port: own, cut, mend, [Symbol.asyncDispose]: async () => (server.listening ? cut() : undefined) }
}

const countsOf = (site: TestStore, bucket: string) =>
  site.server.replication.targets.list(bucket).map(({ id }) => site.engine.replicationCounts(bucket, id))
const stateOf = ({ server: { replication } }: TestStore, bucket: string) =>
  replication.targets.list(bucket).map((target) => replication.state(target))[0]

test('a target that is lost in the middle gets everything when it is back, each version once', async () => {
  await using line = await lineTo(b.port)
  const bucket = 'lost-target'
  await Promise.all([from, to].map((s3) => makeBucket(s3, bucket)))
  await replicate(a, bucket, { port: line.port, bucket })
  const put = (i: number) => from.send(new PutObjectCommand({ Bucket: bucket, Key: `k${i}`, Body: `${i}` }))
  await Promise.all(Array.from({ length: 20 }, (_, i) => put(i)))
  await vi.waitFor(() => expect(countsOf(a, bucket)[0]?.completed).toBeGreaterThan(3), 60_000)
  await line.cut()
  await Promise.all(Array.from({ length: 20 }, (_, i) => put(20 + i)))
  await vi.waitFor(() => expect(stateOf(a, bucket)).toMatchObject({ online: false }), 60_000)
  expect(countsOf(a, bucket)[0]).toMatchObject({ failed: 0 })
  const metrics = await a.send({ path: `/${bucket}`, query: 'replication-metrics=' })
  const [stats] = Object.values(JSON.parse(metrics.text).Stats) as { pendingSince?: string; currentBandwidth: number }[]
  expect(Math.abs(Date.parse(stats?.pendingSince ?? '') - Date.now())).toBeLessThan(HOUR_MS)
  await line.mend()
  expect(await arrived(from, bucket, to, bucket)).toHaveLength(40)
  await vi.waitFor(() => expect(countsOf(a, bucket)[0]).toMatchObject({ completed: 40, pending: 0, failed: 0 }), 60_000)
})

test('a target without TLS where TLS was asked, and one without versioning, are refused and not kept', async () => {
  const bucket = 'refused'
  await makeBucket(from, bucket)
  await to.send(new CreateBucketCommand({ Bucket: bucket }))
  expect((await setTarget(a, bucket, { port: b.port, bucket }, { secure: true })).code).toBe(
    'XMinioAdminReplicationRemoteConnectionError',
  )
  expect((await setTarget(a, bucket, { port: b.port, bucket })).code).toBe('RemoteTargetNotVersionedError')
  expect(a.server.replication.targets.list(bucket)).toEqual([])
})

test('a target whose certificate is not trusted is refused with that reason, and nothing is sent to it', async () => {
  const bucket = 'unknown-certificate'
  await makeBucket(from, bucket)
  let requests = 0
  const server = createTlsServer(certificate, (_, response) => {
    requests++
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answer = await setTarget(a, bucket, { port, bucket }, { secure: true, endpoint: `localhost:${port}` })
  expect(answer.code).toBe('XMinioAdminReplicationRemoteConnectionError')
  expect(answer.text).toMatch(/certificate/)
  expect(requests).toBe(0)
  expect(a.server.replication.targets.list(bucket)).toEqual([])
  server.close()
})

test('a target whose clock is an hour off is refused with that reason; one whose clock goes wrong later keeps its changes', async () => {
  const bucket = 'wrong-clock'
  await Promise.all([from, to].map((s3) => makeBucket(s3, bucket)))
  let isWrong = true
  // The target sees each request as one that was signed an hour ago, or an hour ahead, on the same day.
  const anHourOff = (_: string, day: string, hour: string) =>
    `x-amz-date: ${day}T${String(Number(hour) + (Number(hour) < 12 ? 1 : -1)).padStart(2, '0')}`
  const change = (bytes: Buffer) =>
    isWrong ? Buffer.from(bytes.toString('latin1').replace(/x-amz-date: (\d{8})T(\d\d)/gi, anHourOff), 'latin1') : bytes
  await using line = await lineTo(b.port, change)
  const refused = await setTarget(a, bucket, { port: line.port, bucket })
  expect(refused.code).toBe('XMinioAdminReplicationRemoteConnectionError')
  expect(refused.text).toContain('clocks')
  isWrong = false
  await replicate(a, bucket, { port: line.port, bucket })
  isWrong = true
  await from.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'x' }))
  await vi.waitFor(() => expect(stateOf(a, bucket)).toMatchObject({ online: false }), 60_000)
  expect(stateOf(a, bucket)?.reason).toContain('clocks')
  expect(countsOf(a, bucket)[0]).toMatchObject({ pending: 1, failed: 0 })
  isWrong = false
  expect(await arrived(from, bucket, to, bucket)).toHaveLength(1)
})

test('a ring of three comes to rest, because no replica is sent on', async () => {
  const bucket = 'ring'
  const sites = [a, b, c]
  await Promise.all(sites.map((site) => makeBucket(site.s3(), bucket)))
  for (const [i, site] of sites.entries()) {
    const next = sites[(i + 1) % sites.length] ?? a
    await replicate(site, bucket, { port: next.port, bucket })
  }
  await from.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'x' }))
  // A replica is not sent on: what is written at one site arrives at the next, and no further.
  expect(await arrived(from, bucket, to, bucket)).toHaveLength(1)
  const rest = () => sites.map((site) => countsOf(site, bucket)[0])
  await vi.waitFor(() => expect(rest().map((counts) => counts?.pending)).toEqual([0, 0, 0]), 60_000)
  expect(rest().map((counts) => counts?.completed)).toEqual([1, 0, 0])
  expect(await versionsOf(c.s3(), bucket)).toEqual([])
})

test('two sites that write, tag, hold and delete one key at the same time end equal', async () => {
  const Bucket = 'same-time'
  const Key = 'k'
  await Promise.all([from, to].map((s3) => makeBucket(s3, Bucket, true)))
  for (const [site, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const arn = await replicate(site, Bucket, { port: other.port, bucket: Bucket })
    // Changes of replicas are sent as well.
    const modifications = '<ReplicaModifications><Status>Enabled</Status></ReplicaModifications>'
    const body = ruleDocument(arn, {}).replace(
      '</Rule>',
      `<SourceSelectionCriteria>${modifications}</SourceSelectionCriteria></Rule>`,
    )
    expect((await site.send({ method: 'PUT', path: `/${Bucket}`, query: 'replication=', body })).text).toBe('')
  }
  const { VersionId } = await from.send(new PutObjectCommand({ Bucket, Key, Body: 'first' }))
  await arrived(from, Bucket, to, Bucket)
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
    versions: await versionsOf(s3, Bucket),
    tags: (await s3.send(new GetObjectTaggingCommand(version))).TagSet,
    hold: (await s3.send(new HeadObjectCommand(version))).ObjectLockLegalHoldStatus,
  })
  await vi.waitFor(async () => {
    const state = await stateAt(from)
    expect(state).toMatchObject({ hold: 'ON', tags: [{ Key: 'site' }] })
    expect(state.versions).toHaveLength(5)
    expect(await stateAt(to)).toEqual(state)
    expect([a, b].flatMap((site) => countsOf(site, Bucket)).map(({ pending }) => pending)).toEqual([0, 0])
  }, 60_000)
})

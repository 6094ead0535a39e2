import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { PutBucketLifecycleConfigurationCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type HttpTestStore, startTestStore } from '../http/testing/test-store.ts'

/* Audit records of requests, as a webhook receives them. */

type Json = Record<string, unknown>

const hook = { lines: [] as Json[], tokens: new Set<string | undefined>(), status: 200, calls: 0 }
/** A webhook whose queue holds one batch only. */
const small = { lines: [] as Json[], status: 200 }
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.url === '/small') {
      if (small.status === 200) small.lines.push(...parseLines(chunks))
      response.writeHead(small.status).end()
      return
    }
    hook.calls++
    if (hook.status === 200) {
      hook.tokens.add(request.headers.authorization)
      hook.lines.push(...parseLines(chunks))
    }
    response.writeHead(hook.status).end()
  })
})

const parseLines = (chunks: Buffer[]) =>
  Buffer.concat(chunks)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json)

let store: HttpTestStore
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  store = await startTestStore({
    environment: {
      MINIO_AUDIT_WEBHOOK_ENABLE_PRIMARY: 'on',
      MINIO_AUDIT_WEBHOOK_ENDPOINT_PRIMARY: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ingest`,
      MINIO_AUDIT_WEBHOOK_AUTH_TOKEN_PRIMARY: 'a-token',
      MINIO_AUDIT_WEBHOOK_ENABLE_SMALL: 'on',
      MINIO_AUDIT_WEBHOOK_ENDPOINT_SMALL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/small`,
      MINIO_AUDIT_WEBHOOK_QUEUE_SIZE_SMALL: '1',
      MINIO_AUDIT_WEBHOOK_ENABLE_INTERNAL: 'on',
      MINIO_AUDIT_WEBHOOK_ENDPOINT_INTERNAL: 'http://169.254.169.254/latest',
    },
    events: { allow: '127.0.0.1', wait: () => new Promise((resolve) => setTimeout(resolve, 5)) },
  })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  server.close()
  server.closeAllConnections()
})
beforeEach(() => {
  hook.status = 200
})

const findRecords = (path: string) => hook.lines.filter((record) => record.requestPath === path)
const waitForRecord = async (path: string): Promise<Json> => {
  await expect.poll(() => findRecords(path).length).toBeGreaterThan(0)
  return findRecords(path)[0] as Json
}

/** In the form of the `info` call. */
async function targets(): Promise<Json[]> {
  const info = JSON.parse((await store.send({ path: '/minio/admin/v3/info' })).text) as { services: { audit: Json[] } }
  return info.services.audit
}

test('each request has a record with the members of this family, and without its credentials', async () => {
  const { status } = await store.send({ method: 'PUT', path: '/audited' })
  expect(status).toBe(200)
  const record = await waitForRecord('/audited')
  expect(record).toMatchObject({
    version: '1',
    deploymentid: store.engine.deploymentId,
    trigger: 'incoming',
    api: {
      name: 'CreateBucket',
      bucket: 'audited',
      status: 'OK',
      statusCode: 200,
      timeToResponse: expect.stringMatching(/^\d+ns$/),
      timeToResponseInNS: expect.stringMatching(/^\d+$/),
    },
    remotehost: expect.stringContaining('127.0.0.1'),
    requestID: expect.any(String),
    accessKey: 'rootuser',
  })
  expect(Date.parse(String(record.time))).toBeGreaterThan(Date.now() - 60_000)
  expect(JSON.stringify(record)).not.toMatch(/Signature=[0-9a-f]/)
  expect([...hook.tokens]).toEqual(['Bearer a-token'])
})

test('refused, anonymous and presigned requests are recorded, without signatures and keys', async () => {
  await store.send({ path: '/refused', credentials: 'anonymous', headers: { cookie: 'token=0123secret' } })
  expect(await waitForRecord('/refused')).toMatchObject({ api: { statusCode: 403 }, error: 'AccessDenied' })
  await store.send({
    rawPath: '/presigned/x',
    query: 'X-Amz-Signature=0123secret&X-Amz-Security-Token=0123secret',
    headers: {
      'x-amz-server-side-encryption-customer-key': '0123secret',
      referer: 'http://127.0.0.1/b/k?X-Amz-Signature=0123secret',
      'user-agent': `Bearer 0123secret ${'x'.repeat(5000)}`,
    },
    credentials: 'anonymous',
  })
  expect(String((await waitForRecord('/presigned/x')).userAgent)).toHaveLength(4097)
  expect(JSON.stringify(hook.lines)).not.toContain('0123secret')
})

test('each removal by a lifecycle rule has a record', async () => {
  const bucket = 'expiring'
  await store.engine.createBucket(bucket)
  for (const key of ['a', 'b']) await store.engine.putObject(bucket, key, Readable.from([Buffer.from('x')]), {})
  const Rules = [
    { ID: 'r', Status: 'Enabled' as const, Filter: { Prefix: '' }, Expiration: { Date: new Date('2020-01-01') } },
  ]
  const LifecycleConfiguration = { Rules }
  await store.s3().send(new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration }))
  await store.server.lifecycle.run()
  const removals = () =>
    hook.lines.filter(({ api }) => (api as Json).name === 'ILMExpiry' && (api as Json).bucket === bucket)
  await expect.poll(() => removals().length).toBe(2)
  expect(removals()).toMatchObject(
    ['a', 'b'].map((object) => ({
      trigger: 'ilm:expiry',
      api: { object, objects: [{ objectName: object, versionId: 'null' }], statusCode: 200 },
    })),
  )
  expect(new Set(removals().map(({ requestID }) => requestID)).size).toBe(2)
  await store.engine.deleteBucket(bucket, { force: true })
})

test('what a webhook does not take waits, and arrives once it does; no request waits for it', async () => {
  hook.status = 503
  const calls = hook.calls
  for (const name of ['first', 'second']) await store.send({ path: `/waiting/${name}` })
  await expect.poll(() => hook.calls).toBeGreaterThan(calls + 1)
  expect(findRecords('/waiting/first')).toEqual([])
  await expect.poll(targets).toContainEqual({ PRIMARY: { status: 'offline' } })
  hook.status = 200
  await waitForRecord('/waiting/second')
  expect(findRecords('/waiting/first')).toHaveLength(1)
  await expect.poll(targets).toContainEqual({ PRIMARY: { status: 'online' } })
})

test('an address of this machine that is not allowed receives nothing', async () => {
  await store.send({ path: '/unseen' })
  await waitForRecord('/unseen')
  await expect.poll(targets).toContainEqual({ INTERNAL: { status: 'offline' } })
})

test('a webhook whose queue was full receives the number of dropped records', async () => {
  const receivedPaths = () => small.lines.map(({ requestPath }) => requestPath)
  await store.send({ path: '/missed/before' })
  await expect.poll(receivedPaths).toContain('/missed/before')
  small.status = 503
  // Each of them is a batch of its own, because the other webhook has it before the next one is sent.
  for (const name of ['a', 'b', 'c']) {
    await store.send({ path: `/missed/${name}` })
    await waitForRecord(`/missed/${name}`)
  }
  small.status = 200
  await expect.poll(receivedPaths).toContain('/missed/a')
  await store.send({ path: '/missed/d' })
  await expect.poll(receivedPaths).toContain('/missed/d')
  expect(receivedPaths()).not.toContain('/missed/b')
  const gaps = () => small.lines.filter(({ event }) => event === 'audit:gap')
  await expect.poll(gaps).toMatchObject([{ tags: { count: '2' } }])
})

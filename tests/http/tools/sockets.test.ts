import { once } from 'node:events'
import { connect } from 'node:net'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { startConsoleBehindFaults } from '../../support/console/console-behind-faults.ts'
import { type LiveClient, openLiveClient } from '../../support/console/live-socket.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const trace = (query: Record<string, unknown> = {}, options = {}) => openLiveClient(c.root, 'trace', { query }, options)
const put = (bucket: string, key: string) => c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'sky' }))

test('a client without our subprotocol gets one record per frame, with the members of the specification first [TRC-08] [TRC-09]', async () => {
  const bucket = await c.newBucket()
  await using started = await trace({ path: `/${bucket}/` })
  await started.nextOfKind('started')
  const plain = await trace({ path: `/${bucket}/` }, { ours: false })
  // Open both before the request: the second has no frame for its start, but its call to the server comes after the first.
  let record: Record<string, unknown> | undefined
  plain.socket.on('message', (data) => (record ??= JSON.parse(String(data))))
  await expect
    .poll(async () => {
      await put(bucket, 'sky.txt')
      return record
    })
    .toBeDefined()
  await plain[Symbol.asyncDispose]()
  expect(Object.keys(record ?? {}).slice(0, 9)).toEqual([
    'host',
    'time',
    'client',
    'callStats',
    'api',
    'path',
    'query',
    'statusCode',
    'statusMsg',
  ])
  expect(record).toMatchObject({
    host: new URL(c.serverUrl).host,
    client: '127.0.0.1',
    api: 's3.PutObject',
    path: `/${bucket}/sky.txt`,
    statusCode: 200,
    statusMsg: 'OK',
  })
  const stats = record?.callStats as Record<string, unknown>
  expect(stats.duration).toMatch(/^[\d.]+(µs|ms|s)$/)
  expect(stats.rx).toBeGreaterThanOrEqual(3)
  expect(Date.parse(String(record?.time))).toBeGreaterThan(Date.now() - 60_000)
})

test('all filters apply together, and unselected kinds are not sent [TRC-08]', async () => {
  const bucket = await c.newBucket()
  await using live = await trace({ calls: 's3', method: 'get', statusCode: '404', path: bucket, funcname: 'getobject' })
  await live.nextOfKind('started')
  await put(bucket, 'there')
  await fetch(`${c.serverUrl}/${bucket}/anonymous`)
  const url = { params: { bucket }, query: { prefix: 'missing' } }
  await c.root.send('downloadObject', url as never)
  const record = await live.message()
  expect(record).toMatchObject({ api: 's3.GetObject', statusCode: 404, path: `/${bucket}/missing`, kind: 's3' })
})

test('credentials are taken out of headers and queries', async () => {
  const bucket = await c.newBucket()
  // MinIO reports a request that it refuses early as internal, and in 2021 not at all, such as one with a key of a client.
  await using live = await trace({ calls: 's3,internal', path: bucket })
  await live.nextOfKind('started')
  const query = 'X-Amz-Signature=0123secret&X-Amz-Security-Token=0123secret&x-%61mz-signature=0123secret'
  const headers = {
    authorization: 'AWS4-HMAC-SHA256 Credential=x/y, SignedHeaders=host, Signature=0123secret',
    cookie: 'token=0123secret',
    'x-amz-date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
    'x-amz-security-token': '0123secret',
  }
  const key = { 'x-amz-server-side-encryption-customer-key': '0123secret' }
  await fetch(`${c.serverUrl}/${bucket}/a?${query}`, { headers: { ...headers, ...key } })
  await fetch(`${c.serverUrl}/${bucket}/a?${query}`, { headers: { ...headers, 'x-harmless': 'kept' } })
  let text = ''
  while (!text.includes('kept')) text += JSON.stringify(await live.message())
  expect(text).not.toContain('0123secret')
})

test.each([
  ['calls', 's3,everything', 'calls in query should be some of'],
  ['threshold', 'soon', 'threshold in query is not a duration'],
  ['threshold', '-5ms', 'threshold in query is not a duration'],
  ['statusCode', 'teapot', 'statusCode in query should be a status'],
  ['path', 'x'.repeat(2000), 'path in query should be at most'],
])('a wrong %s (%s) closes with 1008 and its name', async (name, value, words) => {
  await using live = await trace({ [name]: value })
  expect((await live.nextOfKind('failed')).error.message).toContain(words)
  const { code, reason } = await live.closed
  expect(code).toBe(1008)
  expect(reason).toContain(words)
  expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123)
})

test('pages of other sites and invalid sessions get no socket, and a plain GET is answered with a hint', async () => {
  const foreign = { headers: { origin: 'https://evil.example' } }
  await expect(trace({}, foreign)).rejects.toMatchObject({ status: 403 })
  await expect(trace({}, { headers: { 'sec-fetch-site': 'cross-site' } })).rejects.toMatchObject({ status: 403 })
  await expect(trace({}, { headers: { authorization: 'Bearer made-up' } })).rejects.toMatchObject({ status: 401 })
  await using own = await trace({}, { headers: { origin: c.url } })
  await own.nextOfKind('started')
  const response = await c.root.send('trace', {})
  expect(response.status).toBe(426)
  expect(response.headers.get('upgrade')).toBe('websocket')
})

test('signing out closes the sockets of the session with 1008, and no others', async () => {
  const user = await c.newUser({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['admin:*'] }] })
  const [leaving, staying] = await Promise.all([0, 1].map(() => c.signIn(user.accessKey, user.secretKey)))
  if (!leaving || !staying) throw new Error('two sessions')
  await using one = await openLiveClient(leaving, 'trace', {})
  await using other = await openLiveClient(staying, 'trace', {})
  await one.nextOfKind('started')
  await leaving.call('logout', { body: {} } as never)
  expect(await one.closed).toEqual({ code: 1008, reason: 'The session has ended. Sign in again.' })
  await other.nextOfKind('started')
  expect(other.socket.readyState).toBe(other.socket.OPEN)
})

test('a frame beyond 32 KiB ends the connection, one within it is ignored', async () => {
  await using live = await trace()
  await live.nextOfKind('started')
  live.socket.send('ok')
  live.socket.send('x'.repeat(32 << 10))
  live.socket.send('x'.repeat((32 << 10) + 1))
  expect((await live.closed).code).toBe(1009)
})

// MinIO has eight listeners of a trace at most, and the sockets of others end at once.
ownStore.test('a session has 64 sockets at most; one that closes makes room', async () => {
  const caller = await c.signIn(c.rootUser, c.rootPassword)
  const open = () => openLiveClient(caller, 'trace', {})
  const all: LiveClient[] = await Promise.all(Array.from({ length: 64 }, open))
  await expect(open()).rejects.toMatchObject({ status: 429 })
  await all.pop()?.[Symbol.asyncDispose]()
  await expect
    .poll(async () => {
      try {
        all.push(await open())
        return true
      } catch {
        return false
      }
    })
    .toBe(true)
  await Promise.all(all.map((live) => live[Symbol.asyncDispose]()))
})

test('an offer of another protocol is answered in HTTP/1.1, with its body', async () => {
  const { hostname, port } = new URL(c.url)
  const socket = connect(Number(port), hostname)
  const body = JSON.stringify({ accessKey: 'nobody', secretKey: 'wrong-secret' })
  socket.write(
    `POST /api/v1/login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade, HTTP2-Settings, close\r\n` +
      `Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  )
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk))
  await once(socket, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  expect(answer).toContain('invalid Login')
})

test('after an interruption of the storage server, the gap is reported and the records continue', async () => {
  await using behind = await startConsoleBehindFaults(process.env.STOWAGE_TEST_SERVER)
  const { c, network } = behind
  await using live = await openLiveClient(c.root, 'trace', { query: { calls: 's3', method: 'PUT' } })
  await live.nextOfKind('started')
  await network.refuse()
  expect(await live.nextOfKind('interrupted')).toMatchObject({ retryMs: 500 })
  await network.accept()
  await live.nextOfKind('resumed')
  const bucket = await c.newBucket()
  expect(await live.message()).toMatchObject({ kind: 's3', path: expect.stringContaining(bucket) })
}, 40_000)

test('a server that answers with a page, or without the call, ends the socket with 1011', async () => {
  await using behind = await startConsoleBehindFaults(process.env.STOWAGE_TEST_SERVER)
  const { c, network } = behind
  const answer = (head: string, body: string) =>
    network.set({
      answer: { to: '/trace', with: `HTTP/1.1 ${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`, times: 1 },
    })
  answer('200 OK\r\nContent-Type: text/html', '<html><title>hi</title></html>')
  {
    await using live = await openLiveClient(c.root, 'trace', {})
    expect(await live.closed).toMatchObject({ code: 1011, reason: expect.stringContaining('web page') })
  }
  answer('426 Upgrade Required', '')
  {
    await using live = await openLiveClient(c.root, 'trace', {})
    expect((await live.nextOfKind('failed')).error).toMatchObject({ code: 501, cause: 'XMinioAdminVersionMismatch' })
    expect((await live.closed).code).toBe(1011)
  }
})

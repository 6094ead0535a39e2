import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createMadmin, LostRecords } from '@stowage/madmin'
import { readZip } from '@stowage/madmin/zip'
import { signHeaders } from '@stowage/sigv4'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine } from '../../../engine/open-engine.ts'
import { driveProbe } from '../../../lib/probe.ts'
import { ConsoleLog } from '../../../process/console-log.ts'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../../testing/test-store.ts'
import { temporaryName } from './drive-speedtest.ts'
import { neededSpace } from './object-speedtest.ts'

/* Streaming calls of the admin API, read with the client library that consoles use. */

let store: HttpTestStore
const LIMITS = { entries: 10, entryBytes: 64 << 20, totalBytes: 64 << 20 }
const consoleLog = new ConsoleLog()
const log = pino({ level: 'info', hooks: { streamWrite: consoleLog.take } }, { write: () => {} })
beforeAll(async () => {
  store = await startTestStore({ log, consoleLog, drives: 4 })
})
afterAll(async () => await store[Symbol.asyncDispose]())

const client = () => createMadmin({ endpoint: store.url, credentials: ROOT_CREDENTIALS })
type Json = Record<string, unknown>

async function* records(stream: AsyncIterable<unknown>): AsyncGenerator<Json> {
  for await (const record of stream) {
    expect(record).not.toBeInstanceOf(LostRecords)
    yield record as Json
  }
}

async function first(stream: AsyncIterable<unknown>): Promise<Json> {
  for await (const record of records(stream)) return record
  throw new Error('the stream ended')
}

test('trace: a request as a server of 2025 reports it', async () => {
  const stream = await client().trace({ kinds: ['s3'] })
  await store.send({ method: 'PUT', path: '/traced' })
  expect(await first(stream)).toMatchObject({
    type: 4,
    nodename: new URL(store.url).host,
    funcname: 's3.CreateBucket',
    path: '/traced',
    dur: expect.any(Number),
    http: {
      request: { method: 'PUT', path: '/traced', rawquery: '', client: expect.stringContaining('127.0.0.1') },
      response: { statuscode: 200, headers: { 'X-Amz-Request-Id': [expect.any(String)] } },
      stats: { inputbytes: 0, timetofirstbyte: expect.any(Number) },
    },
  })
})

test.each([
  ['internal alone', { kinds: ['internal'] }, '/minio/health/live', 'health.live'],
  ['failures alone', { kinds: ['s3'], onlyErrors: true }, '/no-such-bucket', 's3.ListObjects'],
])('trace: %s', async (_, options, path, name) => {
  const stream = await client().trace(options)
  await store.send({ path: '/' })
  await store.send({ path })
  expect((await first(stream)).funcname).toBe(name)
})

test('trace: the work on drives for a request, with its ID', async () => {
  await store.send({ method: 'PUT', path: '/worked' })
  const leaving = new AbortController()
  const stream = await client().trace({ kinds: ['storage', 'os'], signal: leaving.signal })
  const put = await store.send({ method: 'PUT', path: '/worked/key', body: Buffer.alloc(300_000, 'x') })
  const get = await store.send({ path: '/worked/key' })
  const done = new Map<string, string[]>()
  const id = (answer: typeof put) => String(answer.headers['x-amz-request-id'])
  for await (const record of records(stream)) {
    expect(record).toMatchObject({ time: expect.any(String), dur: expect.any(Number), path: expect.any(String) })
    const request = (record.custom as Json | undefined)?.requestID
    const names = done.get(String(request)) ?? []
    done.set(String(request), [...names, `${record.type} ${record.funcname}`])
    if (done.get(id(get))?.includes('2 storage.OpenBlob')) break
  }
  leaving.abort()
  expect(done.get(id(put))).toEqual(
    expect.arrayContaining([
      '1 os.Open',
      '2 storage.WriteBlob',
      '1 os.Fdatasync',
      '2 storage.AppendJournal',
      '2 storage.ApplyIndex',
    ]),
  )
  expect(done.get(id(get))).not.toContain('2 storage.WriteBlob')
})

test('trace: for S3 requests only, no work on drives is recorded; the probe is off without listeners', async () => {
  const leaving = new AbortController()
  const stream = await client().trace({ kinds: ['s3'], signal: leaving.signal })
  expect(driveProbe.isOn).toBe(false)
  await store.send({ method: 'PUT', path: '/not-worked' })
  expect((await first(stream)).type).toBe(4)
  const work = await client().trace({ kinds: ['os'], signal: leaving.signal })
  expect(driveProbe.isOn).toBe(true)
  leaving.abort()
  await work[Symbol.asyncIterator]()
    .next()
    .catch(() => undefined)
  await expect.poll(() => driveProbe.isOn).toBe(false)
})

test('trace: a threshold keeps quick requests away, and nonsense is refused', async () => {
  await expect(client().trace({ kinds: ['s3'], thresholdNs: Number.NaN })).rejects.toMatchObject({ status: 400 })
  const leaving = new AbortController()
  const stream = await client().trace({ kinds: ['s3'], thresholdNs: 3600e9, signal: leaving.signal })
  const all = await client().trace({ kinds: ['s3'] })
  const seen: unknown[] = []
  const reading = (async () => {
    for await (const record of stream) seen.push(record)
  })()
  await store.send({ path: '/' })
  await first(all)
  leaving.abort()
  await reading.catch(() => undefined)
  expect(seen).toEqual([])
})

test('trace: the server notices that a listener has left', async () => {
  const running = () => store.server.recorder.running
  await expect.poll(running).toBe(0)
  const controller = new AbortController()
  const stream = await client().trace({ kinds: ['s3'], signal: controller.signal })
  expect(running()).toBe(1)
  // Healing goes on at full speed while someone only listens.
  expect(store.server.recorder.isBusy).toBe(false)
  const reading = (async () => {
    for await (const _ of stream);
  })()
  controller.abort()
  await reading.catch(() => undefined)
  await expect.poll(running).toBe(0)
})

test('trace: a listener that does not read holds nothing up, and learns how much it missed', async () => {
  const signed = signedHeaders('/minio/admin/v3/trace', 's3=true')
  const request = get(`${store.url}/minio/admin/v3/trace?s3=true`, { headers: signed })
  const [response] = await once(request, 'response')
  response.pause()
  // Long records: at most 4 MiB are buffered, plus some in the kernel.
  const headers = { 'x-pad': 'x'.repeat(20_000) }
  for (let i = 0; i < 800; i += 50)
    await Promise.all(Array.from({ length: 50 }, () => fetch(`${store.url}/b/k`, { headers })))
  let text = ''
  response.setEncoding('utf8')
  const told = new Promise<void>((resolve) =>
    response.on('data', (chunk: string) => {
      text = (text + chunk).slice(-100_000)
      if (text.includes('stowage.Dropped')) resolve()
    }),
  )
  response.resume()
  await told
  request.destroy()
  expect(text).toMatch(/"funcname":"stowage.Dropped".*"count":"\d+"/)
})

test('log: sends the latest lines, then each new line, without secrets', async () => {
  log.warn({ drive: '/d/1' }, 'a drive is slow')
  log.error({ err: new Error('bad Signature=abcdef0123'), requestId: 'R1' }, 'request failed')
  const lines = records(await client().consoleLog({ limit: 2 }))
  expect((await lines.next()).value).toMatchObject({
    level: 'WARNING',
    message: 'a drive is slow',
    error: { variables: { drive: '/d/1' } },
    ConsoleMsg: '',
    node: new URL(store.url).host,
  })
  const failure = (await lines.next()).value as Json
  expect(failure).toMatchObject({ level: 'ERROR', requestID: 'R1', error: { source: expect.arrayContaining([]) } })
  expect(JSON.stringify(failure)).not.toContain('abcdef0123')
  log.fatal('the end')
  expect((await lines.next()).value).toMatchObject({ level: 'FATAL', message: 'the end' })
  await lines.return(undefined)
})

test('log: by level, and by node', async () => {
  const errors = await client().consoleLog({ logType: 'fatal', limit: 100 })
  expect(await first(errors)).toMatchObject({ message: 'the end' })
  const here = await client().consoleLog({ node: new URL(store.url).hostname, logType: 'fatal' })
  expect(await first(here)).toMatchObject({ message: 'the end' })
  const elsewhere = await client().consoleLog({ node: 'other' })
  const reader = elsewhere[Symbol.asyncIterator]()
  log.warn('not for them')
  expect(await Promise.race([reader.next(), first(await client().consoleLog({ limit: 1 }))])).toMatchObject({
    message: 'not for them',
  })
})

test('healthinfo: grows section by section and ends; strictly masked it names neither host nor folder', async () => {
  const seen: Json[] = []
  for await (const part of records(await client().healthInfo({ deadlineMs: 60_000, anonymize: false }))) seen.push(part)
  expect(seen.length).toBeGreaterThan(8)
  expect(seen[0]).toEqual({ version: '3', timestamp: expect.any(String), sys: {}, minio: {} })
  const whole = JSON.stringify(seen.at(-1))
  const { host } = new URL(store.url)
  const [{ path = '' } = {}] = store.engine.drives()
  expect(whole).toContain(path)
  expect(whole).toContain(host)
  expect(seen.at(-1)).toMatchObject({
    sys: { cpus: [{}], partitions: [{}], meminfo: [{}], procinfo: [{}] },
    minio: { info: { mode: 'online' } },
  })
  const masked: Json[] = []
  for await (const part of records(await client().healthInfo({ deadlineMs: 60_000, anonymize: true })))
    masked.push(part)
  const text = JSON.stringify(masked.at(-1))
  expect(text).toContain('drive4')
  for (const secret of [path, host, ROOT_CREDENTIALS.secretKey]) expect(text).not.toContain(secret)
})

test('no request holds a lock', async () => {
  const answer = await store.send({ path: '/minio/admin/v3/top/locks', query: 'count=10&stale=false' })
  expect(JSON.parse(answer.text)).toEqual([])
})

test('profile: where the time goes and what allocates, and no secret', async () => {
  const archive = await client().profile({ kinds: ['cpu', 'mem'], durationMs: 150 })
  const files = new Map(readZip(archive, LIMITS).map(({ name, content }) => [name, content.toString()]))
  const host = new URL(store.url).host.replace(':', '_')
  expect([...files.keys()]).toEqual([
    'cluster.info',
    `profile-${host}-cpu.cpuprofile`,
    `profile-${host}-mem.heapprofile`,
  ])
  expect(JSON.parse(files.get(`profile-${host}-cpu.cpuprofile`) ?? '')).toMatchObject({ nodes: expect.any(Array) })
  expect(JSON.parse(files.get(`profile-${host}-mem.heapprofile`) ?? '')).toMatchObject({ head: {} })
  for (const content of files.values()) expect(content).not.toContain(ROOT_CREDENTIALS.secretKey)
})

test('profiling: one at a time; it is started and fetched in two calls as well', async () => {
  const send = async (method: string, path: string, query = '') =>
    await store.send({ method, path: `/minio/admin/v3/${path}`, query, region: '' })
  expect((await send('GET', 'profiling/download')).code).toBe('InvalidRequest')
  expect(JSON.parse((await send('POST', 'profiling/start', 'profilerType=cpu')).text)).toMatchObject([
    { success: true },
  ])
  expect((await send('POST', 'profiling/start', 'profilerType=cpu')).code).toBe('SlowDown')
  expect((await send('POST', 'profile', 'profilerType=mem&duration=1s')).code).toBe('SlowDown')
  const fetched = await Promise.all([send('GET', 'profiling/download'), send('GET', 'profiling/download')])
  expect(fetched.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(readZip(fetched.find(({ status }) => status === 200)?.body ?? Buffer.alloc(0), LIMITS)).toHaveLength(2)
  expect((await send('GET', 'profiling/download')).status).toBe(400)
})

test.each([
  ['profile', 'profilerType=goroutines'],
  ['profile', ''],
  ['profile', 'profilerType=cpu&duration=61s'],
  ['profile', 'profilerType=cpu&duration=1ms'],
  ['profile', 'profilerType=cpu&duration=soon'],
  ['profiling/start', 'profilerType=cpu,trace'],
  ['speedtest/drive', 'filesize=1073741825'],
  ['speedtest/drive', 'filesize=-1'],
  ['speedtest/drive', 'blocksize=1e9'],
  ['speedtest', 'size=1073741825'],
  ['speedtest', 'concurrent=129'],
  ['speedtest', 'duration=61s'],
  ['speedtest/object', 'duration=99ms'],
])('%s with "%s" is refused', async (path, query) => {
  const answer = await store.send({ method: 'POST', path: `/minio/admin/v3/${path}`, query, region: '' })
  expect(answer.code).toBe('XMinioAdminInvalidArgument')
})

test('speedtest/drive: each drive is written and read, and its file is gone afterwards', async () => {
  const answer = await first(await client().driveSpeedtest({ fileBytes: 1 << 20, blockBytes: 1 << 16, serial: false }))
  const drives = store.engine.drives().map(({ path }) => path)
  expect(answer).toMatchObject({ endpoint: new URL(store.url).host, drivePerf: drives.map((path) => ({ path })) })
  for (const drive of answer.drivePerf as Json[]) {
    expect(drive.error).toBeUndefined()
    expect(Math.min(Number(drive.readThroughput), Number(drive.writeThroughput))).toBeGreaterThan(0)
  }
  for (const drive of drives) expect(await readdir(join(drive, 'tmp'))).toEqual([])
})

test('speedtest/drive: what a killed store left of its file is gone at the next start', async () => {
  const data = await mkdtemp(join(tmpdir(), 'stowage-speedtest-'))
  const drives = [join(data, 'drive1'), join(data, 'drive2')]
  const open = async () => await openEngine({ data: join(data, 'data'), drives, minFree: 0 })
  await (await open()).close()
  for (const drive of drives) await writeFile(join(drive, 'tmp', temporaryName()), 'x')
  await (await open()).close()
  for (const drive of drives) expect(await readdir(join(drive, 'tmp'))).toEqual([])
  await rm(data, { recursive: true })
})

test('speedtest: objects are uploaded and downloaded; their bucket is not listed, sends no events, and is gone', async () => {
  const events: unknown[] = []
  const stop = store.server.events.listen(
    { events: ['s3:ObjectCreated:*', 's3:BucketCreated:*'], prefix: '', suffix: '' },
    (event) => events.push(event),
  )
  const stream = await client().objectSpeedtest({ objectBytes: 200_000, concurrent: 2, durationMs: 150 })
  let last: Json = {}
  for await (const value of records(stream)) {
    expect((await store.send({})).text).not.toContain('.speedtest')
    last = value
  }
  stop()
  expect(last).toMatchObject({
    servers: 1,
    disks: 4,
    size: 200_000,
    concurrent: 2,
    version: expect.stringMatching(/./),
  })
  for (const stats of [last.PUTStats, last.GETStats] as Json[]) {
    expect(stats).toMatchObject({
      throughputPerSec: expect.any(Number),
      responseTime: { p99: expect.any(Number) },
      servers: [{ endpoint: new URL(store.url).host, err: '' }],
    })
    expect(Number(stats.objectsPerSec)).toBeGreaterThan(0)
  }
  expect(events).toEqual([])
})

test('speedtest: small objects are counted with all that they need on the drives', async () => {
  const data = await mkdtemp(join(tmpdir(), 'stowage-speedtest-'))
  const drives = [1, 2, 3, 4].map((n) => join(data, `drive${n}`))
  const engine = await openEngine({ data: join(data, 'data'), drives, minFree: 0 })
  await engine.createBucket('b')
  const used = async () => {
    const files = await readdir(data, { recursive: true })
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(data, file))).blocks * 512))
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  for (const size of [1, 70_000]) {
    const before = await used()
    const content = Buffer.alloc(size, 'x')
    const put = (key: number) => engine.putObject('b', `${size}-${key}`, Readable.from([content]), { size })
    await Promise.all(Array.from({ length: 100 }, (_, key) => put(key)))
    console.log(size, ((await used()) - before) / 200)
    expect((await used()) - before).toBeLessThan(2 * 100 * neededSpace(size))
  }
  await engine.close()
  await rm(data, { recursive: true })
})

test('speedtest: what a killed store left of its objects is gone at the next start', async () => {
  const data = await mkdtemp(join(tmpdir(), 'stowage-speedtest-'))
  const drives = [join(data, 'drive1'), join(data, 'drive2')]
  const open = async () => await openEngine({ data: join(data, 'data'), drives, minFree: 0 })
  const first = await open()
  await first.createBucket('.speedtest-1')
  await first.putObject('.speedtest-1', 'key', Readable.from([Buffer.alloc(300_000)]), {})
  await first.close()
  const second = await open()
  expect(() => second.getBucket('.speedtest-1')).toThrow('does not exist')
  await expect.poll(() => second.drives().reduce((sum, { used }) => sum + used, 0)).toBe(0)
  await second.close()
  await rm(data, { recursive: true })
})

test('a bucket of a user cannot have the name of a bucket of the store', async () => {
  expect((await store.send({ method: 'PUT', path: '/.speedtest-2' })).code).toBe('InvalidBucketName')
})

test('a store that closes ends its streams', async () => {
  const other = await startTestStore()
  const stream = await createMadmin({ endpoint: other.url, credentials: ROOT_CREDENTIALS }).trace({ kinds: ['s3'] })
  const ended = (async () => {
    for await (const _ of stream);
  })()
  await other[Symbol.asyncDispose]()
  await ended
})

function signedHeaders(path: string, query: string): Record<string, string> {
  const { host } = new URL(store.url)
  const payloadHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  return signHeaders(
    { method: 'GET', path, query, headers: { host } },
    { credentials: ROOT_CREDENTIALS, region: '', service: 's3', payloadHash },
  ).headers
}

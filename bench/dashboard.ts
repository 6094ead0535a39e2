/**
 * Measures metrics, their history and healing: `npx tsx bench/dashboard.ts [--runs 5] [--buckets 5000] [--days 60]
 * [--objects 1000] [--only WORD]`. Needs a build. The sizes of the issue are `--days 400 --objects 100000`, which take about
 * half an hour. The default sizes take about three minutes. Parts, for `--only`: history, buckets, counters, store, chunk, peer.
 * Each figure has its target beside it. With `--peer FILE`, a MinIO program, the part peer measures a heal beside that server.
 */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { pino } from 'pino'
import { samplesOf } from '../apps/server/src/lib/metrics/bucket-usage.ts'
import { evaluate } from '../apps/server/src/lib/metrics/evaluate.ts'
import { History } from '../apps/server/src/lib/metrics/history.ts'
import { BUCKET_LEVELS, LEVELS, type Level } from '../apps/server/src/lib/metrics/levels.ts'
import { MetricsThread } from '../apps/server/src/lib/metrics/metrics-thread.ts'
import type { Sample } from '../apps/server/src/lib/metrics/text-format.ts'
import { WIDGETS } from '../apps/server/src/lib/metrics/widgets.ts'
import { openEngine } from '../packages/object-store/src/engine/index.ts'
import { RequestCounters } from '../packages/object-store/src/http/metrics/counters.ts'
import type { Recorder, RequestRecord } from '../packages/object-store/src/http/recorder.ts'
import type { TestConsole } from '../tests/support/console.ts'
import { startProduct } from './console.ts'
import { timed } from './measure.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    buckets: { type: 'string', default: '5000' },
    days: { type: 'string', default: '60' },
    objects: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    peer: { type: 'string', default: '' },
    'peer-port': { type: 'string', default: '24150' },
    // Of the process that this program starts to measure the memory of the sampler: the storage server.
    sampled: { type: 'string' },
  },
})
const [runs, buckets, days, objects] = [values.runs, values.buckets, values.days, values.objects].map(Number) as [
  number,
  number,
  number,
  number,
]
const DAY = 86_400
const MiB = 1 << 20
const CLIENTS = 32
const KIB = Buffer.alloc(1024)
/** The widgets of the tab Summary. */
const SUMMARY = [1, 64, 65, 68, 52, 44, 61, 80, 81, 66, 62, 53, 63, 50, 69, 70, 9, 78]

/** Buckets whose history is simulated. */
const HISTORY_BUCKETS = 1000
/** A console rewrites the current files once a minute; simulated days are written less often, to end in time. */
const SAVE_EVERY = 24

if (!values.sampled) console.log('| what | target | measured |\n|---|---|---|')
const add = (what: string, target: string, figure: string) => console.log(`| ${what} | ${target} | ${figure} |`)
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`

const folder = await mkdtemp(join(tmpdir(), 'stowage-bench-'))
try {
  const parts = {
    history: benchHistory,
    buckets: benchBuckets,
    counters: benchCounters,
    store: benchStore,
    chunk: benchChunk,
    peer: benchPeer,
  }
  if (values.sampled) await benchThread(values.sampled)
  else for (const [name, bench] of Object.entries(parts)) if (name.includes(values.only)) await bench()
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function openHistory(name: string, levels: readonly [Level, ...Level[]], gap: number): Promise<History> {
  const log = pino({ enabled: false })
  const history = new History({ folder: join(folder, name), levels, maxBytes: 512 * MiB, gap, log })
  await history.open()
  return history
}

async function sizeOf(name: string): Promise<number> {
  const path = join(folder, name)
  const sizes = await Promise.all((await readdir(path)).map(async (file) => (await stat(join(path, file))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Simulated days of 200 series: a sample per 5 minutes, of which only the last day is kept as sampled, then per 15 s. */
async function benchHistory(): Promise<void> {
  const metrics = [...new Set(WIDGETS.flatMap(({ targets }) => targets.map(({ from }) => from[0])))]
  const each = Math.ceil(200 / metrics.length)
  const at = (n: number): Sample[] =>
    metrics.flatMap(({ metric, by }) =>
      Array.from({ length: each }, (_, i) => ({
        metric,
        labels: Object.fromEntries(['server', ...by].map((label) => [label, `${label}-${i}`])),
        value: n * (i + 1) + Math.random() * 100,
      })),
    )
  const history = await openHistory('widgets', LEVELS, 750)
  const end = Math.floor(Date.now() / 1000)
  let time = end - days * DAY
  for (let n = 0; time < end - DAY; n++, time += 300) {
    history.append(time, at(n))
    if (n % 288 === 0) await history.save()
  }
  for (; time < end - 3600; time += 15) history.append(time, at(time))
  await history.save()
  collect()
  const heap = process.memoryUsage()
  const cpu = process.cpuUsage()
  let samples = 0
  for (; time < end; samples++, time += 15) {
    history.append(time, at(time))
    // Once a minute.
    if (samples % 4 === 0) await history.save()
  }
  await history.save()
  const used = process.cpuUsage(cpu)
  const count = metrics.length * each
  add(`sampler: CPU of a sample, ${count} series`, '–', ms((used.user + used.system) / 1000 / samples))
  add(`sampler: share of a core, every 15 s`, '–', `${((used.user + used.system) / 1e4 / samples / 15).toFixed(3)} %`)
  collect()
  const after = process.memoryUsage()
  add('sampler: growth of memory over the last simulated hour', '0', `${mib(bytesOf(after) - bytesOf(heap))} MiB`)
  add(
    `history: bytes of ${count} series after ${days} days`,
    '≤ 100 MB (400 days)',
    `${mib(await sizeOf('widgets'))} MiB`,
  )

  const graph = WIDGETS.find(({ id }) => id === 60)
  for (const [name, seconds] of [
    ['15 min', 900],
    ['30 days', 30 * DAY],
    ['a year', 365 * DAY],
  ] as const) {
    const range = { start: end - seconds, end, step: Math.max(15, Math.ceil(seconds / 60)) }
    const took = await median(async () => {
      for (const target of graph?.targets ?? []) await evaluate(target, history, range)
    })
    add(`a widget of ${each} lines over ${name}`, '≤ 20 ms', ms(took))
    const all = await median(async () => {
      await Promise.all(
        WIDGETS.filter(({ id }) => SUMMARY.includes(id)).flatMap(({ targets }) =>
          targets.map((target) => evaluate(target, history, range)),
        ),
      )
    })
    add(`the widgets of the tab Summary over ${name}`, '≤ 150 ms', ms(all))
  }
}

/** The usage of buckets: an hour apart, which is as fine as it is kept beyond the last two hours. */
async function benchBuckets(): Promise<void> {
  const history = await openHistory('buckets', BUCKET_LEVELS, 7200)
  const count = HISTORY_BUCKETS
  const end = Math.floor(Date.now() / 1000)
  const usage = (n: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `bucket-${i}`,
        // A tenth of the buckets changes all the time.
        { size: i % 10 === 0 ? n * i : i, objects: i % 10 === 0 ? n : 1, versions: i % 10 === 0 ? n : 1 },
      ]),
    )
  const cpu = process.cpuUsage()
  let samples = 0
  for (let time = end - days * DAY; time < end; samples++, time += 3600) {
    const answer = {
      lastUpdate: 'now',
      size: samples,
      objects: samples,
      versions: samples,
      bucketUsage: usage(samples),
    }
    history.append(time, samplesOf(answer as unknown as Parameters<typeof samplesOf>[0]))
    if (samples % SAVE_EVERY === 0) await history.save()
  }
  await history.save()
  const used = process.cpuUsage(cpu)
  add(
    `usage of ${count} buckets: CPU of a sample, written once in ${SAVE_EVERY}`,
    '–',
    ms((used.user + used.system) / 1000 / samples),
  )
  const bytes = (await sizeOf('buckets')) + (await sizeOf('widgets').catch(() => 0))
  add(`history: bytes with ${count} buckets after ${days} days`, '≤ 100 MB (400 days)', `${mib(bytes)} MiB`)
}

async function benchStore(): Promise<void> {
  const data = join(folder, 'store')
  const drives = [1, 2, 3, 4].map((n) => join(data, 'drives', String(n)))
  await mkdir(data)
  const engine = await openEngine({ data, drives, minFree: 0 })
  const names = Array.from({ length: buckets }, (_, i) => `bucket-${i}`)
  await together(names, async (name) => void (await engine.createBucket(name)))
  await engine.close()
  const c = await startProduct({ data, env: { STOWAGE_METRICS_INTERVAL: '2' } })
  try {
    const bodies = Array.from({ length: objects }, (_, i) => `k${i}`)
    // More than 16 KiB, so that they are in files and the drive has something to heal.
    await together(bodies, async (Key) => {
      await c.s3.send(new PutObjectCommand({ Bucket: 'bucket-0', Key, Body: Buffer.alloc(20_000, Key) }))
    })
    const { scrape_config } = await c.call('connectPrometheus', {})
    const [, token = ''] = /bearer_token: (\S+)/.exec(scrape_config) ?? []
    const scrape = async (name: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${c.serverUrl}/minio/v2/metrics/${name}`, { headers })
      if (!answer.ok) throw new Error(`${name} answered ${answer.status}`)
      await answer.arrayBuffer()
    }
    for (const name of ['cluster', 'bucket'])
      add(`scrape of ${name}, ${buckets} buckets`, '–', ms(await median(() => scrape(name))))
    await inOwnProcess(c)
    const gets = () => latencies(c, 2000)
    await gets()
    add(`p99 of ${CLIENTS} clients that read`, '–', ms(percentile(await gets())))
    let stop = false
    const scraping = (async () => {
      while (!stop) await Promise.all([scrape('cluster'), scrape('bucket')])
    })()
    add(`p99 of ${CLIENTS} clients, scraped without a pause`, '–', ms(percentile(await gets())))
    stop = true
    await scraping

    const ids = SUMMARY.join(',')
    const tab = async () => {
      const answer = await c.root.send('getWidgets', { query: { ids } })
      if ((await answer.text()).trim().split('\n').length !== SUMMARY.length) throw new Error('widgets are missing')
    }
    add('GET the widgets of the tab Summary, over HTTP', '≤ 150 ms', ms(await median(tab)))
    await benchHeal(c, drives[1] ?? '', gets)
  } finally {
    await c[Symbol.asyncDispose]()
  }
}

/** Measures the sampler in a process that has done nothing else, because memory that was freed would hide its growth. */
async function inOwnProcess(c: TestConsole): Promise<void> {
  const child = fork(import.meta.filename, ['--sampled', c.serverUrl, '--buckets', String(buckets)], {
    env: { ...process.env, SAMPLER_USER: c.rootUser, SAMPLER_PASSWORD: c.rootPassword },
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the process of the sampler ended with ${code}`)
}

/** Samples in this process and its worker, as a console does. */
async function benchThread(server: string): Promise<void> {
  const credentials = { accessKey: process.env.SAMPLER_USER ?? '', secretKey: process.env.SAMPLER_PASSWORD ?? '' }
  const log = pino({ enabled: false })
  const size = 512 * MiB
  const settings = {
    server,
    caFile: undefined,
    folder: join(folder, 'thread'),
    interval: { widgets: 15, buckets: 300 },
    maxBytes: { widgets: size, buckets: size },
  }
  const started = async () => {
    const thread = new MetricsThread({ settings, log })
    await thread.ask('widget', 1, { start: 0, end: 1, step: 1 })
    return thread
  }
  collect()
  const before = process.memoryUsage()
  const thread = await started()
  const idle = process.memoryUsage()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const cpu = process.cpuUsage()
  const took: number[] = []
  // An hour: 12 samples of the buckets, 240 of the widgets.
  for (let n = 0; n < 240; n++) {
    await thread.ask('sample', 'widgets', credentials)
    if (n % 20 === 0) took.push(await timed(() => thread.ask('sample', 'buckets', credentials)))
  }
  const used = process.cpuUsage(cpu)
  const listed = Array.from({ length: buckets }, (_, i) => ({ name: `bucket-${i}`, createdAt: 0, limit: 1e12 }))
  const all = await timed(() => thread.ask('allUsage', listed, 30, 1e12))
  delay.disable()
  const grown = process.memoryUsage()
  collect()
  const after = process.memoryUsage()
  const what = `sampler, ${buckets} buckets, an hour of samples`
  add(`${what}: memory of the main thread`, '≤ 20 MB', `${mib(bytesOf(after) - bytesOf(before))} MiB`)
  add(`${what}: the process with the worker (RSS)`, '–', `${mib(grown.rss - before.rss)} MiB`)
  add('sampler: the worker alone when it has started (RSS)', '–', `${mib(idle.rss - before.rss)} MiB`)
  add(`${what}: longest delay of the main thread`, '–', ms(delay.max / 1e6))
  add(`${what}: share of a core, both threads`, '–', `${((used.user + used.system) / 1e4 / 3600).toFixed(2)} %`)
  add(`a sample of ${buckets} buckets`, '–', ms(took.toSorted((a, b) => a - b)[took.length >> 1] ?? 0))
  add(`growth and forecast of ${buckets} buckets`, '–', ms(all))
  await thread.stop()
}

/** What the counters cost, beside a put of 1 KiB over HTTP. */
async function benchCounters(): Promise<void> {
  const engine = await openEngine({
    data: join(folder, 'counted'),
    drives: [1, 2].map((n) => join(folder, 'counted', String(n))),
    minFree: 0,
  })
  await engine.createBucket('counted')
  let count: (record: RequestRecord) => void = () => {}
  const recorder = { subscribe: (listener: typeof count) => (count = listener), unfinished: [] }
  new RequestCounters(recorder as unknown as Recorder, engine, () => 'putobject')
  const record = {
    operation: 'PutObject',
    bucket: 'counted',
    status: 200,
    bytesIn: 1024,
    bytesOut: 300,
    firstByteMs: 3,
  }
  const rounds = 200_000
  for (let i = 0; i < rounds; i++) count(record as RequestRecord)
  const took = await timed(async () => {
    for (let i = 0; i < rounds; i++) count(record as RequestRecord)
  })
  await engine.close()
  const each = took / rounds
  await using c = await startProduct()
  const bucket = await c.newBucket()
  const keys = Array.from({ length: 2000 }, (_, i) => `k${i}`)
  const puts = () =>
    together(keys, async (Key) => void (await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: KIB }))))
  await puts()
  const put = (await timed(puts)) / keys.length
  add('counters: time of a request', '–', `${(each * 1000).toFixed(2)} µs`)
  add(`counters: share of a put of 1 KiB by ${CLIENTS} clients`, '≤ 2 %', `${((each / put) * 100).toFixed(3)} %`)
}

async function benchHeal(c: TestConsole, drive: string, gets: () => Promise<number[]>): Promise<void> {
  const stateOf = async () => {
    const { servers } = await c.call('getAdminInfo', { query: { defaultOnly: 'true' } })
    const found = servers[0]?.drives.find(({ drivePath }) => drivePath === drive)
    return found?.healing ? 'healing' : found?.state
  }
  const reach = async (state: string) => {
    while ((await stateOf()) !== state) await wait(50)
  }
  await rename(drive, `${drive}.away`)
  await reach('offline')
  await mkdir(drive)
  await reach('healing')
  let healing = true
  const begun = performance.now()
  const during: number[] = []
  const load = (async () => {
    while (healing) during.push(...(await gets()))
  })()
  await reach('ok')
  const took = performance.now() - begun
  healing = false
  await load
  add(`heal of a wiped drive, ${objects} objects of 20 kB`, '–', `${(took / 1000).toFixed(1)} s`)
  add(`p99 of ${CLIENTS} clients while it is healed`, '–', ms(percentile(during)))
}

/** The same heal, by the same calls, of our store and of MinIO: one of four drives has lost the copies of all objects. */
async function benchPeer(): Promise<void> {
  if (values.peer === '') return
  {
    await using c = await startProduct()
    const [server] = (await c.call('getAdminInfo', {})).servers
    const drive = server?.drives[1]?.drivePath ?? ''
    await benchHealCall('Stowage', c, async () => {
      const blobs = join(drive, 'blobs')
      const files = (await readdir(blobs, { recursive: true })).filter((name) => /[0-9a-f]{32}$/.test(name))
      for (const file of files) await rm(join(blobs, file))
    })
  }
  const [user, password] = ['minioadmin', 'minioadmin']
  const address = `127.0.0.1:${values['peer-port']}`
  const drives = join(folder, 'peer')
  const peer = spawn(values.peer, ['server', `${drives}/{1...4}`, '--address', address], {
    env: { MINIO_CI_CD: 'on', MINIO_ROOT_USER: user, MINIO_ROOT_PASSWORD: password },
    stdio: 'ignore',
  })
  try {
    Object.assign(process.env, { STOWAGE_TEST_USER: user, STOWAGE_TEST_PASSWORD: password })
    const isUp = async () => (await fetch(`http://${address}/minio/health/cluster`).catch(() => undefined))?.ok
    while (peer.exitCode === null && !(await isUp())) await wait(100)
    await using c = await startProduct({ env: { STOWAGE_SERVER: `http://${address}` } })
    await benchHealCall('MinIO', c, async (bucket) => await rm(join(drives, '2', bucket), { recursive: true }))
  } finally {
    peer.kill()
    await once(peer, 'exit')
  }
}

async function benchHealCall(name: string, c: TestConsole, lose: (bucket: string) => Promise<void>): Promise<void> {
  const bucket = await c.newBucket()
  const keys = Array.from({ length: objects }, (_, i) => `k${i}`)
  await together(keys, async (Key) => {
    await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Buffer.alloc(20_000, Key) }))
  })
  await lose(bucket)
  const path = { bucket, prefix: '' }
  const options = { recursive: true, remove: false, dryRun: false, deep: false, force: true }
  const online = (states: readonly { state: string }[]) => states.filter(({ state }) => state === 'ok').length
  let healed = 0
  const took = await timed(async () => {
    const token = await c.madmin.startHeal(path, options)
    for (;;) {
      const { summary, items } = await c.madmin.healStatus(path, token)
      healed += items.filter(({ type, before, after }) => type === 'object' && online(after) > online(before)).length
      if (summary !== 'running' && items.length === 0) return
      if (items.length === 0) await wait(20)
    }
  })
  add(
    `${name}: heal of ${objects} objects of 20 kB, ${healed} of which had lost a copy`,
    '–',
    `${(took / 1000).toFixed(1)} s`,
  )
}

/** The code of the page that is loaded when a board is first shown. */
async function benchChunk(): Promise<void> {
  const assets = join(import.meta.dirname, '../dist/web/assets')
  const own = (await readdir(assets)).filter((name) =>
    /^(Board|Grid|DashboardPage|RangeControls)-.*\.(js|css)$/.test(name),
  )
  const sizes = await Promise.all(
    own.map(async (name) => gzipSync(await readFile(join(assets, name)), { level: 9 }).length),
  )
  add(
    'chunks of the dashboard, gzip',
    '≤ 90 kB',
    `${(sizes.reduce((sum, size) => sum + size, 0) / 1000).toFixed(1)} kB`,
  )
}

/** Durations of reads by all clients at once (ms). */
async function latencies(c: TestConsole, count: number): Promise<number[]> {
  const keys = Array.from({ length: count }, (_, i) => `k${i % objects}`)
  const durations: number[] = []
  await together(keys, async (Key) => {
    durations.push(
      await timed(async () => {
        const { Body } = await c.s3.send(new GetObjectCommand({ Bucket: 'bucket-0', Key }))
        await Body?.transformToByteArray()
      }),
    )
  })
  return durations
}

async function together<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: CLIENTS }, worker))
}

async function median(work: () => Promise<unknown>): Promise<number> {
  await work()
  const figures: number[] = []
  for (let i = 0; i < runs; i++) figures.push(await timed(work))
  return figures.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0
}

function percentile(durations: readonly number[], share = 0.99): number {
  return durations.toSorted((a, b) => a - b)[Math.floor(durations.length * share)] ?? 0
}

/** Collects garbage, so that memory is what is in use. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
}

function bytesOf({ heapUsed, arrayBuffers }: NodeJS.MemoryUsage): number {
  return heapUsed + arrayBuffers
}

function mib(bytes: number): string {
  return (bytes / MiB).toFixed(1)
}

/**
 * Measures metrics, their history and healing: `npx tsx bench/dashboard.ts [--runs 5] [--buckets 500] [--days 60]
 * [--objects 1000]`. Needs a build. The sizes of the issue are `--buckets 5000 --days 400 --objects 100000`, which take about
 * half an hour; the sizes that are the default take about three minutes. Each figure has its target beside it.
 */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { pino } from 'pino'
import { samplesOf } from '../apps/server/src/lib/metrics/bucket-usage.ts'
import { evaluate } from '../apps/server/src/lib/metrics/evaluate.ts'
import { History } from '../apps/server/src/lib/metrics/history.ts'
import { BUCKET_LEVELS, LEVELS, type Level } from '../apps/server/src/lib/metrics/levels.ts'
import type { Sample } from '../apps/server/src/lib/metrics/text-format.ts'
import { WIDGETS } from '../apps/server/src/lib/metrics/widgets.ts'
import { openEngine } from '../packages/object-store/src/engine/index.ts'
import { startConsole, type TestConsole } from '../tests/support/console.ts'
import { timed } from './measure.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    buckets: { type: 'string', default: '500' },
    days: { type: 'string', default: '60' },
    objects: { type: 'string', default: '1000' },
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
/** The widgets of the tab Summary. */
const SUMMARY = [1, 64, 65, 68, 52, 44, 61, 80, 81, 66, 62, 53, 63, 50, 69, 70, 9, 78]

const rows: [what: string, target: string, figure: string][] = []
const add = (what: string, target: string, figure: string) => void rows.push([what, target, figure])
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`

const folder = await mkdtemp(join(tmpdir(), 'stowage-bench-'))
try {
  await benchHistory()
  await benchBuckets()
  await benchStore()
  await benchChunk()
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
console.log(
  ['| what | target | measured |', '|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
)

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
    if (n % 12 === 0) await history.save()
  }
  const heap = process.memoryUsage()
  const cpu = process.cpuUsage()
  let samples = 0
  for (; time < end; samples++, time += 15) {
    history.append(time, at(1e6 + samples))
    // Once a minute.
    if (samples % 4 === 0) await history.save()
  }
  await history.save()
  const used = process.cpuUsage(cpu)
  const count = metrics.length * each
  add(`sampler: CPU of a sample, ${count} series`, '–', ms((used.user + used.system) / 1000 / samples))
  add(`sampler: share of a core, every 15 s`, '–', `${((used.user + used.system) / 1e4 / samples / 15).toFixed(3)} %`)
  const after = process.memoryUsage()
  add(`sampler: memory (heap and buffers) after ${days} days`, '≤ 20 MB', `${mib(bytesOf(after))} MiB`)
  add('sampler: growth of memory over the last simulated day', '0', `${mib(bytesOf(after) - bytesOf(heap))} MiB`)
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
  const count = Math.min(1000, buckets * 2)
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
    await history.save()
  }
  const used = process.cpuUsage(cpu)
  add(
    `usage of ${count} buckets: CPU of a sample with its writing`,
    '–',
    ms((used.user + used.system) / 1000 / samples),
  )
  const bytes = (await sizeOf('buckets')) + (await sizeOf('widgets'))
  add(`history: bytes with ${count} buckets after ${days} days`, '≤ 100 MB (400 days)', `${mib(bytes)} MiB`)
}

async function benchStore(): Promise<void> {
  const data = join(folder, 'store')
  const drives = [1, 2, 3, 4].map((n) => join(data, 'drives', String(n)))
  await mkdir(data)
  const engine = await openEngine({ data, drives, minFree: 0 })
  for (let i = 0; i < buckets; i++) await engine.createBucket(`bucket-${i}`)
  await engine.close()
  const c = await startConsole({ data, env: { STOWAGE_METRICS_INTERVAL: '2' } })
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

function bytesOf({ heapUsed, arrayBuffers }: NodeJS.MemoryUsage): number {
  return heapUsed + arrayBuffers
}

function mib(bytes: number): string {
  return (bytes / MiB).toFixed(1)
}

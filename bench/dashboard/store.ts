import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { pino } from 'pino'
import { MetricsThread } from '../../apps/server/src/lib/metrics/metrics-thread.ts'
import { openEngine } from '../../packages/object-store/src/engine/open-engine.ts'
import { RequestCounters } from '../../packages/object-store/src/requests/request-counters.ts'
import type { RequestRecord, RequestRecorder } from '../../packages/object-store/src/requests/request-recorder.ts'
import type { TestConsole } from '../../tests/support/console/start-console.ts'
import { timed } from '../lib/measure.ts'
import { startProduct } from '../lib/start-product.ts'
import { benchHeal, latencies } from './heal.ts'
import {
  BYTES_PER_MIB,
  benchFolder,
  buckets,
  CLIENTS,
  collectGarbage,
  formatMib,
  formatMs,
  inParallel,
  medianMs,
  objects,
  percentile,
  printRow,
  SUMMARY_WIDGETS,
  usedBytes,
} from './setup.ts'

/* Metrics of a running console and store: scrapes, the sampler, the counters, the widgets over HTTP. */

const KIB = Buffer.alloc(1024)

export async function benchStore(): Promise<void> {
  const data = join(benchFolder, 'store')
  const drives = [1, 2, 3, 4].map((n) => join(data, 'drives', String(n)))
  await mkdir(data)
  const engine = await openEngine({ data, drives, minFree: 0 })
  const names = Array.from({ length: buckets }, (_, i) => `bucket-${i}`)
  await inParallel(names, async (name) => void (await engine.createBucket(name)))
  await engine.close()
  const c = await startProduct({ data, env: { STOWAGE_METRICS_INTERVAL: '2' } })
  try {
    const bodies = Array.from({ length: objects }, (_, i) => `k${i}`)
    // More than 16 KiB, so that they are in files and the drive has something to heal.
    await inParallel(bodies, async (Key) => {
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
      printRow(`scrape of ${name}, ${buckets} buckets`, '–', formatMs(await medianMs(() => scrape(name))))
    await inOwnProcess(c)
    const gets = () => latencies(c, 2000)
    await gets()
    printRow(`p99 of ${CLIENTS} clients that read`, '–', formatMs(percentile(await gets())))
    let stop = false
    const scraping = (async () => {
      while (!stop) await Promise.all([scrape('cluster'), scrape('bucket')])
    })()
    printRow(`p99 of ${CLIENTS} clients, scraped without a pause`, '–', formatMs(percentile(await gets())))
    stop = true
    await scraping

    const ids = SUMMARY_WIDGETS.join(',')
    const tab = async () => {
      const answer = await c.root.send('getWidgets', { query: { ids } })
      if ((await answer.text()).trim().split('\n').length !== SUMMARY_WIDGETS.length)
        throw new Error('widgets are missing')
    }
    printRow('GET the widgets of the tab Summary, over HTTP', '≤ 150 ms', formatMs(await medianMs(tab)))
    await benchHeal(c, drives[1] ?? '', gets)
  } finally {
    await c[Symbol.asyncDispose]()
  }
}

/** Measures the sampler in a process that has done nothing else, because memory that was freed would hide its growth. */
async function inOwnProcess(c: TestConsole): Promise<void> {
  const child = fork(
    join(import.meta.dirname, '../dashboard.ts'),
    ['--sampled', c.serverUrl, '--buckets', String(buckets)],
    {
      env: { ...process.env, SAMPLER_USER: c.rootUser, SAMPLER_PASSWORD: c.rootPassword },
    },
  )
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the process of the sampler ended with ${code}`)
}

/** Samples in this process and its worker, as a console does. */
export async function benchThread(server: string): Promise<void> {
  const credentials = { accessKey: process.env.SAMPLER_USER ?? '', secretKey: process.env.SAMPLER_PASSWORD ?? '' }
  const log = pino({ enabled: false })
  const size = 512 * BYTES_PER_MIB
  const settings = {
    server,
    caFile: undefined,
    folder: join(benchFolder, 'thread'),
    interval: { widgets: 15, buckets: 300 },
    maxBytes: { widgets: size, buckets: size },
  }
  const started = async () => {
    const thread = new MetricsThread({ settings, log })
    await thread.ask('widget', 1, { start: 0, end: 1, step: 1 })
    return thread
  }
  collectGarbage()
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
  collectGarbage()
  const after = process.memoryUsage()
  const what = `sampler, ${buckets} buckets, an hour of samples`
  printRow(`${what}: memory of the main thread`, '≤ 20 MB', `${formatMib(usedBytes(after) - usedBytes(before))} MiB`)
  printRow(`${what}: the process with the worker (RSS)`, '–', `${formatMib(grown.rss - before.rss)} MiB`)
  printRow('sampler: the worker alone when it has started (RSS)', '–', `${formatMib(idle.rss - before.rss)} MiB`)
  printRow(`${what}: longest delay of the main thread`, '–', formatMs(delay.max / 1e6))
  printRow(`${what}: share of a core, both threads`, '–', `${((used.user + used.system) / 1e4 / 3600).toFixed(2)} %`)
  printRow(`a sample of ${buckets} buckets`, '–', formatMs(took.toSorted((a, b) => a - b)[took.length >> 1] ?? 0))
  printRow(`growth and forecast of ${buckets} buckets`, '–', formatMs(all))
  await thread.stop()
}

/** What the counters cost, beside a put of 1 KiB over HTTP. */
export async function benchCounters(): Promise<void> {
  const engine = await openEngine({
    data: join(benchFolder, 'counted'),
    drives: [1, 2].map((n) => join(benchFolder, 'counted', String(n))),
    minFree: 0,
  })
  await engine.createBucket('counted')
  let count: (record: RequestRecord) => void = () => {}
  const recorder = { subscribe: (listener: typeof count) => (count = listener), unfinished: [] }
  new RequestCounters(recorder as unknown as RequestRecorder, engine, () => 'putobject')
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
    inParallel(keys, async (Key) => void (await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: KIB }))))
  await puts()
  const put = (await timed(puts)) / keys.length
  printRow('counters: time of a request', '–', `${(each * 1000).toFixed(2)} µs`)
  printRow(`counters: share of a put of 1 KiB by ${CLIENTS} clients`, '≤ 2 %', `${((each / put) * 100).toFixed(3)} %`)
}

/** The code of the page that is loaded when a board is first shown. */
export async function benchChunk(): Promise<void> {
  const assets = join(import.meta.dirname, '../../dist/web/assets')
  const own = (await readdir(assets)).filter((name) =>
    /^(WidgetBoard|WidgetGrid|DashboardPage|RangeControls)-.*\.(js|css)$/.test(name),
  )
  const sizes = await Promise.all(
    own.map(async (name) => gzipSync(await readFile(join(assets, name)), { level: 9 }).length),
  )
  printRow(
    'chunks of the dashboard, gzip',
    '≤ 90 kB',
    `${(sizes.reduce((sum, size) => sum + size, 0) / 1000).toFixed(1)} kB`,
  )
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Engine } from './interface/types.ts'
import { openEngine } from './open-engine.ts'

/**
 * Measures the engine without HTTP: `npx tsx packages/object-store/src/engine/engine.bench.ts [keys]`. Prints one line per
 * figure. `keys` (default 1,000,000) is the number of keys for the measurements of listing and start.
 */
const KEYS = Number(process.argv[2] ?? 1_000_000)
const MiB = 2 ** 20
const root = mkdtempSync(join(tmpdir(), 'stowage-bench-'))
const options = { data: join(root, 'data'), drives: [1, 2, 3, 4].map((i) => join(root, `drive${i}`)), minFree: 0 }

const report = (what: string, value: number, unit: string) => console.log(`${what}: ${value.toFixed(1)} ${unit}`)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

function body(bytes: Buffer): Readable {
  return new Readable({
    read() {
      this.push(bytes)
      this.push(null)
    },
  })
}

/** Runs `work` for each number, by `count` clients with one request at a time. */
async function clients(count: number, total: number, work: (i: number) => Promise<unknown>): Promise<number> {
  let next = 0
  const client = async () => {
    while (next < total) await work(next++)
  }
  return timed(() => Promise.all(Array.from({ length: count }, client)))
}

async function smallPuts(engine: Engine): Promise<void> {
  const kib = Buffer.alloc(1024, 7)
  const put = (i: number) => engine.putObject('b', `put/${i}`, body(kib), { size: 1024 })
  await clients(32, 2000, put)
  const ms = await clients(32, 20_000, (i) => put(i + 2000))
  report('puts of 1 KiB, 32 clients', 20_000 / (ms / 1000), 'per second')
  report('puts of 1 KiB, 1 client', 500 / ((await clients(1, 500, (i) => put(i + 30_000))) / 1000), 'per second')
  const medium = Buffer.alloc(100 * 1024, 7)
  const blobs = (i: number) => engine.putObject('b', `blob/${i}`, body(medium), { size: medium.length })
  report('puts of 100 KiB, 32 clients', 2000 / ((await clients(32, 2000, blobs)) / 1000), 'per second')
  const gets = await clients(32, 20_000, async (i) => {
    for await (const _ of engine.getObject('b', `put/${i}`).read()) void _
  })
  report('gets of 1 KiB, 32 clients', 20_000 / (gets / 1000), 'per second')
  const reads = await clients(32, 2000, async (i) => {
    for await (const _ of engine.getObject('b', `blob/${i}`).read()) void _
  })
  report('gets of 100 KiB, 32 clients', 2000 / (reads / 1000), 'per second')
}

async function largeStream(engine: Engine): Promise<void> {
  const chunk = Buffer.alloc(64 * 1024, 'stream')
  let left = 1024 * MiB
  const source = new Readable({
    highWaterMark: 256 * 1024,
    read() {
      const next = left > 0 ? chunk : null
      left -= chunk.length
      this.push(next)
    },
  })
  let longest = 0
  let tick = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - tick)
    tick = performance.now()
  }, 1)
  const before = process.memoryUsage.rss()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 50)
  report('put of 1 GiB', (await timed(() => engine.putObject('b', 'gib', source, {}))) / 1000, 's')
  report('  longest pause of the event loop', longest, 'ms')
  longest = 0
  const read = async () => {
    for await (const _ of engine.getObject('b', 'gib').read()) void _
  }
  report('get of 1 GiB', (await timed(read)) / 1000, 's')
  report('  longest pause of the event loop', longest, 'ms')
  report('  memory above the start', (peak - before) / MiB, 'MiB')
  clearInterval(timer)
  clearInterval(watch)
}

async function manyKeys(engine: Engine): Promise<void> {
  await engine.createBucket('many')
  const tiny = Buffer.from('7 bytes')
  const key = (i: number) => `prefix ${i % 12}/some longer name of an object ${String(i).padStart(9, '0')}`
  const ms = await clients(512, KEYS, (i) => engine.putObject('many', key(i), body(tiny), {}))
  report(`puts of 7 bytes, 512 clients, up to ${KEYS} keys`, KEYS / (ms / 1000), 'per second')
}

function listing(engine: Engine): void {
  const pages: number[] = []
  let after = ''
  for (let page = 0; page < 200; page++) {
    const begun = performance.now()
    const found = engine.listObjects('many', { prefix: '', delimiter: '', after, limit: 1000 })
    pages.push(performance.now() - begun)
    after = found.next?.key ?? ''
    if (!found.truncated) break
  }
  pages.sort((a, b) => a - b)
  report('page of 1,000 keys, median', pages[Math.floor(pages.length / 2)] ?? 0, 'ms')
  report('page of 1,000 keys, 99 %', pages[Math.floor(pages.length * 0.99)] ?? 0, 'ms')
  const begun = performance.now()
  engine.listObjects('many', { prefix: '', delimiter: '/', after: '', limit: 1000 })
  report('page of common prefixes', performance.now() - begun, 'ms')
}

try {
  let engine = await openEngine(options)
  await engine.createBucket('b')
  await smallPuts(engine)
  await largeStream(engine)
  await manyKeys(engine)
  listing(engine)
  report('close', await timed(() => engine.close()), 'ms')
  const start = await timed(async () => {
    engine = await openEngine(options)
  })
  report('start (both copies checked)', start, 'ms')
  listing(engine)
  await engine.close()
  report('memory at the end', process.memoryUsage.rss() / MiB, 'MiB')
} finally {
  rmSync(root, { recursive: true, force: true })
}

/**
 * Measures trace and audit: `nice npx tsx bench/tools.ts [--runs 3] [--puts 2000] [--seconds 20] [--records 100000]
 * [--rate 5000] [--rows 100000] [--only WORD] [--peer http://user:password@host:port]`. Needs a build. The peer is a console
 * in front of another store; of it the first row and the trace are measured. The sizes of the issue are --seconds 120
 * --records 1000000, and for PostgreSQL --only database --records 3000000. Chromium is at CHROMIUM_PATH.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { LIVE_PROTOCOL } from '@stowage/contract'
import { createMadmin } from '@stowage/madmin'
import { WebSocket } from 'ws'
import { AuditDatabase } from '../apps/server/src/lib/audit/database/audit-database.ts'
import { type AuditRecord, readAuditRecord } from '../apps/server/src/lib/audit/records/audit-record.ts'
import { readAuditPage } from '../apps/server/src/lib/audit/search/audit-page.ts'
import type { AuditKeeper } from '../apps/server/src/lib/audit/search/audit-source.ts'
import { summarizeAudit } from '../apps/server/src/lib/audit/search/audit-summary.ts'
import { AuditStore } from '../apps/server/src/lib/audit/segments/audit-store.ts'
import { isBrokerInstalled, startBroker } from '../packages/object-store/src/events/targets/testing/brokers.ts'
import type { TestConsole } from '../tests/support/console/start-console.ts'
import { launch } from './lib/browser.ts'
import { timed } from './lib/measure.ts'
import { withPeakMemory } from './lib/memory.ts'
import { S3 } from './lib/s3.ts'
import { startProduct } from './lib/start-product.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    puts: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '20' },
    records: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '5000' },
    rows: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
    peer: { type: 'string' },
  },
})
const [runs, puts, seconds, records, rate, rows] = [
  values.runs,
  values.puts,
  values.seconds,
  values.records,
  values.rate,
  values.rows,
].map(Number) as [number, number, number, number, number, number]
const NOW = Date.now()
const CLIENTS = 32
const BODY = Buffer.alloc(1024, 'stowage ')

interface Figure {
  name: string
  figure: string
  target: string
}
const figures: Figure[] = []
const note = (name: string, figure: string, target: string) => {
  figures.push({ name, figure, target })
  console.error(`${name}: ${figure}`)
}
const wanted = (name: string) => name.includes(values.only)
const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
const rounded = (number: number) => (number >= 100 ? Math.round(number).toLocaleString('en') : number.toFixed(2))

if (wanted('puts')) await measurePuts()
if (wanted('trace')) await measureTrace()
if (wanted('page')) await measureTab()
if (wanted('idle')) await measureIdle()
if (wanted('records')) await measureRecords()
if (wanted('database')) await measureDatabase()
console.log(['| tools | figure | target |', '|---|---|---|', ...figures.map(row)].join('\n'))

function row({ name, figure, target }: Figure): string {
  return `| ${name} | ${figure} | ${target} |`
}

/** Puts per second: nobody listens and no audit, with audit, and with a trace of S3. In turns, so that other load affects all. */
async function measurePuts(): Promise<void> {
  await using plain = await startProduct({ env: { STOWAGE_AUDIT: 'off' } })
  await using audited = await startProduct()
  const putRate = async (own: TestConsole, round: number) => {
    const s3 = new S3(own.serverUrl, { accessKey: own.rootUser, secretKey: own.rootPassword })
    const bucket = `/puts-${round}-${Date.now()}`
    await s3.done({ method: 'PUT', path: bucket })
    const put = (i: number) => s3.done({ method: 'PUT', path: `${bucket}/${i}`, body: BODY })
    const ms = await timed(() => S3.parallel(CLIENTS, puts, put))
    await s3.close()
    return puts / (ms / 1000)
  }
  const traced = async (kinds: string[], round: number) => {
    const leaving = new AbortController()
    const stream = await openMadmin(plain).trace({ kinds, signal: leaving.signal })
    const reading = (async () => {
      for await (const _ of stream);
    })().catch(() => undefined)
    const result = await putRate(plain, round)
    leaving.abort()
    await reading
    return result
  }
  const rates = { before: [], audit: [], idle: [], trace: [], work: [], alone: [] } as Record<string, number[]>
  /** Takes measurements in turns, in the opposite order every second time. The first two rounds warm up. */
  const measure = async (measurements: [name: string, run: (round: number) => Promise<number>][]) => {
    for (let round = -2; round < runs; round++) {
      for (const [name, run] of round % 2 === 0 ? measurements : measurements.toReversed()) {
        const rate = await run(round)
        if (round >= 0) rates[name]?.push(rate)
      }
    }
  }
  // On their own, so that both have been sent as many requests: a program becomes faster with its first thousands.
  await measure([
    ['before', (round) => putRate(plain, round)],
    ['audit', (round) => putRate(audited, round)],
  ])
  await measure([
    ['idle', (round) => putRate(plain, round)],
    ['trace', (round) => traced(['s3'], round)],
    ['work', (round) => traced(['s3', 'storage', 'os'], round)],
    ['alone', (round) => putRate(plain, round)],
  ])
  const share = (name: string, base: string) => {
    const figure = median(rates[name] ?? [])
    return `${rounded(figure)}/s, ${(figure / median(rates[base] ?? [])).toFixed(3)} of without`
  }
  note(
    'puts of 1 KiB, no audit, nobody listens',
    `${rounded(median(rates.before ?? []))}/s`,
    'compare with the commit before: ≥ 0.98',
  )
  note('puts, nobody listens again after traces', share('alone', 'idle'), '≥ 0.98')
  note('puts, audit', share('audit', 'before'), '≥ 0.95')
  note('puts, trace of S3', share('trace', 'idle'), '≥ 0.9')
  note('puts, trace of S3 and drives', share('work', 'idle'), 'none')
}

function openMadmin(own: TestConsole) {
  return createMadmin({
    endpoint: own.serverUrl,
    credentials: { accessKey: own.rootUser, secretKey: own.rootPassword },
  })
}

/** Trace over the console's socket, with many requests: the first row, records per second, memory of the server. */
async function measureTrace(): Promise<void> {
  await using own = await startProduct()
  await benchTrace('Stowage', own.url, own.serverUrl, { user: own.rootUser, password: own.rootPassword }, own.pid)
  if (!values.peer) return
  const { username: user, password, origin } = new URL(values.peer)
  await benchTrace('peer', origin, undefined, { user, password }, undefined)
}

async function benchTrace(
  name: string,
  url: string,
  store: string | undefined,
  { user, password }: { user: string; password: string },
  pid: number | undefined,
): Promise<void> {
  const response = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ accessKey: user, secretKey: password }),
  })
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const firsts: number[] = []
  // Requests of another client are sent all the time. A put is several records, because work on drives is traced too.
  let isSending = true
  let sent = 0
  let received = 0
  let begin = performance.now()
  const sending = (async () => {
    const credentials = { accessKey: user, secretKey: password }
    const s3 = store === undefined ? undefined : new S3(store, credentials)
    await s3?.done({ method: 'PUT', path: '/traced' })
    await S3.parallel(CLIENTS, Number.POSITIVE_INFINITY, async (i) => {
      if (!isSending) throw new Error('done')
      while (received > ((performance.now() - begin) / 1000) * rate && isSending)
        await new Promise((resolve) => setTimeout(resolve, 5))
      sent++
      if (s3) await s3.done({ method: 'PUT', path: `/traced/${i % 1000}`, body: BODY })
      else await fetch(`${url}/api/v1/buckets`, { headers: { cookie } }).then((answer) => answer.arrayBuffer())
    }).catch(() => undefined)
    await s3?.close()
  })()
  // As our page asks for it. The peer sends a frame for each record.
  const open = () =>
    new WebSocket(`${url.replace(/^http/, 'ws')}/ws/trace?calls=all`, store === undefined ? [] : [LIVE_PROTOCOL], {
      headers: { cookie, origin: url },
    })
  const recordsIn = (data: string) => {
    const frame = JSON.parse(data) as { kind?: string; messages?: unknown[] }
    return store === undefined ? 1 : frame.kind === 'messages' ? (frame.messages?.length ?? 0) : 0
  }
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    const socket = open()
    await new Promise<void>((resolve, reject) => {
      socket.on('message', (data) => recordsIn(String(data)) > 0 && resolve())
      socket.once('error', reject)
    })
    firsts.push(performance.now() - start)
    socket.terminate()
  }
  note(`trace, start to first row, ${name}`, `${rounded(median(firsts))} ms`, '≤ 300 ms')
  const socket = open()
  socket.on('message', (data) => {
    received += recordsIn(String(data))
  })
  begin = performance.now()
  const [before] = [sent]
  const half = async () => await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / 2))
  const memory = async () => (pid === undefined ? undefined : (await withPeakMemory(pid, half)).peak)
  const [first, second] = pid === undefined ? [await half(), await half()] : [await memory(), await memory()]
  isSending = false
  await sending
  socket.terminate()
  note(`trace for ${seconds} s, requests, ${name}`, `${rounded((sent - before) / seconds)}/s`, 'none')
  note(`trace for ${seconds} s, records received, ${name}`, `${rounded(received / seconds)}/s`, `${rate}/s`)
  if (typeof first === 'number' && typeof second === 'number')
    note(
      `trace, peak memory of the console, first and second half`,
      `${rounded(first)} and ${rounded(second)} MiB`,
      'flat',
    )
}

/** Memory of the trace page: after a fifth of the records, of which it keeps 10,000, after three fifths and after all. */
async function measureTab(): Promise<void> {
  await using own = await startProduct()
  const browser = await launch()
  try {
    const context = await browser.newContext({ baseURL: own.url })
    const data = { accessKey: own.rootUser, secretKey: own.rootPassword }
    await context.request.post('/api/v1/login', { data, headers: { origin: own.url } })
    const page = await context.newPage()
    await page.goto('/trace')
    for (const box of ['Storage', 'OS']) await page.getByRole('checkbox', { name: box, exact: true }).check()
    let received = 0
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        const frame = JSON.parse(String(payload)) as { kind: string; messages?: unknown[] }
        received += frame.messages?.length ?? 0
      })
    })
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText(/^Running since/).waitFor()
    const s3 = new S3(own.serverUrl, { accessKey: own.rootUser, secretKey: own.rootPassword })
    await s3.done({ method: 'PUT', path: '/traced' })
    const session = await context.newCDPSession(page)
    const memory: string[] = []
    for (const share of [0.2, 0.6, 1]) {
      while (received < rows * share)
        await S3.parallel(CLIENTS, 200, (i) => s3.done({ method: 'PUT', path: `/traced/${i}`, body: BODY }))
      await page.getByRole('row').nth(1).waitFor()
      // Until the page has drawn the last records, it also holds those that it drew before.
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = await session.send('Runtime.getHeapUsage')
      memory.push(rounded(usedSize / 2 ** 20))
    }
    await s3.close()
    const figure = `${memory.join(', ')} MiB`
    note(`memory of the trace page after 20 %, 60 % and all of ${rows.toLocaleString('en')} records`, figure, 'flat')
  } finally {
    await browser.close()
  }
}

/** Memory of an idle console, without audit and with it. */
async function measureIdle(): Promise<void> {
  const idle = async (env: Record<string, string>) => {
    await using own = await startProduct({ env })
    const s3 = new S3(own.serverUrl, { accessKey: own.rootUser, secretKey: own.rootPassword })
    await S3.parallel(CLIENTS, 500, async () => await s3.done({ method: 'GET', path: '/' }))
    await s3.close()
    return (await withPeakMemory(own.pid, async () => await new Promise((resolve) => setTimeout(resolve, 5_000)))).peak
  }
  const [without, withAudit] = [[] as number[], [] as number[]]
  for (let i = 0; i < runs; i++) {
    without.push(await idle({ STOWAGE_AUDIT: 'off' }))
    withAudit.push(await idle({}))
  }
  const [a, b] = [median(without), median(withAudit)]
  note('idle console with audit', `${rounded(b)} MiB, ${rounded(b - a)} MiB more than without`, 'at most 10 MiB more')
}

/** Audit records in files: records stored per second, first page, a page far behind, and a filter that few match. */
async function measureRecords(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-bench-audit-'))
  try {
    await measureKeeper('files', () => new AuditStore(folder, { maxBytes: 64 * 2 ** 30 }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same in PostgreSQL, which does not sync its files here. */
async function measureDatabase(): Promise<void> {
  if (!isBrokerInstalled('postgres'))
    return note('audit records in PostgreSQL', 'not measured: it is not installed', 'none')
  await using broker = await startBroker('postgres')
  const url = `postgres://u:secret@127.0.0.1:${broker.port}/postgres`
  const limits = { maxBytes: 64 * 2 ** 30, days: 365 }
  const log = { warn: (details: object, message: string) => console.error(message, details) }
  await measureKeeper('PostgreSQL', () => new AuditDatabase({ url, limits, log }))
}

async function measureKeeper(name: string, open: () => AuditKeeper): Promise<void> {
  const keeper = open()
  const ms = await timed(async () => {
    for (let at = 0; at < records; at += 1000)
      await keeper.append(Array.from({ length: Math.min(1000, records - at) }, (_, n) => numberedRecord(at + n)))
  })
  note(`audit records stored, batches of 1,000, ${name}`, `${rounded(records / (ms / 1000))}/s`, 'none')
  await keeper.close()
  const all = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, newestFirst: true, tools: false }
  const page = async (audit: AuditKeeper, n: number, filters: string[] = []) =>
    // As the page asks for it: by the position of the record before.
    await timed(async () => {
      const after = n === 0 ? undefined : { at: numberedRecord(n * 100).at, id: '' }
      await readAuditPage(audit, { ...all, filters, skip: 0, limit: 100, after })
    })
  const cold: number[] = []
  const [warm, far, rare, sums] = [[] as number[], [] as number[], [] as number[], [] as number[]]
  let counted = 0
  for (let i = 0; i < runs; i++) {
    const fresh = open()
    cold.push(await page(fresh, 0))
    warm.push(await page(fresh, 0))
    far.push(await page(fresh, 500))
    rare.push(await page(fresh, 0, ['bucket:bucket-7777']))
    sums.push(
      await timed(async () => {
        counted = (await summarizeAudit(fresh, { ...all, filters: [] })).total
      }),
    )
    await fresh.close()
  }
  const of = `of ${records.toLocaleString('en')} records, ${name}`
  note(`first page ${of}, after a start`, `${rounded(median(cold))} ms`, '≤ 2,000 ms')
  note(`first page ${of}`, `${rounded(median(warm))} ms`, '≤ 200 ms')
  note(`page 500 ${of}`, `${rounded(median(far))} ms`, 'as fast as the first')
  note(`page of a filter that one in 10,000 fits, ${of}`, `${rounded(median(rare))} ms, ends after 5 s`, 'none')
  const share = `${counted.toLocaleString('en')} records in ${rounded(median(sums))} ms, ends after 8 s`
  note(`summary ${of}`, share, 'none')
}

function numberedRecord(n: number): AuditRecord {
  const record = {
    version: '1',
    deploymentid: 'bench',
    time: new Date(NOW - n).toISOString(),
    event: '',
    trigger: 'incoming',
    api: {
      name: 'PutObject',
      bucket: `bucket-${n % 10_000}`,
      object: `folder/key-${n}`,
      status: 'OK',
      statusCode: 200,
      rx: 1024,
      tx: 0,
      timeToResponse: '2345678ns',
    },
    remotehost: '192.0.2.1',
    requestID: `R${n}`,
    userAgent: 'MinIO (linux; amd64) minio-go/v7.0.95 mc/RELEASE.2025-08-13T08-35-41Z',
    requestHeader: {
      'Content-Length': '1024',
      'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD',
      'Content-Type': 'text/plain',
    },
    responseHeader: { ETag: '"d41d8cd98f00b204e9800998ecf8427e"', Server: 'Stowage' },
    accessKey: 'bench-user',
  }
  const read = readAuditRecord(record, 'bench', Date.now())
  if (!read) throw new Error('no record')
  return read
}

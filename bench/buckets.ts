/**
 * Measures buckets, encryption and events: `npx tsx bench/buckets.ts [--runs 5] [--puts 3000] [--size 64MiB] [--buckets 5000]
 * [--events 100000] [--peer /path/to/minio]`. Needs a build and Chromium (`CHROMIUM_PATH`). The peer is a MinIO program, which is
 * started with the same targets on ports from `--peer-port` (21100) on and measured in turns with ours. Issue 12, section 5 names
 * these figures and no limits for them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { formatSize, MiB } from '@stowage/contract/values/units'
import type { Page } from 'playwright-core'
import { embeddedStoreProcess, processMemory, processOwnMemory } from '../tests/support/processes/processes.ts'
import { launch } from './lib/browser.ts'
import { ConsoleClient } from './lib/console-client.ts'
import { type BenchCase, type BenchRow, compareTargets, markdownTable, timed } from './lib/measure.ts'
import { noise, S3 } from './lib/s3.ts'
import { startProduct } from './lib/start-product.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    puts: { type: 'string', default: '3000' },
    size: { type: 'string', default: '64MiB' },
    buckets: { type: 'string', default: '5000' },
    events: { type: 'string', default: '100000' },
    peer: { type: 'string' },
    'peer-port': { type: 'string', default: '21100' },
  },
})
const runs = Number(values.runs)
const puts = Number(values.puts)
const size = Number.parseInt(values.size, 10) * MiB
const CLIENTS = 32
const SMALL = Buffer.alloc(1024, 'stowage ')
const SETTINGS = ['plain', 'encrypted', 'healthy', 'dead'] as const
type Setting = (typeof SETTINGS)[number]

/** A store that is measured. Its buckets are named after their settings. */
interface Store {
  readonly name: string
  readonly s3: S3
  readonly pid: number
}

/** A webhook that notes the keys of events, and when each of them came. */
async function startWebhook() {
  const arrivals = new Map<string, number>()
  let changed = () => {}
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.end()
      // MinIO tests a target with an empty request.
      if (chunks.length === 0) return
      const { Key } = JSON.parse(Buffer.concat(chunks).toString()) as { Key: string }
      arrivals.set(decodeURIComponent(Key), performance.now())
      changed()
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivals,
    /** Resolves when all of these keys have come. @throws Error if nothing comes for a minute */
    async all(keys: readonly string[]) {
      let next = 0
      while (next < keys.length) {
        const came = new Promise<boolean>((resolve) => (changed = () => resolve(true)))
        while (next < keys.length && arrivals.has(keys[next] ?? '')) next++
        if (next === keys.length) return
        const isOver = new AbortController()
        const late = sleep(60_000, false, { signal: isOver.signal }).catch(() => false)
        const hasCome = await Promise.race([came, late])
        isOver.abort()
        if (!hasCome) throw new Error(`${keys.length - next} of ${keys.length} events have not come`)
      }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const hook = await startWebhook()
// Nothing listens on this port.
const DEAD = 'http://127.0.0.1:9/hook'
const data = await mkdtemp(join(tmpdir(), 'stowage-bench-'))
const targetsIn = (environment: { queues?: string }) =>
  Object.fromEntries(
    (['healthy', 'dead'] as const).flatMap((name) => {
      const key = (part: string) => `MINIO_NOTIFY_WEBHOOK_${part}_${name.toUpperCase()}`
      return [
        [key('ENABLE'), 'on'],
        [key('ENDPOINT'), name === 'dead' ? DEAD : hook.url],
        [key('QUEUE_LIMIT'), '1000000'],
        ...(environment.queues ? [[key('QUEUE_DIR'), join(environment.queues, name)]] : []),
      ]
    }),
  ) as Record<string, string>

await using own = await startProduct({ env: { ...targetsIn({}), STOWAGE_EGRESS_ALLOW: '127.0.0.1' } })
const login = { user: own.rootUser, password: own.rootPassword }
const stores: Store[] = [
  {
    name: 'Stowage',
    s3: new S3(own.serverUrl, { accessKey: login.user, secretKey: login.password }),
    pid: embeddedStoreProcess(own.pid),
  },
]
const peer = values.peer === undefined ? undefined : await startPeer(values.peer)
if (peer) stores.push(peer.store)
try {
  for (const store of stores) await prepare(store)
  const report = async <T extends { name: string }>(
    title: string,
    cases: readonly BenchCase<T>[],
    targets: readonly T[],
  ) => {
    const rows: BenchRow[] = []
    for (const each of cases) {
      process.stderr.write(`${title}: ${each.name}\n`)
      rows.push(await compareTargets(each, targets, runs))
    }
    const names = targets.map(({ name }) => name)
    console.log(`${markdownTable(title, names, rows)}\n`)
  }
  await report('store', storeCases(), stores)
  await report(`${values.events} events for a dead target`, await deadCases(), stores)
  await reportConsole(report)
} finally {
  await peer?.stop()
  for (const { s3 } of stores) await s3.close()
  hook.close()
  await rm(data, { recursive: true, force: true })
}

/** Starts MinIO with four drives, keys and the same targets, which have queues on disk as ours do. */
async function startPeer(program: string): Promise<{ store: Store; stop: () => Promise<void> }> {
  const port = values['peer-port']
  const child: ChildProcess = spawn(program, ['server', join(data, 'drive{1...4}'), '--address', `127.0.0.1:${port}`], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: data,
      MINIO_CI_CD: 'on',
      MINIO_ROOT_USER: login.user,
      MINIO_ROOT_PASSWORD: login.password,
      MINIO_KMS_SECRET_KEY: `bench:${Buffer.alloc(32, 1).toString('base64')}`,
      ...targetsIn({ queues: join(data, 'queues') }),
    },
  })
  const exit = once(child, 'exit')
  const endpoint = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${endpoint}/minio/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`)
    await sleep(200)
  }
  return {
    store: {
      name: 'MinIO',
      s3: new S3(endpoint, { accessKey: login.user, secretKey: login.password }),
      pid: child.pid ?? 0,
    },
    async stop() {
      child.kill('SIGTERM')
      await exit
    },
  }
}

/** Creates a bucket for each setting. */
async function prepare({ s3 }: Store): Promise<void> {
  for (const setting of SETTINGS) await s3.done({ method: 'PUT', path: `/${setting}` })
  const rule =
    '<Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm></ApplyServerSideEncryptionByDefault></Rule>'
  const put = (bucket: string, name: string, text: string) =>
    s3.done({ method: 'PUT', path: `/${bucket}`, query: { [name]: '' }, body: Buffer.from(text) })
  await put('encrypted', 'encryption', `<ServerSideEncryptionConfiguration>${rule}</ServerSideEncryptionConfiguration>`)
  for (const target of ['healthy', 'dead']) {
    const arn = `arn:minio:sqs::${target.toUpperCase()}:webhook`
    const queue = `<QueueConfiguration><Queue>${arn}</Queue><Event>s3:ObjectCreated:*</Event></QueueConfiguration>`
    await put(target, 'notification', `<NotificationConfiguration>${queue}</NotificationConfiguration>`)
  }
}

/** Puts small objects with many clients at once. @returns their keys, and how many are stored per second */
async function putMany({ s3 }: Store, bucket: Setting, count: number): Promise<{ keys: string[]; perSecond: number }> {
  const run = Math.random().toString(36).slice(2, 8)
  const keys = Array.from({ length: count }, (_, i) => `${bucket}/${run}-${i}`)
  const ms = await timed(() =>
    S3.parallel(CLIENTS, count, (i) => s3.done({ method: 'PUT', path: `/${keys[i]}`, body: SMALL })),
  )
  return { keys, perSecond: count / (ms / 1000) }
}

function storeCases(): BenchCase<Store>[] {
  const small = (what: string, bucket: Setting): BenchCase<Store> => ({
    name: `puts of 1 KiB, ${what}`,
    unit: '1/s',
    async run(store) {
      const { keys, perSecond } = await putMany(store, bucket, puts)
      // Before the next measurement begins.
      if (bucket === 'healthy') await hook.all(keys)
      return perSecond
    },
  })
  const large = (method: 'PUT' | 'GET', bucket: Setting): BenchCase<Store> => ({
    name: `${method === 'PUT' ? 'put' : 'get'} ${formatSize(size)}, ${bucket}`,
    unit: 'MiB/s',
    async run({ s3 }) {
      const body = method === 'PUT' ? { body: () => noise(size), length: size } : {}
      return size / MiB / ((await timed(() => s3.done({ method, path: `/${bucket}/large`, ...body }))) / 1000)
    },
  })
  return [
    small('plain, no target', 'plain'),
    small('encrypted', 'encrypted'),
    large('PUT', 'plain'),
    large('PUT', 'encrypted'),
    large('GET', 'plain'),
    large('GET', 'encrypted'),
    small('healthy target', 'healthy'),
    small('dead target', 'dead'),
    {
      name: `events delivered, of ${puts} puts`,
      unit: '1/s',
      async run(store) {
        const ms = await timed(async () => {
          const { keys } = await putMany(store, 'healthy', puts)
          await hook.all(keys)
        })
        return puts / (ms / 1000)
      },
    },
    {
      name: 'answer of a put to arrival of its event, median of 50',
      unit: 'ms',
      async run({ s3 }) {
        const answered = new Map<string, number>()
        for (let i = 0; i < 50; i++) {
          const key = `healthy/single-${Math.random()}`
          await s3.done({ method: 'PUT', path: `/${key}`, body: SMALL })
          answered.set(key, performance.now())
          // Does not wait for the event: MinIO looks into the queues of targets every few seconds only.
          await sleep(50)
        }
        await hook.all([...answered.keys()])
        // An event may be here before the answer.
        const waits = [...answered].map(([key, at]) => Math.max(0, (hook.arrivals.get(key) ?? at) - at))
        return waits.sort((a, b) => a - b)[25]
      },
    },
  ]
}

/** Puts very many objects whose target is dead: once, because the queue stays. */
async function deadCases(): Promise<BenchCase<Store>[]> {
  const events = Number(values.events)
  const tenth = Math.ceil(events / 10)
  const results = new Map<string, { first: number; last: number; grown: number; own: number }>()
  for (const store of stores) {
    const { perSecond: first } = await putMany(store, 'dead', tenth)
    const [before, ownBefore] = [processMemory(store.pid), processOwnMemory(store.pid)]
    await putMany(store, 'dead', events - 2 * tenth)
    const { perSecond: last } = await putMany(store, 'dead', tenth)
    const [grown, own] = [processMemory(store.pid) - before, processOwnMemory(store.pid) - ownBefore]
    results.set(store.name, { first, last, grown: grown / MiB, own: own / MiB })
  }
  const of = (name: string, unit: string, part: 'first' | 'last' | 'grown' | 'own'): BenchCase<Store> => ({
    name,
    unit,
    runs: 1,
    run: async (store) => results.get(store.name)?.[part],
  })
  return [
    of('puts, first tenth', '1/s', 'first'),
    of('puts, last tenth', '1/s', 'last'),
    of('memory grown after the first tenth', 'MiB', 'grown'),
    of('of this, without pages of files', 'MiB', 'own'),
  ]
}

async function reportConsole(
  report: (
    title: string,
    cases: readonly BenchCase<ConsoleClient>[],
    targets: readonly ConsoleClient[],
  ) => Promise<void>,
): Promise<void> {
  const [store] = stores
  const count = Number(values.buckets)
  const last = `many-${count - 1}`
  await S3.parallel(CLIENTS, count, async (i) => await store?.s3.done({ method: 'PUT', path: `/many-${i}` }))
  const client = new ConsoleClient('Stowage', own.url, login)
  await client.signIn()
  const browser = await launch()
  const opened = async (path: string, complete: (page: Page) => Promise<unknown>) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 2000 } })
    try {
      await context.addCookies(client.cookies)
      const page = await context.newPage()
      return await timed(async () => {
        await page.goto(`${own.url}/${path}`, { waitUntil: 'commit' })
        await complete(page)
      })
    } finally {
      await context.close()
    }
  }
  const cells = (page: Page) =>
    Promise.all(
      [
        ['Tags', 'None'],
        ['CORS', 'Disabled'],
        ['Encryption', 'Disabled'],
        ['Versioning', 'Disabled'],
        ['Access Policy', 'Private'],
      ].map(([region = '', text = '']) => page.getByRole('region', { name: region }).getByText(text).first().waitFor()),
    )
  try {
    await report(
      `console, ${count} buckets`,
      [
        { name: 'GET buckets', unit: 'ms', run: (c) => timed(() => c.get('buckets')) },
        {
          name: 'page of buckets, filtered to one',
          unit: 'ms',
          run: () =>
            opened(`buckets?buckets.filter=${last}`, (page) => page.getByText(last, { exact: true }).first().waitFor()),
        },
        {
          name: 'page of a bucket with all its cards',
          unit: 'ms',
          run: () => opened(`buckets/${last}/summary`, cells),
        },
      ],
      [client],
    )
  } finally {
    await browser.close()
    await client.close()
  }
}

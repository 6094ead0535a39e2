/**
 * Measures settings, notification targets and tiers: `npx tsx bench/settings.ts [--events 2000] [--puts 1000] [--queued 100000]
 * [--history 200] [--runs 3] [--peer /path/to/minio]`. The sizes of the issue are `--events 10000 --queued 1000000 --history 1000`.
 * Brokers are the real servers of Debian where they are installed (`scripts/brokers.mjs`), and the small servers of the tests
 * for Kafka, NSQ and Elasticsearch. The issue states no target for these figures.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createMadmin, type NewTier } from '@stowage/madmin'
import { UNKNOWN_REQUESTER } from '../packages/object-store/src/events/event.ts'
import { EventQueue } from '../packages/object-store/src/events/queue.ts'
import {
  type BrokerName,
  isInstalled,
  startBroker,
} from '../packages/object-store/src/events/targets/testing/brokers.ts'
import { freePorts } from '../packages/object-store/src/events/targets/testing/free-ports.ts'
import { startElasticsearch, startKafka, startNsqd } from '../packages/object-store/src/events/targets/testing/peers.ts'
import { ROOT, startTestStore, type TestStore } from '../packages/object-store/src/http/testing.ts'
import { sharedKey } from '../packages/object-store/src/tiers/azure-driver.ts'
import { AZURE_ACCOUNT, AZURE_KEY, startAzure, startGoogle } from '../packages/object-store/src/tiers/testing.ts'
import { startProduct } from './console.ts'
import { summarize, timed } from './measure.ts'
import { S3 } from './s3.ts'

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '2000' },
    puts: { type: 'string', default: '1000' },
    queued: { type: 'string', default: '100000' },
    history: { type: 'string', default: '200' },
    runs: { type: 'string', default: '3' },
    peer: { type: 'string' },
  },
})
const EVENTS = Number(options.events)
const PUTS = Number(options.puts)
const RUNS = Number(options.runs)
const CLIENTS = 32
const SMALL = Buffer.alloc(1024, 'stowage ')
const MIB = 2 ** 20

const lines: string[] = []
/** The issue states no targets, so that their column has a dash. */
const note = (what: string, unit: string, figures: readonly number[]) =>
  lines.push(`| ${what} | ${unit} | ${summarize(figures)} | – |`)
const repeat = async (work: () => Promise<number>, runs = RUNS) => {
  const figures: number[] = []
  for (let run = 0; run < runs; run++) figures.push(await work())
  return figures
}

const configure = (store: TestStore, line: string) =>
  createMadmin({ endpoint: store.url, credentials: ROOT }).setConfig(line)
const until = async (done: () => boolean | undefined) => {
  for (const end = performance.now() + 120_000; !done(); ) {
    if (performance.now() > end) throw new Error('not done within two minutes')
    await sleep(1)
  }
}

/** A webhook that takes everything. */
async function startHook() {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() }
}

type Settings = (port: number) => string
const BROKERS: [kind: string, service: string, broker: BrokerName, settings: Settings][] = [
  ['redis', 'redis', 'redis', (port) => `address=127.0.0.1:${port} key=k password=secret format=access`],
  ['mqtt', 'mqtt', 'mosquitto', (port) => `broker=tcp://127.0.0.1:${port} topic=t qos=1`],
  ['nats', 'nats', 'nats', (port) => `address=127.0.0.1:${port} subject=t username=u password=secret`],
  ['amqp', 'amqp', 'rabbitmq', (port) => `url=amqp://guest:guest@127.0.0.1:${port} exchange=t exchange_type=fanout`],
  ['mysql', 'mysql', 'mariadb', (port) => `dsn_string=u:secret@tcp(127.0.0.1:${port})/events table=t format=access`],
  [
    'postgres',
    'postgresql',
    'postgres',
    (port) =>
      `connection_string="host=127.0.0.1 port=${port} user=u password=secret dbname=postgres sslmode=disable" table=t format=access`,
  ],
]

async function ruleTo(s3: S3, bucket: string, arns: readonly string[]): Promise<void> {
  await s3.done({ method: 'PUT', path: `/${bucket}` })
  const queues = arns.map(
    (arn) => `<QueueConfiguration><Queue>${arn}</Queue><Event>s3:ObjectCreated:*</Event></QueueConfiguration>`,
  )
  const body = Buffer.from(`<NotificationConfiguration>${queues.join('')}</NotificationConfiguration>`)
  await s3.done({ method: 'PUT', path: `/${bucket}`, query: { notification: '' }, body })
}

/** Events per second from the queue to the target, and the time from a put to its acceptance by the target. */
async function benchKind(kind: string, service: string, settings: string, who: string): Promise<void> {
  await using store = await startTestStore({ events: { allow: '127.0.0.1' } })
  const s3 = new S3(store.url, ROOT)
  await configure(store, `notify_${kind}:b ${settings}`)
  const bucket = `bench-${kind}`
  await ruleTo(s3, bucket, [`arn:minio:sqs:us-east-1:b:${service}`])
  const { events } = store.server
  const sent = () => events.status()[0]?.sent ?? 0
  let key = 0
  const publish = () =>
    events.publish({
      name: 's3:ObjectCreated:Put',
      time: Date.now(),
      sequencer: `${++key}`,
      bucket,
      key: `k${key}`,
      size: 1024,
      requester: UNKNOWN_REQUESTER,
    })
  publish()
  await until(() => sent() === 1)
  const perSecond = await repeat(async () => {
    const before = sent()
    const ms = await timed(async () => {
      for (let i = 0; i < EVENTS; i++) publish()
      await until(() => sent() === before + EVENTS)
    })
    return EVENTS / (ms / 1000)
  })
  note(`events to ${kind} (${who})`, '1/s', perSecond)
  const arrival = await repeat(async () => {
    const before = sent()
    return await timed(async () => {
      await s3.done({ method: 'PUT', path: `/${bucket}/late`, body: SMALL })
      await until(() => sent() > before)
    })
  }, 20)
  note(`from a put to its acceptance by ${kind}`, 'ms', arrival)
}

async function benchKinds(): Promise<void> {
  const hook = await startHook()
  await benchKind('webhook', 'webhook', `endpoint=${hook.url}`, 'HTTP server of this program')
  hook.close()
  for (const [kind, service, name, settings] of BROKERS) {
    if (!isInstalled(name)) continue
    await using broker = await startBroker(name)
    await benchKind(kind, service, settings(broker.port), name)
  }
  {
    await using peer = await startNsqd()
    await benchKind('nsq', 'nsq', `nsqd_address=127.0.0.1:${peer.port} topic=t`, 'server of the tests')
  }
  {
    await using peer = await startKafka()
    await benchKind('kafka', 'kafka', `brokers=127.0.0.1:${peer.port} topic=events`, 'server of the tests')
  }
  {
    await using peer = await startElasticsearch()
    const settings = `url=http://127.0.0.1:${peer.port} index=t format=access`
    await benchKind('elasticsearch', 'elasticsearch', settings, 'server of the tests')
  }
}

/** Small puts per second of some server. */
async function putsPerSecond(s3: S3, bucket: string): Promise<number> {
  const put = (i: number) => s3.done({ method: 'PUT', path: `/${bucket}/k${i}`, body: SMALL })
  return PUTS / ((await timed(() => S3.parallel(CLIENTS, PUTS, put))) / 1000)
}

interface Server {
  name: string
  s3: S3
  buckets: Record<'none' | 'healthy' | 'dead', string>
}

/** Both servers with three buckets: without rules, with a rule of a healthy target, with one of a dead target. */
async function benchPuts(): Promise<void> {
  const hook = await startHook()
  const dead = `http://127.0.0.1:${await freePorts()}/`
  await using store = await startTestStore({ events: { allow: '127.0.0.1' } })
  const own = new S3(store.url, ROOT)
  const buckets = { none: 'none', healthy: 'healthy', dead: 'dead' }
  await configure(store, `notify_webhook:healthy endpoint=${hook.url}`)
  await configure(store, `notify_webhook:dead endpoint=${dead} queue_limit=1000000`)
  await own.done({ method: 'PUT', path: '/none' })
  for (const id of ['healthy', 'dead']) await ruleTo(own, id, [`arn:minio:sqs:us-east-1:${id}:webhook`])
  const servers: Server[] = [{ name: 'Stowage', s3: own, buckets }]
  const peer = options.peer === undefined ? undefined : await startMinio(options.peer, hook.url, dead)
  if (peer) servers.push({ name: 'MinIO', s3: peer.s3, buckets })
  const figures = new Map<string, number[]>()
  for (let run = -1; run < RUNS; run++) {
    for (const bucket of ['none', 'healthy', 'dead'] as const) {
      // In turns, so that other load on the machine affects all alike.
      for (const { name, s3, buckets } of servers) {
        const figure = await putsPerSecond(s3, buckets[bucket])
        const title = `${name}: puts of 1 KiB, ${CLIENTS} clients, ${bucket === 'none' ? 'no' : `a ${bucket}`} target`
        if (run >= 0) figures.set(title, [...(figures.get(title) ?? []), figure])
      }
    }
  }
  for (const [title, each] of figures) note(title, '1/s', each)
  await peer?.stop()
  hook.close()
}

/** Waits until MinIO has opened its targets, which is after it has reported that it lives. Its ARNs have its region. */
async function arnOf(url: string, id: string): Promise<string> {
  const madmin = createMadmin({ endpoint: url, credentials: ROOT })
  for (let tries = 0; tries < 300; tries++) {
    const found = (await madmin.serverInfo()).sqsARN.find((arn) => arn.includes(`:${id}:`))
    if (found !== undefined) return found
    await sleep(100)
  }
  throw new Error(`MinIO does not list its target ${id}`)
}

async function startMinio(program: string, healthy: string, dead: string) {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-bench-minio-'))
  const port = await freePorts()
  const target = (id: string, endpoint: string) => ({
    [`MINIO_NOTIFY_WEBHOOK_ENABLE_${id}`]: 'on',
    [`MINIO_NOTIFY_WEBHOOK_ENDPOINT_${id}`]: endpoint,
    [`MINIO_NOTIFY_WEBHOOK_QUEUE_DIR_${id}`]: join(folder, `queue-${id}`),
    [`MINIO_NOTIFY_WEBHOOK_QUEUE_LIMIT_${id}`]: '1000000',
  })
  const child = spawn(program, ['server', join(folder, '{1...4}'), '--address', `127.0.0.1:${port}`], {
    stdio: 'ignore',
    env: {
      HOME: folder,
      MINIO_CI_CD: 'on',
      MINIO_ROOT_USER: ROOT.accessKey,
      MINIO_ROOT_PASSWORD: ROOT.secretKey,
      ...target('healthy', healthy),
      ...target('dead', dead),
    },
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 300; tries++) {
    const isUp = await fetch(`${url}/minio/health/live`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) break
    await sleep(100)
  }
  const s3 = new S3(url, ROOT)
  await s3.done({ method: 'PUT', path: '/none' })
  for (const id of ['healthy', 'dead']) await ruleTo(s3, id, [await arnOf(url, id)])
  return {
    s3,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Memory of the built console and its store, without a target and with targets of all kinds that have sent something. */
async function benchMemory(): Promise<void> {
  const [hook, nsqd, kafka, elasticsearch] = await Promise.all([
    startHook(),
    startNsqd(),
    startKafka(),
    startElasticsearch(),
  ])
  const running = await Promise.all(
    BROKERS.filter(([, , name]) => isInstalled(name)).map(async ([kind, service, name, settings]) => {
      const broker = await startBroker(name)
      return { kind, service, broker, settings: settings(broker.port) }
    }),
  )
  const targets = [
    ['webhook', 'webhook', `endpoint=${hook.url}`],
    ['nsq', 'nsq', `nsqd_address=127.0.0.1:${nsqd.port} topic=t`],
    ['kafka', 'kafka', `brokers=127.0.0.1:${kafka.port} topic=events`],
    ['elasticsearch', 'elasticsearch', `url=http://127.0.0.1:${elasticsearch.port} index=t format=access`],
    ...running.map(({ kind, service, settings }) => [kind, service, settings]),
  ] as const
  await using c = await startProduct({ env: { STOWAGE_EGRESS_ALLOW: '127.0.0.1' } })
  const credentials = { accessKey: c.rootUser, secretKey: c.rootPassword }
  const s3 = new S3(c.serverUrl, credentials)
  await s3.done({ method: 'PUT', path: '/plain' })
  await s3.done({ method: 'PUT', path: '/plain/k', body: SMALL })
  note('memory of console and store, no target', 'MiB', [await memoryOf(c.pid)])
  const madmin = createMadmin({ endpoint: c.serverUrl, credentials })
  for (const [kind, , settings] of targets) await madmin.setConfig(`notify_${kind}:b ${settings}`)
  await ruleTo(s3, 'told', (await madmin.serverInfo()).sqsARN)
  for (let i = 0; i < 100; i++) await s3.done({ method: 'PUT', path: `/told/${i}`, body: SMALL })
  for (let tries = 0; tries < 600 && nsqd.taken.length + kafka.taken.length < 200; tries++) await sleep(50)
  note(`memory of console and store, ${targets.length} kinds after 100 events each`, 'MiB', [await memoryOf(c.pid)])
  for (const { broker } of running) await broker[Symbol.asyncDispose]()
  for (const peer of [nsqd, kafka, elasticsearch]) await peer[Symbol.asyncDispose]()
  hook.close()
}

/** Resident memory of a process and its children, in MiB. */
async function memoryOf(pid: number): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean)
  const sizes = await Promise.all(
    [pid, ...children].map(async (id) => {
      const status = await readFile(`/proc/${id}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function benchQueue(): Promise<void> {
  const count = Number(options.queued)
  const folder = await mkdtemp(join(tmpdir(), 'stowage-bench-queue-'))
  try {
    const body = JSON.stringify({ EventName: 's3:ObjectCreated:Put', Key: 'bucket/key', Records: ['x'.repeat(900)] })
    const queue = await EventQueue.open(folder, 10_000_000)
    for (let at = 0; at < count; at += 1000) {
      await queue.add(Array.from({ length: 1000 }, (_, i) => ({ seq: at + i + 1, lane: `bucket/${i}`, body })))
    }
    await queue.close()
    const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size))
    note(`${count} queued events of ${body.length} bytes, on disk`, 'MiB', [sizes.reduce((a, b) => a + b, 0) / MIB])
    const opened: EventQueue[] = []
    note(`open a queue of ${count} events`, 'ms', [
      await timed(async () => {
        opened.push(await EventQueue.open(folder, 10_000_000))
      }),
    ])
    if (opened[0]?.length !== count) throw new Error('the queue has lost events')
    await opened[0].close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function benchAuditAndCompression(): Promise<void> {
  const hook = await startHook()
  await using store = await startTestStore({ events: { allow: '127.0.0.1' } })
  const s3 = new S3(store.url, ROOT)
  await s3.done({ method: 'PUT', path: '/bench' })
  await putsPerSecond(s3, 'bench')
  note('puts of 1 KiB without audit_webhook', '1/s', await repeat(() => putsPerSecond(s3, 'bench')))
  await configure(store, `audit_webhook:b endpoint=${hook.url}`)
  note('puts of 1 KiB with audit_webhook', '1/s', await repeat(() => putsPerSecond(s3, 'bench')))
  await configure(store, 'audit_webhook:b enable=off')
  const text = Buffer.from(
    Array.from(
      { length: 16 * 2 ** 13 },
      (_, i) => `${1e9 + i} GET /bucket/key-${(i * 7919) % 10_007} 200 ${i % 977} ms\n`,
    ).join(''),
  ).subarray(0, 4 * MIB)
  const used = () => store.engine.drives().reduce((sum, drive) => sum + drive.used, 0)
  const putText = async (key: string) => {
    const ms = await timed(() => s3.done({ method: 'PUT', path: `/bench/${key}`, body: text }))
    return text.length / MIB / (ms / 1000)
  }
  const ranged = (key: string) => () =>
    timed(() => s3.done({ method: 'GET', path: `/bench/${key}`, headers: { range: 'bytes=3000000-3065535' } }))
  let before = used()
  note('puts of text, not compressed', 'MiB/s', await repeat(() => putText('plain.log')))
  const plain = used() - before
  note('ranged gets of 64 KiB, not compressed', 'ms', await repeat(ranged('plain.log'), 20))
  await configure(store, 'compression enable=on extensions=.log mime_types=text/*')
  before = used()
  note('puts of text, compressed', 'MiB/s', await repeat(() => putText('small.log')))
  note('size of compressed text', '% of plain', [(100 * (used() - before)) / plain])
  note('ranged gets of 64 KiB, compressed', 'ms', await repeat(ranged('small.log'), 20))
  hook.close()
}

/** Azurite with the container `cold`, or the server of the tests. */
async function startAzureTier(): Promise<AsyncDisposable & { who: string; endpoint: string }> {
  if (!isInstalled('azurite')) {
    const peer = await startAzure()
    return Object.assign(peer, { who: 'Azure (server of the tests)', endpoint: `${peer.url}/${AZURE_ACCOUNT}` })
  }
  const broker = await startBroker('azurite')
  const endpoint = `http://127.0.0.1:${broker.port}/${AZURE_ACCOUNT}`
  const headers = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2020-10-02' }
  const call = { method: 'PUT', path: `/${AZURE_ACCOUNT}/cold`, query: [['restype', 'container']] as const, headers }
  const authorization = sharedKey({ accessKey: AZURE_ACCOUNT, secretKey: AZURE_KEY }, call)
  const url = `${endpoint}/cold?restype=container`
  const { ok } = await fetch(url, { method: 'PUT', headers: { ...headers, authorization } })
  if (!ok) throw new Error('Azurite did not create the container')
  return Object.assign(broker, { who: 'Azurite', endpoint })
}

async function benchTiers(): Promise<void> {
  const [remote, azure, google] = await Promise.all([startTestStore(), startAzureTier(), startGoogle()])
  const emulator = isInstalled('gcsEmulator') ? await startBroker('gcsEmulator') : undefined
  const googleEndpoint = emulator ? `http://127.0.0.1:${emulator.port}` : google.url
  await remote.engine.createBucket('cold')
  await using store = await startTestStore({ outgoing: '127.0.0.1' })
  const s3 = new S3(store.url, ROOT)
  const place = (name: string) => ({
    name,
    bucket: 'cold',
    prefix: name.toLowerCase(),
    region: 'us-east-1',
    storageClass: '',
  })
  const accountName = AZURE_ACCOUNT
  const tiers: [string, NewTier][] = [
    ['S3 (a second store)', { type: 's3', ...place('S3'), endpoint: remote.url, ...ROOT }],
    [azure.who, { type: 'azure', ...place('AZURE'), endpoint: azure.endpoint, accountName, accountKey: AZURE_KEY }],
    [
      emulator ? 'GCS (gcp-storage-emulator)' : 'GCS (server of the tests)',
      { type: 'gcs', ...place('GCS'), endpoint: googleEndpoint, creds: google.creds },
    ],
  ]
  const COUNT = 32
  const body = Buffer.alloc(MIB, 'stowage ')
  for (const [who, tier] of tiers) {
    await createMadmin({ endpoint: store.url, credentials: ROOT }).addTier(tier)
    const bucket = `from-${tier.name.toLowerCase()}`
    await s3.done({ method: 'PUT', path: `/${bucket}` })
    await S3.parallel(8, COUNT, (i) => s3.done({ method: 'PUT', path: `/${bucket}/${i}`, body }))
    const transition = `<Transition><Days>0</Days><StorageClass>${tier.name}</StorageClass></Transition>`
    const rule = `<Rule><ID>r</ID><Status>Enabled</Status><Filter/>${transition}</Rule>`
    const document = Buffer.from(`<LifecycleConfiguration>${rule}</LifecycleConfiguration>`)
    const isLocal = (i: number) => store.engine.getObject(bucket, `${i}`).info.tier === undefined
    const ms = await timed(async () => {
      await s3.done({ method: 'PUT', path: `/${bucket}`, query: { lifecycle: '' }, body: document })
      for (let pass = 0; pass < 10 && Array.from({ length: COUNT }, (_, i) => i).some(isLocal); pass++)
        await store.server.lifecycle.run()
    })
    note(`move objects of 1 MiB to ${who}`, 'MiB/s', [COUNT / (ms / 1000)])
    note(
      `get of 1 MiB through ${who}`,
      'ms',
      await repeat(() => timed(() => s3.done({ method: 'GET', path: `/${bucket}/0` })), 10),
    )
  }
  for (const each of [remote, azure, google, emulator]) await each?.[Symbol.asyncDispose]()
}

async function benchPages(): Promise<void> {
  await using c = await startProduct()
  const count = Number(options.history)
  const madmin = createMadmin({
    endpoint: c.serverUrl,
    credentials: { accessKey: c.rootUser, secretKey: c.rootPassword },
  })
  for (let i = 0; i < count; i++) await madmin.setConfig(`api requests_max=${1000 + i}`)
  const call = (name: 'listConfigs' | 'listConfigHistory' | 'listNotificationEndpoints') => () =>
    timed(() => c.call(name, {}))
  note('settings page: list of configurations', 'ms', await repeat(call('listConfigs'), 10))
  note('settings page: list of targets', 'ms', await repeat(call('listNotificationEndpoints'), 10))
  note(`history of ${count} entries`, 'ms', await repeat(call('listConfigHistory'), 10))
}

for (const [name, part] of Object.entries({
  kinds: benchKinds,
  puts: benchPuts,
  memory: benchMemory,
  queue: benchQueue,
  auditAndCompression: benchAuditAndCompression,
  tiers: benchTiers,
  pages: benchPages,
})) {
  const ms = await timed(() =>
    part().catch((error) => {
      console.error(`${name}:`, error)
      process.exitCode = 1
    }),
  )
  console.error(`${name}: ${(ms / 1000).toFixed(0)} s`)
}
console.log(['| settings | unit | Stowage, median (min to max) | target |', '|---|---|---|---|', ...lines].join('\n'))
process.exit()

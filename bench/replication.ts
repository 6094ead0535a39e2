/**
 * Measures replication, the lifecycle scanner and tiers, each on stores that it starts: `npx tsx bench/replication.ts
 * [--minio PROGRAM] [--only scanner,replication,lost,tiers] [--runs 3] [--objects 100000] [--seconds 6] [--small 10000]
 * [--large 10] [--mib 64]`. Needs a build. With `--minio`, MinIO replicates to MinIO in turns with ours. The sizes of the issue
 * are `--objects 1000000 --mib 1024`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { formatSize, MiB } from '@stowage/contract/values/units'
import { createMadmin } from '@stowage/madmin'
import { openEngine } from '../packages/object-store/src/engine/open-engine.ts'
import { startStore } from '../tests/support/console/start-store.ts'
import { type BenchCase, type BenchRow, compareTargets, summarizeFigures, timed } from './lib/measure.ts'
import { listKeysPage } from './lib/objects.ts'
import { noise, S3 } from './lib/s3.ts'

const { values } = parseArgs({
  options: {
    minio: { type: 'string' },
    only: { type: 'string', default: 'scanner,replication,lost,tiers' },
    runs: { type: 'string', default: '3' },
    objects: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '6' },
    small: { type: 'string', default: '10000' },
    large: { type: 'string', default: '10' },
    mib: { type: 'string', default: '64' },
  },
})
const runs = Number(values.runs)
const objects = Number(values.objects)
const seconds = Number(values.seconds)
const small = Number(values.small)
const large = Number(values.large)
const size = Number(values.mib) * MiB

const CLIENTS = 32
const ROOT = { accessKey: 'rootuser', secretKey: 'rootpassword' }
const MINIO = { accessKey: 'minioadmin', secretKey: 'minioadmin' }
const KIB = Buffer.alloc(1024, 'stowage ')
const ALLOW = { STOWAGE_EGRESS_ALLOW: '127.0.0.1' }

let buckets = 0

/** A row of the result, with the target of the issue. */
type Figure = BenchRow & { target: string }
const figures: Figure[] = []
const sections = new Map([
  ['scanner', benchScanner],
  ['replication', benchReplication],
  ['lost', benchLostTarget],
  ['tiers', benchTiers],
])
for (const name of values.only.split(',')) {
  const section = sections.get(name)
  if (!section) throw new Error(`${name} is not one of ${[...sections.keys()].join(', ')}`)
  await section()
}
console.log('| replication, lifecycle and tiers | unit | Stowage | MinIO | target |\n|---|---|---|---|---|')
for (const { name, unit, figures: [own = [], peer = []] = [], target } of figures) {
  console.log(`| ${name} | ${unit} | ${summarizeFigures(own)} | ${summarizeFigures(peer)} | ${target} |`)
}

function note(name: string, unit: string, own: number[], target = '–'): void {
  figures.push({ name, unit, figures: [own], target })
}

/** Latencies of 32 clients that write and read objects of 1 KiB, while a pass of the scanner runs and while none does. */
async function benchScanner(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'stowage-bench-'))
  const drives = [1, 2, 3, 4].map((n) => join(data, 'drives', String(n)))
  // Written directly, because it is faster.
  const engine = await openEngine({ data, drives, minFree: 0 })
  await engine.createBucket('many')
  await engine.createBucket('busy')
  await S3.parallel(64, objects, async (i) => {
    await engine.putObject('many', `prefix-${i % 10}/object-${i}`, Readable.from([KIB]), {})
  })
  await engine.close()
  await using store = await startStore({ STOWAGE_DATA: data })
  const s3 = new S3(store.url, ROOT)
  const rates: number[] = []
  const without: number[] = []
  const during: number[] = []
  const ratios: number[] = []
  await load(s3, 1)
  for (let run = 0; run < runs; run++) {
    const before = p99(await load(s3, seconds))
    const stop = new AbortController()
    const scanned = scanWhile(s3, stop.signal)
    const after = p99(await load(s3, seconds))
    stop.abort()
    rates.push(await scanned)
    await s3.done({ method: 'DELETE', path: '/many', query: { lifecycle: '' } })
    without.push(before)
    during.push(after)
    ratios.push(after / before)
  }
  note(`p99 of ${CLIENTS} clients, no scanner`, 'ms', without)
  note(`p99 of ${CLIENTS} clients, the scanner reads ${objects.toLocaleString('en')} objects`, 'ms', during)
  note('p99 with the scanner, of that without', '×', ratios, 'at most 1.2')
  note('objects that the scanner reads meanwhile', '1/s', rates)
  await s3.close()
  await rm(data, { recursive: true, force: true })
}

/** Runs one pass after the other. @returns the objects scanned per second */
async function scanWhile(s3: S3, signal: AbortSignal): Promise<number> {
  const scanned = new Map<number, number>()
  const startedAt = performance.now()
  // A changed rule begins a pass at once. Nothing is old enough to expire.
  const begin = () => putLifecycle(s3, 'many', '<Expiration><Days>3650</Days></Expiration>')
  await begin()
  while (!signal.aborted) {
    const { pass } = JSON.parse(await s3.text({ method: 'GET', path: '/minio/admin/v3/lifecycle-status' })) as Status
    if (pass) scanned.set(Date.parse(pass.startedAt), pass.scanned)
    if (pass?.endedAt) await begin()
    await sleep(20)
  }
  return [...scanned.values()].reduce((sum, each) => sum + each, 0) / ((performance.now() - startedAt) / 1000)
}

interface Status {
  pass: { startedAt: string; endedAt: string | null; scanned: number } | null
}

/** @returns latencies in ms */
async function load(s3: S3, duration: number): Promise<number[]> {
  const latencies: number[] = []
  const end = performance.now() + duration * 1000
  const client = async (number: number) => {
    for (let i = number; performance.now() < end; i += CLIENTS) {
      const path = `/busy/object-${i % 1000}`
      latencies.push(await timed(() => s3.done({ method: 'PUT', path, body: KIB })))
      latencies.push(await timed(() => s3.done({ method: 'GET', path })))
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))
  return latencies
}

function p99(latencies: number[]): number {
  return latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN
}

interface Pair {
  name: string
  from: S3
  to: S3
  /** `host:port` of the second server. */
  target: string
  credentials: typeof ROOT
}

async function benchReplication(): Promise<void> {
  await using from = await startStore(ALLOW)
  await using to = await startStore()
  const pairs: Pair[] = [serverPair('Stowage', from.url, to.url, ROOT)]
  const minios = values.minio ? await Promise.all([startMinio(values.minio), startMinio(values.minio)]) : []
  const [first, second] = minios
  if (first && second) pairs.push(serverPair('MinIO', first.url, second.url, MINIO))
  try {
    const cases: BenchCase<Pair>[] = [
      {
        name: `${small.toLocaleString('en')} objects of 1 KiB, from the first write until the last is there`,
        unit: 's',
        run: (pair) => replicated(pair, small, (path) => pair.from.done({ method: 'PUT', path, body: KIB })),
        runs,
      },
      {
        name: `${large} objects of ${formatSize(size)}, from the first write until the last is there`,
        unit: 's',
        run: (pair) =>
          replicated(
            pair,
            large,
            (path) => pair.from.done({ method: 'PUT', path, body: () => noise(size), length: size }),
            2,
          ),
        runs: 1,
      },
    ]
    for (const each of cases) figures.push({ ...(await compareTargets(each, pairs, runs)), target: 'that of MinIO' })
  } finally {
    await Promise.all([...pairs.flatMap((pair) => [pair.from.close(), pair.to.close()])])
    await Promise.all(minios.map((minio) => minio.stop()))
  }
}

function serverPair(name: string, from: string, to: string, credentials: typeof ROOT): Pair {
  return { name, from: new S3(from, credentials), to: new S3(to, credentials), target: new URL(to).host, credentials }
}

/** A bucket on both servers, replicated from the first to the second. */
async function replicatedBucket({ from, to, target, credentials }: Pair): Promise<string> {
  const bucket = `bench-${buckets++}`
  for (const s3 of [from, to]) {
    await s3.done({ method: 'PUT', path: `/${bucket}` })
    const body = Buffer.from('<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>')
    await s3.done({ method: 'PUT', path: `/${bucket}`, query: { versioning: '' }, body })
  }
  const madmin = createMadmin({ endpoint: from.endpoint, credentials })
  const settings = { region: '', sync: false, bandwidth: 0, healthCheckSeconds: 60 }
  const place = { endpoint: target, secure: false, targetBucket: bucket, ...credentials }
  const arn = await madmin.setRemoteTarget(bucket, { ...place, ...settings })
  const on = '<Status>Enabled</Status>'
  const body = Buffer.from(
    `<ReplicationConfiguration><Rule><ID>r</ID>${on}<Priority>1</Priority><DeleteMarkerReplication>${on}` +
      `</DeleteMarkerReplication><DeleteReplication>${on}</DeleteReplication><Filter><Prefix></Prefix></Filter>` +
      `<Destination><Bucket>${arn}</Bucket></Destination></Rule></ReplicationConfiguration>`,
  )
  await from.done({ method: 'PUT', path: `/${bucket}`, query: { replication: '' }, body })
  return bucket
}

/** @returns seconds from the first write until the other server has all objects */
async function replicated(
  pair: Pair,
  count: number,
  put: (path: string) => Promise<void>,
  clients = CLIENTS,
): Promise<number> {
  const bucket = await replicatedBucket(pair)
  const ms = await timed(async () => {
    await S3.parallel(clients, count, (i) => put(`/${bucket}/object-${i}`))
    while ((await countObjects(pair.to, bucket)) < count) await sleep(50)
  })
  return ms / 1000
}

async function countObjects(s3: S3, bucket: string): Promise<number> {
  let count = 0
  for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
    const page = await listKeysPage(s3, bucket, next)
    count += page.keys.length
    next = page.next
  }
  return count
}

/** Kills the target in the middle of the objects, and starts it again. */
async function benchLostTarget(): Promise<void> {
  await using from = await startStore(ALLOW)
  await using to = await startStore()
  const pair = serverPair('Stowage', from.url, to.url, ROOT)
  const bucket = await replicatedBucket(pair)
  const put = (i: number) => pair.from.done({ method: 'PUT', path: `/${bucket}/object-${i}`, body: KIB })
  const startedAt = performance.now()
  await S3.parallel(CLIENTS, small / 2, put)
  await to.stop('SIGKILL')
  await S3.parallel(CLIENTS, small / 2, (i) => put(small / 2 + i))
  await to.start()
  const back = performance.now()
  // The worker looks for a lost target at growing intervals, at most once a minute.
  while ((await countObjects(pair.to, bucket)) < small && performance.now() - back < 300_000) await sleep(100)
  const name = `${small.toLocaleString('en')} objects, the target is killed in the middle`
  note(`${name}: seconds until all are there`, 's', [(performance.now() - startedAt) / 1000])
  note(`${name}: objects that are missing`, 'objects', [small - (await countObjects(pair.to, bucket))], '0')
  note(`${name}: versions above one`, 'versions', [(await countVersions(pair.to, bucket)) - small], '0')
  await Promise.all([pair.from.close(), pair.to.close()])
}

async function countVersions(s3: S3, bucket: string): Promise<number> {
  let count = 0
  for (let from: Record<string, string> | undefined = {}; from; ) {
    const query: Record<string, string> = { versions: '', 'max-keys': '1000', ...from }
    const xml = await s3.text({ method: 'GET', path: `/${bucket}`, query })
    count += xml.match(/<Version>/g)?.length ?? 0
    const key = /<NextKeyMarker>([^<]*)</.exec(xml)?.[1]
    const version = /<NextVersionIdMarker>([^<]*)</.exec(xml)?.[1]
    from = key && version ? { 'key-marker': key, 'version-id-marker': version } : undefined
  }
  return count
}

/** Objects that move to another store, and reads through that store against reads of it. */
async function benchTiers(): Promise<void> {
  await using store = await startStore(ALLOW)
  await using remote = await startStore()
  const [s3, far] = [new S3(store.url, ROOT), new S3(remote.url, ROOT)]
  const madmin = createMadmin({ endpoint: store.url, credentials: ROOT })
  await far.done({ method: 'PUT', path: '/cold' })
  const place = { endpoint: remote.url, bucket: 'cold', prefix: 'p', region: 'us-east-1', storageClass: '' }
  await madmin.addTier({ type: 's3', name: 'COLD', ...place, ...ROOT })
  const moves: number[] = []
  const bytes: number[] = []
  const count = Math.min(small, 500)
  for (let run = 0; run < runs; run++) {
    const bucket = `small-${run}`
    await s3.done({ method: 'PUT', path: `/${bucket}` })
    await S3.parallel(CLIENTS, count, (i) => s3.done({ method: 'PUT', path: `/${bucket}/object-${i}`, body: KIB }))
    moves.push(count / (await moved(s3, madmin, bucket, count)))
    await s3.done({ method: 'PUT', path: `/large-${run}` })
    const path = `/large-${run}/k`
    await s3.done({ method: 'PUT', path, body: () => noise(size), length: size })
    bytes.push(size / MiB / (await moved(s3, madmin, `large-${run}`, 1)))
  }
  note(`objects of 1 KiB that move to a tier`, '1/s', moves)
  note(`an object of ${formatSize(size)} that moves to a tier`, 'MiB/s', bytes)
  await far.done({ method: 'PUT', path: '/direct' })
  await far.done({ method: 'PUT', path: '/direct/k', body: () => noise(size), length: size })
  await far.done({ method: 'PUT', path: '/direct/small', body: KIB })
  const reads = (path: string) => async (from: { name: string; s3: S3 }) =>
    size / MiB / ((await timed(() => from.s3.done({ method: 'GET', path }))) / 1000)
  const each = [
    { name: 'through', s3, large: '/large-0/k', small: '/small-0/object-0' },
    { name: 'direct', s3: far, large: '/direct/k', small: '/direct/small' },
  ]
  const throughput = await compareTargets(
    { name: '', unit: 'MiB/s', run: (from: (typeof each)[number]) => reads(from.large)(from) },
    each,
    runs,
  )
  const latency = await compareTargets(
    {
      name: '',
      unit: 'ms',
      run: async (from: (typeof each)[number]) =>
        (await timed(async () => {
          for (let i = 0; i < 100; i++) await from.s3.done({ method: 'GET', path: from.small })
        })) / 100,
    },
    each,
    runs,
  )
  note(`${formatSize(size)} read through the tier`, 'MiB/s', [...(throughput.figures[0] ?? [])])
  note(`${formatSize(size)} read from the other store`, 'MiB/s', [...(throughput.figures[1] ?? [])])
  note('1 KiB read through the tier', 'ms', [...(latency.figures[0] ?? [])])
  note('1 KiB read from the other store', 'ms', [...(latency.figures[1] ?? [])])
  await Promise.all([s3.close(), far.close()])
}

/** @returns seconds until all objects of a bucket are on the tier */
async function moved(s3: S3, madmin: ReturnType<typeof createMadmin>, bucket: string, count: number): Promise<number> {
  const onTier = async () => (await madmin.tierUsage()).find(({ name }) => name === 'COLD')?.numVersions ?? 0
  const before = await onTier()
  const ms = await timed(async () => {
    await putLifecycle(s3, bucket, '<Transition><Days>0</Days><StorageClass>COLD</StorageClass></Transition>')
    while ((await onTier()) < before + count) await sleep(20)
  })
  return ms / 1000
}

async function putLifecycle(s3: S3, bucket: string, action: string): Promise<void> {
  const rule = `<Rule><ID>r</ID><Status>Enabled</Status><Filter><Prefix></Prefix></Filter>${action}</Rule>`
  const body = Buffer.from(`<LifecycleConfiguration>${rule}</LifecycleConfiguration>`)
  await s3.done({ method: 'PUT', path: `/${bucket}`, query: { lifecycle: '' }, body })
}

/** Starts a MinIO with four folders as drives. */
async function startMinio(program: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const data = await mkdtemp(join(tmpdir(), 'stowage-bench-minio-'))
  const port = await freePort()
  const child = spawn(program, ['server', `${data}/{1...4}`, '--address', `127.0.0.1:${port}`], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: data,
      MINIO_CI_CD: 'on',
      MINIO_ROOT_USER: MINIO.accessKey,
      MINIO_ROOT_PASSWORD: MINIO.secretKey,
    },
  })
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/minio/health/cluster`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) await sleep(100)
  return {
    url,
    async stop() {
      const exit = once(child, 'exit')
      child.kill()
      await exit
      await rm(data, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('there is no port')
  return address.port
}

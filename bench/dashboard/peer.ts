import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { CreateBucketCommand, HeadObjectCommand, PutObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3'
import type { TestConsole } from '../../tests/support/console/start-console.ts'
import { embeddedStoreProcess } from '../../tests/support/processes/processes.ts'
import { timed } from '../lib/measure.ts'
import { withPeakMemory } from '../lib/memory.ts'
import { startProduct } from '../lib/start-product.ts'
import { latencies } from './heal.ts'
import { benchFolder, benchOptions, CLIENTS, formatMs, inParallel, objects, percentile, printRow } from './setup.ts'

/* A heal that an administrator starts, by the same calls, of our store and of MinIO: one of four drives has lost the copies of
 * all objects. */

const BUCKET = 'heal'
const KEYS = Array.from({ length: objects }, (_, i) => `k${i}`)
/** Reads that are measured while a heal runs; fewer for a try with few objects. */
const READS = Math.min(5000, 10 * objects)

interface Healed {
  name: string
  console: TestConsole
  /** Process of the storage server. */
  pid: number
  /** Removes the copies of all objects from one drive. */
  lose(): Promise<void>
}

/** Puts the objects into both servers. With `--data`, another run measures their heal. */
export async function seedHeals(): Promise<void> {
  if (benchOptions.data === '') return
  await withOurs(({ console }) => seed(console))
  await withPeer(({ console }) => seed(console))
}

export async function benchOurHeal(): Promise<void> {
  await withOurs(measureHeal)
}

export async function benchPeerHeal(): Promise<void> {
  await withPeer(measureHeal)
}

async function withOurs(work: (healed: Healed) => Promise<void>): Promise<void> {
  await using console = await startProduct({ data: join(benchOptions.data || benchFolder, 'ours') })
  const [server] = (await console.call('getAdminInfo', {})).servers
  const blobs = join(server?.drives[1]?.drivePath ?? '', 'blobs')
  const lose = async () => {
    const names = await readdir(blobs, { recursive: true })
    for (const name of names) if (/[0-9a-f]{32}$/.test(name)) await rm(join(blobs, name))
  }
  await work({ name: 'Stowage', console, pid: embeddedStoreProcess(console.pid), lose })
}

async function withPeer(work: (healed: Healed) => Promise<void>): Promise<void> {
  if (benchOptions.peer === '') return
  const [user, password] = ['minioadmin', 'minioadmin']
  const address = `127.0.0.1:${benchOptions['peer-port']}`
  const drives = join(benchOptions.data || benchFolder, 'peer')
  const peer = spawn(benchOptions.peer, ['server', `${drives}/{1...4}`, '--address', address], {
    env: { ...process.env, MINIO_CI_CD: 'on', MINIO_ROOT_USER: user, MINIO_ROOT_PASSWORD: password },
    stdio: 'ignore',
  })
  try {
    Object.assign(process.env, { STOWAGE_TEST_USER: user, STOWAGE_TEST_PASSWORD: password })
    const isUp = async () => (await fetch(`http://${address}/minio/health/cluster`).catch(() => undefined))?.ok
    while (!(await isUp())) {
      if (peer.exitCode !== null) throw new Error(`${benchOptions.peer} ended with ${peer.exitCode}`)
      await wait(100)
    }
    await using console = await startProduct({ env: { STOWAGE_SERVER: `http://${address}` } })
    // MinIO goes on healing what was read before, so a folder may get a file while it is removed.
    const lose = async () => await rm(join(drives, '2', BUCKET), { recursive: true, force: true, maxRetries: 50 })
    await work({ name: 'MinIO', console, pid: peer.pid ?? 0, lose })
  } finally {
    if (peer.exitCode === null) {
      peer.kill()
      await once(peer, 'exit')
    }
  }
}

/** Puts the objects that are missing: a run that was stopped is continued by the next. */
async function seed({ s3 }: TestConsole): Promise<void> {
  const last = { Bucket: BUCKET, Key: KEYS.at(-1) }
  if (await s3.send(new HeadObjectCommand(last)).catch(() => undefined)) return
  const found = new Set<string>()
  try {
    for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket: BUCKET }))
      for (const { Key = '' } of Contents) found.add(Key)
  } catch {
    await s3.send(new CreateBucketCommand({ Bucket: BUCKET }))
  }
  const missing = KEYS.filter((key) => !found.has(key))
  await inParallel(missing, async (Key) => {
    await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: Buffer.alloc(20_000, Key) }))
  })
}

async function measureHeal({ name, console, pid, lose }: Healed): Promise<void> {
  const { madmin } = console
  await seed(console)
  const path = { bucket: BUCKET, prefix: '' }
  const start = () =>
    madmin.startHeal(path, { recursive: true, remove: false, dryRun: false, deep: false, force: true })
  await latencies(console, READS, BUCKET)
  const before = percentile(await latencies(console, READS, BUCKET))
  await lose()
  await start()
  const meanwhile = percentile(await latencies(console, READS, BUCKET))
  await madmin.stopHeal(path)
  await lose()
  const { result, peak } = await withPeakMemory(pid, async () => {
    const token = await start()
    let healed = 0
    const took = await timed(async () => {
      for (;;) {
        const { summary, items } = await madmin.healStatus(path, token)
        healed += items.filter(({ type, before, after }) => type === 'object' && online(after) > online(before)).length
        if (summary !== 'running' && items.length === 0) return
        if (items.length === 0) await wait(20)
      }
    })
    return { took, healed }
  })
  const what = `${name}: heal of ${objects} objects of 20 kB`
  printRow(`${what}, ${result.healed} of which had lost a copy`, '–', `${(result.took / 1000).toFixed(1)} s`)
  printRow(`${what}: time of an object that had lost a copy`, '–', formatMs(result.took / result.healed))
  printRow(`${what}: memory of the server`, '–', `${peak.toFixed(0)} MiB`)
  printRow(
    `${name}: p99 of ${CLIENTS} clients that read, without a heal; with one`,
    '–',
    `${formatMs(before)}; ${formatMs(meanwhile)}`,
  )
}

const online = (states: readonly { state: string }[]) => states.filter(({ state }) => state === 'ok').length

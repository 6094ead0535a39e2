import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { TestConsole } from '../tests/support/console.ts'
import { startProduct } from './console.ts'
import { add, CLIENTS, folder, ms, objects, percentile, together, values } from './dashboard-common.ts'
import { timed } from './measure.ts'

/* Heals: of a drive that came back empty, and those that an administrator starts, here and on MinIO. */

export async function benchHeal(c: TestConsole, drive: string, gets: () => Promise<number[]>): Promise<void> {
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
export async function benchPeer(): Promise<void> {
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

/** Durations of reads by all clients at once (ms). */
export async function latencies(c: TestConsole, count: number): Promise<number[]> {
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

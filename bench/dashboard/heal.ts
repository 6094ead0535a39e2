import { mkdir, rename } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import type { TestConsole } from '../../tests/support/console/start-console.ts'
import { timed } from '../lib/measure.ts'
import { CLIENTS, formatMs, inParallel, objects, percentile, printRow } from './setup.ts'

/* The heal of a drive that came back empty. */

export async function benchHeal(c: TestConsole, drive: string, gets: () => Promise<number[]>): Promise<void> {
  const driveState = async () => {
    const { servers } = await c.call('getAdminInfo', { query: { defaultOnly: 'true' } })
    const found = servers[0]?.drives.find(({ drivePath }) => drivePath === drive)
    return found?.healing ? 'healing' : found?.state
  }
  const reach = async (state: string) => {
    while ((await driveState()) !== state) await wait(50)
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
  printRow(`heal of a wiped drive, ${objects} objects of 20 kB`, '–', `${(took / 1000).toFixed(1)} s`)
  printRow(`p99 of ${CLIENTS} clients while it is healed`, '–', formatMs(percentile(during)))
}

/** Durations of reads by all clients at once (ms). */
export async function latencies(c: TestConsole, count: number, bucket = 'bucket-0'): Promise<number[]> {
  const keys = Array.from({ length: count }, (_, i) => `k${i % objects}`)
  const durations: number[] = []
  await inParallel(keys, async (Key) => {
    durations.push(
      await timed(async () => {
        const { Body } = await c.s3.send(new GetObjectCommand({ Bucket: bucket, Key }))
        await Body?.transformToByteArray()
      }),
    )
  })
  return durations
}

import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { Widget } from '@stowage/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'

let c: TestConsole
beforeAll(async () => {
  c = await startConsole({ env: { STOWAGE_METRICS_INTERVAL: '0.2' } })
})
afterAll(async () => await c[Symbol.asyncDispose]())

const widget = async (id: number, query = {}): Promise<Widget> =>
  await c.call('getWidget', { params: { id }, query: { step: 1, ...query } })

/** Returns the latest value of the first series. */
const latest = ({ targets }: Widget) => Number(targets[0]?.result[0]?.values.at(-1)?.[1] ?? Number.NaN)

/** The widgets of the three tabs, by id. */
const TITLES: Record<number, string> = {
  1: 'Uptime',
  64: 'Total S3 Traffic Outbound',
  65: 'Total S3 Traffic Inbound',
  68: 'Data Usage Growth',
  52: 'Object size distribution',
  44: 'Number of Objects',
  61: 'Total Open FDs',
  80: 'Time Since Last Heal Activity',
  81: 'Time Since Last Scan Activity',
  66: 'Number of Buckets',
  62: 'Total Goroutines',
  53: 'Total Online Servers',
  63: 'S3 API Data Received Rate',
  50: 'Current Usable Capacity',
  69: 'Total Offline Servers',
  70: 'S3 API Data Sent Rate',
  9: 'Total Online Disks',
  78: 'Total Offline Disks',
  60: 'S3 API Request Rate',
  71: 'S3 API Request Error Rate',
  17: 'Internode Data Transfer',
  73: 'Node IO',
  76: 'Node Memory Usage',
  77: 'Node CPU Usage',
  11: 'Node Syscalls',
  8: 'Node File Descriptors',
  82: 'Drives Free Inodes',
  74: 'Drive Used Capacity',
}

ownStore.test(
  'the info of the embedded store lists 28 widgets by title; defaultOnly leaves them out [DSH-08]',
  async () => {
    const info = await c.call('getAdminInfo', { query: { step: 15, start: 1, end: 901 } })
    expect(info.metrics).toBe('history')
    expect(Object.fromEntries((info.widgets ?? []).map(({ id, title }) => [id, title]))).toEqual(TITLES)
    for (const { targets } of info.widgets ?? []) expect(targets).toBeNull()
    expect(Math.abs(info.time - Date.now() / 1000)).toBeLessThan(60)
    expect((await c.call('getAdminInfo', { query: { defaultOnly: 'true' } })).widgets).toBeNull()
  },
)

ownStore.test('each widget of our own store answers with values of its kind [DSH-09] [DSH-12]', async () => {
  const bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: 'x'.repeat(2000) }))
  await expect.poll(async () => latest(await widget(44)), { timeout: 30_000 }).toBe(1)
  // A rate needs two samples, and the error rate a failed request.
  await expect.poll(async () => latest(await widget(73)), { timeout: 30_000 }).toBeGreaterThan(0)
  const absent = new Set([62, 80, 17, 81, 71])
  for (const id of Object.keys(TITLES).map(Number)) {
    const answer = await widget(id)
    expect(answer).toMatchObject({ id, title: TITLES[id] })
    expect(answer.targets.every(({ resultType }) => resultType === 'matrix')).toBe(true)
    if (absent.has(id)) expect(answer.empty).toBe('not-reported')
    // Some values come with a later sample than those above.
    else
      await expect
        .poll(async () => latest(await widget(id)), { timeout: 30_000, message: `${TITLES[id]}` })
        .toBeGreaterThanOrEqual(0)
  }
})

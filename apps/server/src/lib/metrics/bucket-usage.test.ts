import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataUsage } from '@stowage/madmin'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { filterSince, readDailySizes, readUsagePoints, usageSamples } from './bucket-usage.ts'
import { MetricsHistory } from './history/history.ts'
import { BUCKET_LEVELS } from './history/levels.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const log = pino({ level: 'silent' })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bucket-usage-'))
})
afterEach(async () => await rm(folder, { recursive: true, force: true }))

const open = async () => {
  const history = new MetricsHistory({ folder, levels: BUCKET_LEVELS, maxBytes: 1 << 30, gap: 750, log })
  await history.open()
  return history
}

const usage = (sizes: Record<string, number>, lastUpdate: string | undefined = '2026-01-01T00:00:00Z'): DataUsage => {
  const of = (size: number) => ({
    size,
    objects: size / 10,
    versions: size / 5,
    deleteMarkers: 0,
    objectsBySize: {},
    objectsByVersions: {},
  })
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0)
  return {
    ...of(total),
    lastUpdate,
    buckets: Object.keys(sizes).length,
    bucketUsage: Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, of(size)])),
  }
}

const now = Math.floor(Date.now() / 1000 / HOUR) * HOUR + 1800

test('what a bucket held comes back by the hour and by the day, after a restart too', async () => {
  const first = await open()
  for (let at = now - 12 * DAY; at <= now; at += 4 * HOUR)
    first.append(at, usageSamples(usage({ logs: (at - now + 12 * DAY) / HOUR, 'logs-2': 7 })))
  await first.save()
  const history = await open()
  const hours = await readUsagePoints(history, 'logs', 7, 0, now)
  expect(hours.length).toBeGreaterThanOrEqual(7 * 6)
  expect(hours.at(-1)).toEqual({ time: now, size: 288, objects: 28.8, versions: 57.6 })
  expect((await readUsagePoints(history, undefined, 7, 0, now)).at(-1)?.size).toBe(295)
  const days = (await readDailySizes(history, now)).get('logs') ?? []
  expect(days.length).toBeGreaterThanOrEqual(12)
  expect(days.at(-1)?.size).toBe(288)
})

test('a bucket with the name of an earlier one inherits nothing', async () => {
  const history = await open()
  const created = now - 2 * HOUR
  for (let at = now - 2 * DAY; at <= now; at += HOUR / 2)
    if (at < created - HOUR || at > created) history.append(at, usageSamples(usage({ logs: at < created ? 5000 : 10 })))
  const sizes = (await readUsagePoints(history, 'logs', 7, created, now)).map(({ size }) => size)
  expect(sizes.length).toBeGreaterThan(0)
  expect(new Set(sizes)).toEqual(new Set([10]))
  const days = filterSince((await readDailySizes(history, now)).get('logs') ?? [], created, DAY, history.latestAt)
  expect(days.map(({ size }) => size)).toEqual([10])
})

test('the zeros of a server that has not counted yet are no values', () => {
  expect(usageSamples(usage({ logs: 0 }, ''))).not.toEqual([])
  expect(usageSamples({ ...usage({ logs: 0 }), lastUpdate: undefined })).toEqual([])
})

import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { evaluateTarget } from '../evaluate-series.ts'
import { type WidgetTarget, widgetById } from '../series/widget-definitions.ts'
import { MetricsHistory } from './history.ts'
import { HistorySegment, StoredHistorySegment } from './history-segment.ts'
import { WIDGET_LEVELS } from './levels.ts'

const log = pino({ level: 'silent' })
const HOUR = 3600

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'history-'))
})
afterEach(async () => await rm(folder, { recursive: true, force: true }))

const open = async (maxBytes = 1 << 30) => {
  const history = new MetricsHistory({ folder, levels: WIDGET_LEVELS, maxBytes, gap: 40, log })
  await history.open()
  return history
}

const firstTarget = (id: number) => widgetById.get(id)?.targets[0] as WidgetTarget
const received = firstTarget(63)
const memory = firstTarget(76)
const sample = (metric: string, value: number, labels = { server: 'a' }) => ({ metric, labels, value })

/** Returns a full hour in the past, so that tests do not depend on the current minute. */
const hourAgo = (hours: number) => (Math.floor(Date.now() / 1000 / HOUR) - hours) * HOUR

/** Adds values of a counter and a gauge every 15 s from `start`. */
function fill(history: MetricsHistory, start: number, count: number, value: (n: number) => number): void {
  for (let n = 0; n < count; n++)
    history.append(start + n * 15, [
      sample('minio_s3_traffic_received_bytes', value(n)),
      sample('minio_node_process_resident_memory_bytes', n),
    ])
}

const numbers = (results: Awaited<ReturnType<typeof evaluateTarget>>) =>
  results.flatMap(({ values }) => values.map(([, value]) => Math.round(Number(value) * 1000) / 1000))

test('a rate is the increase per second; a reset counter continues from zero', async () => {
  const history = await open()
  const start = hourAgo(2)
  fill(history, start, 40, (n) => (n < 20 ? n * 150 : (n - 20) * 150))
  const range = { start: start + 240, end: start + 585, step: 60 }
  const rates = numbers(await evaluateTarget(received, history, range))
  expect(rates).toHaveLength(6)
  // 10 per second; the window with the reset misses one of its 16 steps of 15 s.
  for (const rate of rates) expect(rate).toBeGreaterThanOrEqual(9.3)
  expect(Math.max(...rates)).toBe(10)
})

test('missing samples are a gap in gauges and rates', async () => {
  const history = await open()
  const start = hourAgo(3)
  fill(history, start, 20, (n) => n)
  fill(history, start + 2 * HOUR, 20, (n) => n + 1_000_000)
  const range = { start, end: start + 2 * HOUR + 285, step: 60 }
  const [gauge] = await evaluateTarget(memory, history, range)
  const times = (gauge?.values ?? []).map(([time]) => (time - start) / 60)
  expect(times.filter((minute) => minute > 5 && minute < 119)).toEqual([])
  // The increase across the gap does not count as traffic of the minute after it.
  expect(Math.max(...numbers(await evaluateTarget(received, history, range)))).toBeLessThan(1)
})

test('it continues after a restart, with the incomplete slots', async () => {
  const start = hourAgo(1)
  const first = await open()
  fill(first, start, 100, (n) => n * 15)
  await first.save()
  const second = await open()
  expect(second.latestAt).toBe(start + 99 * 15)
  expect(second.has('minio_s3_traffic_received_bytes')).toBe(true)
  fill(second, start + 100 * 15, 100, (n) => (n + 100) * 15)
  const fine = { start, end: start + 199 * 15, step: 15 }
  expect(numbers(await evaluateTarget(memory, second, fine))).toHaveLength(200)
  // Slots of five minutes contain the samples of both processes: the mean of 20 samples, also in the slot of the restart.
  const coarse = { start: start + 300, end: start + 2700, step: 300 }
  expect(numbers(await evaluateTarget(memory, second, coarse)).slice(0, 5)).toEqual([9.5, 29.5, 49.5, 69.5, 89.5])
  expect(numbers(await evaluateTarget(received, second, coarse)).every((rate) => rate === 1)).toBe(true)
})

test('a chart of a year is read from daily rows, which are made of those by the hour, also for the days before an update', async () => {
  const DAY = 24 * HOUR
  const openWith = async (levels: typeof WIDGET_LEVELS) => {
    const history = new MetricsHistory({ folder, levels, maxBytes: 1 << 30, gap: 4000, log })
    await history.open()
    return history
  }
  const start = Math.floor(Date.now() / 1000 / DAY - 10.5) * DAY
  const end = start + 10.5 * DAY
  const withoutDays = await openWith(WIDGET_LEVELS.filter(({ step }) => step < DAY) as unknown as typeof WIDGET_LEVELS)
  for (let n = 0; n < 21 * 24; n++)
    withoutDays.append(start + n * 1800, [
      sample('minio_s3_traffic_received_bytes', n * 3600),
      sample('minio_node_process_resident_memory_bytes', n),
    ])
  await withoutDays.save()

  const daily = async (history: MetricsHistory) =>
    (await history.read('minio_node_process_resident_memory_bytes', 'value', { from: start, to: end, step: DAY }))
      .series
  const updated = await openWith(WIDGET_LEVELS)
  const [series] = await daily(updated)
  expect(series?.times).toEqual([...Array.from({ length: 10 }, (_, day) => start + (day + 1) * DAY), end - 1800])
  // The mean of each day, and the last value of the day that has not ended.
  expect(series?.values).toEqual([...Array.from({ length: 10 }, (_, day) => day * 48 + 23.5), 503])
  expect(numbers(await evaluateTarget(received, updated, { start: start + 4 * DAY, end, step: 2 * DAY }))).toEqual([
    2, 2, 2, 2,
  ])
  // Also for a page whose range ended before the last sample.
  const earlier = await updated.read('minio_node_process_resident_memory_bytes', 'value', {
    from: start,
    to: end - 1900,
    step: DAY,
  })
  expect([earlier.series[0]?.times.at(-1), earlier.series[0]?.values.at(-1)]).toEqual([end - 1900, 503])
  await updated.save()
  expect((await segments()).some((name) => name.startsWith('1d-'))).toBe(true)

  // The day goes on after a restart.
  const again = await openWith(WIDGET_LEVELS)
  expect(await daily(again)).toEqual([series])
  for (let n = 21 * 24; n <= 22 * 24; n++)
    again.append(start + n * 1800, [sample('minio_node_process_resident_memory_bytes', n)])
  const [complete] = (
    await again.read('minio_node_process_resident_memory_bytes', 'value', { from: end, to: end + DAY, step: DAY })
  ).series
  expect([complete?.times[0], complete?.values[0]]).toEqual([start + 11 * DAY, 10 * 48 + 23.5])
})

test('a series that starts later or ends has values only for its time', async () => {
  const history = await open()
  const start = hourAgo(1)
  fill(history, start, 8, (n) => n)
  for (let n = 8; n < 16; n++)
    history.append(start + n * 15, [sample('minio_node_process_resident_memory_bytes', 7, { server: 'b' })])
  const results = await evaluateTarget(memory, history, { start, end: start + 15 * 15, step: 15 })
  expect(results.map(({ metric, values }) => [metric.server, values[0]?.[0], values.length])).toEqual([
    ['a', start, 8 + 2],
    ['b', start + 8 * 15, 8],
  ])
})

const segments = async () => (await readdir(folder)).filter((name) => name.endsWith('.seg2'))

test.each<[string, (file: string) => Promise<void>]>([
  ['cut', async (file) => await truncate(file, 60)],
  ['emptied', async (file) => await truncate(file, 0)],
  ['overwritten', async (file) => await writeFile(file, 'STWMETR2 this is no segment')],
  ['flipped in its header', async (file) => await flip(file, 40)],
  ['flipped in its values', async (file) => await flip(file, -20)],
])('a file that was %s is set aside, and the history goes on', async (_how, damage) => {
  const start = hourAgo(1)
  const first = await open()
  fill(first, start, 10, (n) => n)
  await first.save()
  const [raw = ''] = (await segments()).filter((name) => name.startsWith('raw'))
  await damage(join(folder, raw))
  const second = await open()
  fill(second, start + 600, 10, (n) => n)
  const values = numbers(await evaluateTarget(memory, second, { start: start + 600, end: start + 735, step: 15 }))
  expect(values).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(await readdir(folder)).toContain(`${raw}.damaged`)
  await second.save()
  expect((await open()).latestAt).toBe(start + 735)
})

async function flip(file: string, at: number): Promise<void> {
  const bytes = await readFile(file)
  const index = at < 0 ? bytes.length + at : at
  bytes[index] = (bytes[index] ?? 0) ^ 1
  await writeFile(file, bytes)
}

test('above the size limit the oldest segments of the finest level are deleted first', async () => {
  const history = await open(9_000)
  for (let hour = 5; hour > 0; hour--) {
    fill(history, hourAgo(hour), 240, () => Math.random() * 1e9)
    await history.save()
  }
  const names = await segments()
  expect(names.some((name) => name.startsWith('5m'))).toBe(true)
  const raw = names.filter((name) => name.startsWith('raw'))
  expect(raw.length).toBeLessThan(5)
  expect(raw).toContain(`raw-${hourAgo(1)}.seg2`)
})

test('data that cannot be written is kept in memory, and written later', async () => {
  const history = await open()
  await rm(folder, { recursive: true })
  await appendFile(folder, 'a file where the folder was')
  fill(history, hourAgo(1), 10, (n) => n)
  await history.save()
  const range = { start: hourAgo(1), end: hourAgo(1) + 135, step: 15 }
  expect(numbers(await evaluateTarget(memory, history, range))).toHaveLength(10)
  await rm(folder)
  await history.save()
  expect(await segments()).toContain(`raw-${hourAgo(1)}.seg2`)
})

test('two consoles that write to one folder lose no more than what the other wrote last', async () => {
  const [a, b] = [await open(), await open()]
  const start = hourAgo(1)
  for (let n = 0; n < 20; n++) {
    const own = n % 2 === 0 ? a : b
    own.append(start + n * 15, [sample('minio_node_process_resident_memory_bytes', n)])
    await own.save()
  }
  await Promise.all([a.save(), b.save()])
  const again = await open()
  const values = numbers(await evaluateTarget(memory, again, { start, end: start + 300, step: 15 }))
  expect(values.length).toBeGreaterThan(0)
  expect((await readdir(folder)).filter((name) => !name.endsWith('.seg2'))).toEqual([])
})

test('rows that come while a segment is encoded wait for the next time', async () => {
  const segment = new HistorySegment(0)
  const row = (value: number) => new Map(Array.from({ length: 250 }, (_, n) => [`["m${n}"]`, [value]]))
  segment.append(1, row(10))
  const encoding = segment.encode()
  segment.append(2, row(20))
  const stored = new StoredHistorySegment(await encoding)
  expect(stored.times).toEqual([1])
  expect([...stored.keys].map((key) => Array.from(stored.column(key)?.values ?? []))).toEqual(Array(250).fill([10]))
})

/** Returns a segment as the first release wrote it: all columns compressed. */
function firstSegment(times: number[], columns: Record<string, number[]>): Buffer {
  const bodies: Buffer[] = []
  let offset = 0
  const entries = Object.entries(columns).map(([key, values]) => {
    const body = deflateRawSync(Buffer.from(new Float64Array(values).buffer))
    bodies.push(body)
    offset += body.length
    return [key, values.length / times.length, offset - body.length, body.length, crc32(body)]
  })
  const header = Buffer.from(JSON.stringify({ times, columns: entries }))
  const prefix = Buffer.alloc(16)
  prefix.write('STWMETR1')
  prefix.writeUInt32LE(header.length, 8)
  prefix.writeUInt32LE(crc32(header), 12)
  return Buffer.concat([prefix, header, ...bodies])
}

test('files of the first release are read and continued, under a name that the first release does not read', async () => {
  const start = hourAgo(1)
  const first = `raw-${start}.seg`
  const times = Array.from({ length: 10 }, (_, n) => start + n * 15)
  const key = '["minio_node_process_resident_memory_bytes",["server","a"]]'
  await writeFile(join(folder, first), firstSegment(times, { [key]: times.map((_, n) => n) }))
  const history = await open()
  expect(await readdir(folder)).toEqual([first])
  for (let n = 10; n < 20; n++) history.append(start + n * 15, [sample('minio_node_process_resident_memory_bytes', n)])
  await history.save()
  const values = async (from: MetricsHistory) =>
    numbers(await evaluateTarget(memory, from, { start, end: start + 285, step: 15 }))
  const all = Array.from({ length: 20 }, (_, n) => n)
  expect(await values(history)).toEqual(all)
  expect(await values(await open())).toEqual(all)
  const names = await readdir(folder)
  expect(names).toContain(`raw-${start}.seg2`)
  expect(names).not.toContain(first)
})

test.each<[string, (number | undefined)[]]>([
  ['that never changes', [5, 5, 5, 5]],
  ['that changes', [5, 5, 6, 6]],
  ['that begins late', [undefined, undefined, 5, 5]],
  ['that ends', [5, 5, undefined, undefined]],
  ['with a gap', [5, undefined, undefined, 5]],
])('a series %s is stored as it was', async (_kind, values) => {
  const segment = new HistorySegment(0)
  for (const [n, value] of values.entries())
    segment.append(n, new Map([['other', [n]], ...(value === undefined ? [] : [['series', [value]] as const])]))
  const stored = new StoredHistorySegment(await segment.encode())
  const continued = HistorySegment.from(0, stored)
  const expected = values.map((value) => value ?? Number.NaN)
  for (const each of [segment, stored, continued])
    expect(Array.from(each.column('series')?.values ?? [])).toEqual(expected)
  continued.append(4, new Map([['series', [7]]]))
  expect(Array.from(continued.column('series')?.values ?? [])).toEqual([...expected, 7])
  expect(Array.from(new StoredHistorySegment(await continued.encode()).column('other')?.values ?? [])).toEqual([
    0,
    1,
    2,
    3,
    Number.NaN,
  ])
})

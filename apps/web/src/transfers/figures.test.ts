import { GiB, MiB } from '@stowage/contract'
import { expect, test } from 'vitest'
import { requestLimit } from './list/request-limit.ts'
import { RateMeter, secondsLeft } from './list/transfer-rate.ts'
import type { FileUpload } from './list/types.ts'
import { summarizeTransfers } from './tray/transfer-summary.ts'
import { partCount, partRange, partSizeFor } from './uploads/part-sizes.ts'

test.each([
  [0, 16, 1],
  [16 * MiB, 16, 1],
  [16 * MiB + 1, 16, 2],
  [86 * GiB, 16, 5504],
  [5 * 1024 * GiB, 525, 9987],
])('a file of %d bytes is uploaded in parts of %d MiB', (size, mebibytes, count) => {
  const partSize = partSizeFor(size)
  expect(partSize).toBe(mebibytes * MiB)
  expect(partCount(size, partSize)).toBe(count)
  expect(count).toBeLessThanOrEqual(10_000)
  expect(partRange(count, size, partSize).end).toBe(size)
})

test('the rate is an average over five seconds and falls to zero', () => {
  const meter = new RateMeter()
  expect(meter.rate(0)).toBe(0)
  for (let at = 0; at <= 10_000; at += 100) meter.add(100, at)
  expect(meter.rate(10_000)).toBe(1000)
  expect(meter.rate(12_500)).toBe(500)
  expect(meter.rate(20_000)).toBe(0)
})

test('the rate is 0 in the first half second, and then the average so far', () => {
  const meter = new RateMeter()
  meter.add(1000, 100)
  expect(meter.rate(200)).toBe(0)
  expect(meter.rate(1100)).toBe(1000)
})

test.each([
  [1000, 100, 10],
  [1001, 100, 11],
  [1000, 0, undefined],
])('%d bytes at %d a second take %s s', (bytes, rate, seconds) => expect(secondsLeft(bytes, rate)).toBe(seconds))

test('slots are assigned in order, and aborted waiters are skipped', async () => {
  const limit = requestLimit(1)
  const never = new AbortController()
  const leaving = new AbortController()
  const order: string[] = []
  let free = () => {}
  const first = limit(never.signal, () => new Promise<void>((done) => (free = done)))
  const second = limit(leaving.signal, async () => order.push('second'))
  const third = limit(never.signal, async () => order.push('third'))
  leaving.abort(new Error('left'))
  await expect(second).rejects.toThrow('left')
  free()
  await Promise.all([first, third])
  expect(order).toEqual(['third'])
  await limit(never.signal, async () => order.push('again'))
  expect(order).toEqual(['third', 'again'])
})

test('the summary counts by state and adds up unfinished transfers', () => {
  const upload = (state: FileUpload['state'], sent: number, rate = 0): FileUpload => {
    return {
      kind: 'upload',
      id: `${state}${sent}`,
      owner: 'o',
      bucket: 'b',
      key: 'k',
      size: 100,
      lastModified: 0,
      state,
      sent,
      kept: 0,
      rate,
    }
  }
  const uploads = [
    upload('running', 40, 10),
    upload('running', 60, 10),
    upload('waiting', 0),
    upload('failed', 20),
    upload('done', 100),
  ]
  expect(summarizeTransfers([...uploads, upload('needs-file', 0), upload('held', 0)])).toEqual({
    running: 2,
    waiting: 1,
    paused: 1,
    failed: 1,
    asking: 1,
    done: 1,
    sent: 120,
    size: 600,
    rate: 20,
    secondsLeft: 24,
  })
})

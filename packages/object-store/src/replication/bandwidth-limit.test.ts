import { expect, test } from 'vitest'
import { BandwidthLimit } from './bandwidth-limit.ts'

function startLimit(limit: number) {
  let now = 0
  const advance = (ms: number) => {
    now += ms
  }
  return {
    pace: new BandwidthLimit(
      limit,
      async (ms) => advance(ms),
      () => now,
    ),
    passed: () => now,
    advance,
  }
}
const signal = new AbortController().signal

test('bytes are sent no faster than the limit, also by several requests at once', async () => {
  const { pace, passed } = startLimit(1000)
  await Promise.all(Array.from({ length: 10 }, () => pace.acquire(500, signal)))
  // The last 500 bytes start when the 4,500 before them have been sent.
  expect(passed()).toBeGreaterThanOrEqual(4500)
})

test('time without bytes is not saved up, and without a limit nothing waits', async () => {
  const { pace, passed, advance } = startLimit(1000)
  advance(60_000)
  for (let i = 0; i < 3; i++) await pace.acquire(1000, signal)
  expect(passed()).toBe(62_000)
  const free = startLimit(0)
  for (let i = 0; i < 3; i++) await free.pace.acquire(1e9, signal)
  expect(free.passed()).toBe(0)
})

test('the rate is that of the last full second', async () => {
  const { pace, advance } = startLimit(0)
  await pace.acquire(300, signal)
  await pace.acquire(400, signal)
  expect(pace.bytesPerSecond).toBe(0)
  advance(1000)
  expect(pace.bytesPerSecond).toBe(700)
  advance(2000)
  expect(pace.bytesPerSecond).toBe(0)
})

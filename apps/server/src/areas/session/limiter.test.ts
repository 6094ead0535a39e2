import { expect, test } from 'vitest'
import { Limiter } from './limiter.ts'

function setup() {
  let now = 1_000_000
  const limiter = new Limiter({ free: 3, maxWaitMs: 10_000, forgetMs: 60_000, now: () => now })
  return { limiter, pass: (ms: number) => (now += ms) }
}

test('some failures are free, then the wait doubles up to its longest', () => {
  const { limiter } = setup()
  const waits = Array.from({ length: 8 }, () => {
    limiter.failed('a')
    return limiter.waitSeconds('a')
  })
  expect(waits).toEqual([0, 0, 1, 2, 4, 8, 10, 10])
  expect(limiter.waitSeconds('b')).toBe(0)
})

test('the wait passes, a success forgets, and so does time', () => {
  const { limiter, pass } = setup()
  for (let i = 0; i < 4; i++) limiter.failed('a')
  pass(1500)
  expect(limiter.waitSeconds('a')).toBe(1)
  pass(500)
  expect(limiter.waitSeconds('a')).toBe(0)
  limiter.failed('a')
  expect(limiter.waitSeconds('a')).toBe(4)
  limiter.succeeded('a')
  expect(limiter.waitSeconds('a')).toBe(0)
  for (let i = 0; i < 5; i++) limiter.failed('a')
  pass(60_000)
  limiter.failed('a')
  expect(limiter.waitSeconds('a')).toBe(0)
})

test('of many guesses at once no more are tried than one after the other', async () => {
  const { limiter, pass } = setup()
  let tried = 0
  const guess = () =>
    limiter.run(
      'a',
      () => true,
      async () => {
        tried++
        throw new Error('wrong')
      },
    )
  const all = await Promise.allSettled(Array.from({ length: 50 }, guess))
  expect(tried).toBe(3)
  expect(
    all.filter(({ status, ...rest }) => status === 'rejected' && String(Object.values(rest)).includes('Wait')),
  ).toHaveLength(47)
  pass(1000)
  await Promise.allSettled(Array.from({ length: 50 }, guess))
  expect(tried).toBe(4)
})

test('right sign-ins at once all come through, and a failure of the server is no guess', async () => {
  const { limiter } = setup()
  const right = () =>
    limiter.run(
      'a',
      () => true,
      async () => 'in',
    )
  expect(await Promise.all(Array.from({ length: 50 }, right))).toEqual(Array.from({ length: 50 }, () => 'in'))
  const broken = () =>
    limiter.run(
      'b',
      () => false,
      () => Promise.reject(new Error('down')),
    )
  await Promise.allSettled(Array.from({ length: 20 }, broken))
  expect(limiter.waitSeconds('b')).toBe(0)
})

import { expect, test } from 'vitest'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { SignInLimiter } from './sign-in-limiter.ts'

const FREE = 3
const MAX_WAIT_MS = 10_000
const FORGET_MS = 60_000

function setup() {
  let now = 1_000_000
  let tried = 0
  const limiter = new SignInLimiter({ free: FREE, maxWaitMs: MAX_WAIT_MS, forgetMs: FORGET_MS, now: () => now })
  const run = async (key: string, from: string, attempt: () => Promise<string>, isFailure = () => true) => {
    try {
      return await limiter.run({ key, from }, isFailure, attempt)
    } catch (error) {
      return error instanceof HttpError ? Number(error.options.headers?.['retry-after']) : 'wrong'
    }
  }
  return {
    limiter,
    pass: (ms: number) => (now += ms),
    tried: () => tried,
    /** `wrong`, or the seconds to wait if it was not tried. */
    wrong: (key: string, from: string) =>
      run(key, from, () => {
        tried++
        return Promise.reject(new Error('wrong'))
      }),
    right: (key: string, from: string) => run(key, from, () => Promise.resolve('in')),
    broken: (key: string, from: string) =>
      run(
        key,
        from,
        () => Promise.reject(new Error('down')),
        () => false,
      ),
  }
}

test('some failures are free, then the wait doubles up to its longest', async () => {
  const { wrong, pass } = setup()
  const waits = []
  for (let n = 0; n < 8; n++) {
    expect(await wrong('root', 'a')).toBe('wrong')
    const wait = await wrong('root', 'a')
    waits.push(wait === 'wrong' ? 0 : wait)
    if (wait === 'wrong') n++
    else pass(Number(wait) * 1000)
  }
  expect(waits).toEqual([0, 1, 2, 4, 8, 10, 10])
})

test('a wait ends; a success, or enough time, resets the count', async () => {
  const { wrong, right, pass } = setup()
  for (let n = 0; n < FREE; n++) await wrong('root', 'a')
  pass(500)
  expect(await right('root', 'a')).toBe(1)
  pass(500)
  expect(await right('root', 'a')).toBe('in')
  for (let n = 0; n < FREE; n++) expect(await wrong('root', 'a')).toBe('wrong')
  pass(FORGET_MS)
  for (let n = 0; n < FREE; n++) expect(await wrong('root', 'a')).toBe('wrong')
})

test('10,000 guesses from one address do not lock out other users, and few of them reach the storage server', async () => {
  const { wrong, right, pass, tried } = setup()
  for (let n = 0; n < 10_000; n++) {
    await wrong('root', 'attacker')
    pass(100)
    // The owner at another address, and all other users at the attacker's address.
    if (n % 1000 === 0) expect(await right('root', 'owner')).toBe('in')
    if (n % 1000 === 0) expect(await right(`user-${n}`, 'attacker')).toBe('in')
  }
  // In 1,000 s: the free guesses, and one per longest wait.
  expect(tried()).toBeLessThan(FREE + 5 + 1_000_000 / MAX_WAIT_MS)
})

test('10,000 addresses do not lock the owner of a key out', async () => {
  const { wrong, right } = setup()
  for (let n = 0; n < 10_000; n++) await wrong('root', `bot-${n}`)
  expect(await right('root', 'owner')).toBe('in')
})

test('a flood of made-up keys does not end a wait', async () => {
  const { wrong } = setup()
  for (let n = 0; n < FREE; n++) await wrong('root', 'attacker')
  for (let n = 0; n < 10_500; n++) await wrong(`made-up-${n}`, 'attacker')
  expect(await wrong('root', 'attacker')).toBe(1)
})

test('parallel guesses get no more tries than sequential ones', async () => {
  const { wrong, pass, tried } = setup()
  const all = await Promise.all(Array.from({ length: 50 }, () => wrong('root', 'a')))
  expect([tried(), all.filter((answer) => answer === 1).length]).toEqual([FREE, 50 - FREE])
  pass(1000)
  await Promise.all(Array.from({ length: 50 }, () => wrong('root', 'a')))
  expect(tried()).toBe(FREE + 1)
})

test('parallel correct sign-ins all succeed, and a failure of the server does not count as a guess', async () => {
  const { right, broken } = setup()
  const all = await Promise.all(Array.from({ length: 50 }, () => right('root', 'a')))
  expect(new Set(all)).toEqual(new Set(['in']))
  await Promise.all(Array.from({ length: 20 }, () => broken('other', 'a')))
  expect(await right('other', 'a')).toBe('in')
})

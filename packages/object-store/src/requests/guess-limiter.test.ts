import { expect, test } from 'vitest'
import { GuessLimiter } from './guess-limiter.ts'

const FREE = 3
const MAX_PAUSE_MS = 10_000
const FORGET_MS = 60_000

class Refused extends Error {
  constructor(readonly seconds: number) {
    super('refused')
  }
}

/** A limiter whose pauses end when the test says so. */
function setup(freeOfCaller = 1_000_000) {
  let now = 1_000_000
  let tried = 0
  const pauses: { until: number; end: () => void }[] = []
  const limiter = new GuessLimiter({
    free: FREE,
    freeOfCaller,
    pauseMs: 1000,
    maxPauseMs: MAX_PAUSE_MS,
    forgetMs: FORGET_MS,
    refuse: (seconds) => new Refused(seconds),
    now: () => now,
    wait: (ms) => new Promise((end) => pauses.push({ until: now + ms, end })),
  })
  const run = async (name: string, from: string, attempt: () => Promise<string>, isFailure = () => true) => {
    try {
      return await limiter.run({ name, from }, isFailure, attempt)
    } catch (error) {
      return error instanceof Refused ? error.seconds : 'wrong'
    }
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    tried: () => tried,
    held: () => pauses.length,
    /** Lets time pass, and ends the pauses that are over. */
    pass: async (ms: number) => {
      await settle()
      now += ms
      for (const pause of pauses.splice(0)) {
        if (pause.until <= now) pause.end()
        else pauses.push(pause)
      }
      await settle()
    },
    /** Time until the first held attempt is tried (ms). */
    pause: () => (pauses[0]?.until ?? now) - now,
    wrong: (name: string, from: string) =>
      run(name, from, () => {
        tried++
        return Promise.reject(new Error('wrong'))
      }),
    right: (name: string, from: string) => run(name, from, () => Promise.resolve('in')),
    broken: (name: string, from: string) =>
      run(
        name,
        from,
        () => Promise.reject(new Error('down')),
        () => false,
      ),
  }
}

test('some failures are free, then the pause doubles up to its longest', async () => {
  const { wrong, pass, pause } = setup()
  const pauses = []
  for (let n = 0; n < 8; n++) {
    const guess = wrong('root', 'a')
    await pass(0)
    pauses.push(pause())
    await pass(pause())
    expect(await guess).toBe('wrong')
  }
  expect(pauses).toEqual([0, 0, 0, 1000, 2000, 4000, 8000, 10_000])
})

test('the right secret is held after guesses of others from its address, but never refused', async () => {
  const { wrong, right, pass, pause } = setup()
  for (let n = 0; n < 8; n++) {
    const guess = wrong('root', 'a')
    await pass(0)
    await pass(pause())
    await guess
  }
  const owner = right('root', 'a')
  await pass(0)
  expect(pause()).toBe(MAX_PAUSE_MS)
  await pass(MAX_PAUSE_MS)
  expect(await owner).toBe('in')
  expect(await right('root', 'a')).toBe('in')
})

test('each spelling of a name counts for all: upper and lower case, and blanks', async () => {
  const { wrong, held, pass } = setup()
  for (const name of ['anna', 'ANNA', ' an na\u00a0']) expect(await wrong(name, 'a')).toBe('wrong')
  void wrong('Anna', 'a')
  await pass(0)
  expect(held()).toBe(1)
})

test('signing in with a similar name does not take back guesses', async () => {
  const { wrong, right, held, pass } = setup()
  for (let n = 0; n < FREE - 1; n++) await wrong('anna', 'a')
  expect(await right('ANNA', 'a')).toBe('in')
  await wrong('anna', 'a')
  void wrong('anna', 'a')
  await pass(0)
  expect(held()).toBe(1)
})

test('guesses with many names from one address are held too', async () => {
  const { wrong, held, pass } = setup(20)
  for (let n = 0; n < 20; n++) expect(await wrong(`user-${n}`, 'a')).toBe('wrong')
  void wrong('user-20', 'a')
  void wrong('user-21', 'b')
  await pass(0)
  expect(held()).toBe(1)
})

test('enough time resets the count', async () => {
  const { wrong, pass, held } = setup()
  for (let n = 0; n < FREE; n++) await wrong('root', 'a')
  await pass(FORGET_MS)
  for (let n = 0; n < FREE; n++) expect(await wrong('root', 'a')).toBe('wrong')
  expect(held()).toBe(0)
})

test('of many guesses few are tried, and owners elsewhere and other users of the address sign in meanwhile', async () => {
  const { wrong, right, pass, tried } = setup()
  for (let n = 0; n < 2000; n++) {
    void wrong('root', 'attacker')
    await pass(500)
    if (n % 1000 === 0) expect(await right('root', 'owner')).toBe('in')
    if (n % 1000 === 0) expect(await right(`user-${n}`, 'attacker')).toBe('in')
  }
  // In 1,000 s: the free guesses, and three per longest pause.
  expect(tried()).toBeLessThan(FREE + 15 + (3 * 1_000_000) / MAX_PAUSE_MS)
})

test('10,000 addresses do not lock the owner of a name out', async () => {
  const { wrong, right } = setup()
  for (let n = 0; n < 10_000; n++) await wrong('root', `bot-${n}`)
  expect(await right('root', 'owner')).toBe('in')
})

test('a flood of made-up names does not end a pause', async () => {
  const { wrong, pass, held } = setup()
  for (let n = 0; n < FREE; n++) await wrong('root', 'attacker')
  for (let n = 0; n < 10_500; n++) await wrong(`made-up-${n}`, 'attacker')
  void wrong('root', 'attacker')
  await pass(0)
  expect(held()).toBe(1)
})

test('of parallel guesses a few are held, and the others are refused', async () => {
  const { wrong, pass, tried } = setup()
  const all = Promise.all(Array.from({ length: 50 }, () => wrong('root', 'a')))
  await pass(0)
  expect(tried()).toBe(FREE)
  await pass(1000)
  const answers = await all
  expect(answers.filter((answer) => answer === 1)).toHaveLength(50 - FREE - 3)
  expect(tried()).toBe(FREE + 3)
})

test('parallel correct sign-ins all succeed, and a failure of the server does not count as a guess', async () => {
  const { right, broken } = setup()
  const all = await Promise.all(Array.from({ length: 50 }, () => right('root', 'a')))
  expect(new Set(all)).toEqual(new Set(['in']))
  await Promise.all(Array.from({ length: 20 }, () => broken('other', 'a')))
  expect(await right('other', 'a')).toBe('in')
})

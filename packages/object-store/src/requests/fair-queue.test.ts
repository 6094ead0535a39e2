import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const refuse = () => new Error('too many')

function setup(options = { concurrency: 4, perKey: 2, maxWaiting: 20, maxWaitingPerKey: 10 }) {
  const turns = new FairQueue({ ...options, refuse })
  const log: string[] = []
  const ends: (() => void)[] = []
  let running = 0
  let most = 0
  const ask = (caller: string) =>
    turns
      .run(caller, async () => {
        log.push(caller)
        most = Math.max(most, ++running)
        await new Promise<void>((end) => ends.push(end))
        running--
      })
      .then(
        () => 'done',
        () => 'refused',
      )
  const begun = () => new Promise((resolve) => setImmediate(resolve))
  /** Ends running tasks until none are left. */
  const drain = async () => {
    await begun()
    for (let end = ends.shift(); end; end = ends.shift()) {
      end()
      await begun()
    }
  }
  return { ask, begun, drain, log, most: () => most }
}

test('tasks run in parallel up to a limit, with a lower limit per caller', async () => {
  const { ask, begun, drain, log, most } = setup()
  const all = ['a', 'a', 'a', 'b', 'c', 'c'].map(ask)
  await begun()
  expect(log).toEqual(['a', 'a', 'b', 'c'])
  await drain()
  expect(await Promise.all(all)).toEqual(Array.from({ length: 6 }, () => 'done'))
  expect([log.length, most()]).toEqual([6, 4])
})

test('a caller with few tasks does not wait behind the flood of another', async () => {
  const { ask, drain, log } = setup()
  const flood = [...Array.from({ length: 10 }, () => ask('x')), ...Array.from({ length: 10 }, () => ask('y'))]
  const one = ask('me')
  await drain()
  expect(await one).toBe('done')
  expect(log.indexOf('me')).toBeLessThan(7)
  expect(new Set(await Promise.all(flood))).toEqual(new Set(['done']))
})

test('if too many tasks wait, the oldest task of the caller with the most is refused', async () => {
  const { ask, drain } = setup()
  const flood = Array.from({ length: 30 }, () => ask('x'))
  const others = Array.from({ length: 15 }, (_, n) => ask(`caller-${n}`))
  await drain()
  expect(new Set(await Promise.all(others))).toEqual(new Set(['done']))
  const answers = await Promise.all(flood)
  // Two ran and ten others could wait; then each of the other callers took the place of one.
  expect(answers.filter((answer) => answer === 'done').length).toBeLessThan(12)
  expect(answers.slice(0, 2)).toEqual(['done', 'done'])
  expect(answers.at(-1)).toBe('done')
})

test('a failed task frees its slot for the next one, and no state remains', async () => {
  const turns = new FairQueue({ concurrency: 1, perKey: 1, maxWaiting: 5, maxWaitingPerKey: 5, refuse })
  const fail = () => turns.run('a', () => Promise.reject(new Error('no')))
  const all = await Promise.allSettled([fail(), fail(), turns.run('b', async () => 'yes')])
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(await turns.run('a', async () => 'again')).toBe('again')
})

test('nothing remains of a caller whose only waiting task is refused', async () => {
  const queue = new FairQueue({ concurrency: 1, perKey: 1, maxWaiting: 0, maxWaitingPerKey: 5, refuse })
  let end = () => {}
  const first = queue.run('a', () => new Promise<void>((done) => (end = done)))
  await expect(queue.run('b', async () => undefined)).rejects.toThrow('too many')
  expect(queue.callers).toBe(1)
  end()
  await first
  expect(queue.callers).toBe(0)
})

import { afterAll, expect, test } from 'vitest'
import { readTenantYaml } from '../../areas/tenants/details/parse-tenant-yaml.ts'
import { HttpError } from '../errors/http-errors.ts'
import { ParserThreads } from './parser-threads.ts'

const threads = new ParserThreads()
afterAll(async () => await threads.stop())

const read = (owner: string, text: string, prepare = async () => ({ input: text })) =>
  threads.run(owner, readTenantYaml, prepare)

test('a text is parsed, and problems come back: its syntax, and a key that is written twice', async () => {
  expect(await read('a', 'spec:\n  image: x\n')).toEqual({ tenant: { spec: { image: 'x' } } })
  expect(await read('a', 'a: [')).toMatchObject({ problem: { message: expect.stringContaining('line 1') } })
  expect(await read('a', 'a: 1\nb:\n  c: 1\n  c: 2\n')).toEqual({ problem: { duplicate: { key: 'c', line: 4 } } })
})

test('two callers are served at once, a third one waits, and tasks of one caller run one after the other', async () => {
  const started: string[] = []
  const ends: (() => void)[] = []
  const ask = (owner: string) =>
    read(owner, '', async () => {
      started.push(owner)
      await new Promise<void>((end) => ends.push(end))
      return { input: 'a: 1' }
    })
  const all = ['a', 'a', 'b', 'c'].map(ask)
  await expect.poll(() => started).toEqual(['a', 'b'])
  ends.shift()?.()
  await expect.poll(() => started).toHaveLength(3)
  while (started.length < 4 || ends.length > 0) {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await Promise.all(all)).toHaveLength(4)
})

test('of many tasks of one caller the last are refused', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 12 }, () => read('a', 'a: 1')))
  const refused = answers.filter((answer) => answer.status === 'rejected')
  expect(refused).toHaveLength(4)
  for (const { reason } of refused) expect(reason).toMatchObject({ status: 503 })
})

test('a task that takes too long is ended, and the next one is served', async () => {
  const short = new ParserThreads({ taskMs: 1 })
  const text = Array.from({ length: 20_000 }, (_, index) => `k${index}: v\n`).join('')
  const failure = await short.run('a', readTenantYaml, async () => ({ input: text })).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(HttpError)
  expect(failure).toMatchObject({ status: 413 })
  await short.stop()
  expect(await read('a', 'a: 1')).toEqual({ tenant: { a: 1 } })
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MetricsThread, type MetricsThreadOptions } from './metrics-thread.ts'
import { ScrapeRefused } from './sampling/scrape.ts'

/* The thread that the metrics are kept in. The programs that fail are small ones of the test; the last test runs the real one. */

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'metrics-thread-'))
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

const settings = () => ({
  // Nothing listens there.
  server: 'http://127.0.0.1:1',
  caFile: undefined,
  folder,
  interval: { widgets: 15, buckets: 300 },
  maxBytes: { widgets: 1 << 20, buckets: 1 << 20 },
})

const logged: string[] = []
const log = pino({ base: null }, { write: (line: string) => void logged.push(line) })

/** A thread that runs `code`, which can use `port`, and `answer` to answer a call. */
async function startThread(code: string, options: Partial<MetricsThreadOptions> = {}): Promise<MetricsThread> {
  const file = join(folder, `${Math.random()}.mjs`)
  await writeFile(
    file,
    `import { parentPort as port } from 'node:worker_threads'
    const answer = (id, result) => port.postMessage({ type: 'result', id, result })
    ${code}`,
  )
  return new MetricsThread({ settings: settings(), log, program: pathToFileURL(file), ...options })
}

const range = { start: 0, end: 60, step: 15 }
const FAILS = `port.on('message', ({ id, args: [widget] }) => { if (widget === 13) throw new Error('boom'); answer(id, widget) })`

test('a thread that fails fails the calls that wait for it, and starts again after a pause that grows', async () => {
  const thread = await startThread(FAILS, { pauseMs: 20 })
  const failure = async () => {
    const [failing, waiting] = await Promise.allSettled([
      thread.ask('widget', 13, range),
      thread.ask('widget', 1, range),
    ])
    expect([failing.status, waiting.status]).toEqual(['rejected', 'rejected'])
    expect(String((failing as PromiseRejectedResult).reason)).toContain('the thread of the metrics ended: boom')
  }
  await failure()
  expect(logged.join()).toContain('the thread of the metrics ended unexpectedly')
  await expect(thread.ask('widget', 1, range)).rejects.toThrow('failed and starts again in 1 s')
  await expect.poll(() => thread.ask('widget', 1, range).catch(() => undefined)).toBe(1)
  await failure()
  await expect.poll(() => thread.ask('widget', 2, range).catch(() => undefined)).toBe(2)
  await thread.stop()
})

test('a thread without calls is ended, and started by the next one', async () => {
  const thread = await startThread(`let calls = 0; port.on('message', ({ id }) => answer(id, ++calls))`, { idleMs: 20 })
  expect(thread.isRunning).toBe(false)
  expect(await thread.ask('widget', 1, range)).toBe(1)
  await expect.poll(() => thread.isRunning).toBe(false)
  expect(await thread.ask('widget', 1, range)).toBe(1)
  await thread.stop()
  await expect(thread.ask('widget', 1, range)).rejects.toThrow('the console is stopping')
})

test('an identity that the server refused is reported as such', async () => {
  const thread = await startThread(
    `port.on('message', ({ id }) => port.postMessage({ type: 'failure', id, message: 'refused: 403', refused: true }))`,
  )
  const credentials = { accessKey: 'a', secretKey: 'b' }
  await expect(thread.ask('sample', 'widgets', credentials)).rejects.toThrow(ScrapeRefused)
  await thread.stop()
})

test('the real program answers without a sample, and reports a server that cannot be reached', async () => {
  const thread = new MetricsThread({ settings: settings(), log })
  expect(await thread.ask('widget', 1, range)).toEqual({ results: [[]], empty: 'not-in-range', samples: 0 })
  const credentials = { accessKey: 'a', secretKey: 'b' }
  await expect(thread.ask('sample', 'buckets', credentials)).rejects.toThrow(/ECONNREFUSED|bad port|connect/)
  await thread.stop()
  expect(thread.isRunning).toBe(false)
})

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { signHeaders } from '@stowage/sigv4'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ROOT_CREDENTIALS, sendRawRequest, TEST_REGION } from './http/testing/test-store.ts'
import type { StoreMessage } from './process/process-messages.ts'
import { supervise } from './process/supervise.ts'

// Built as in `npm start`, since a process that compiles its own TypeScript takes seconds to start.
const ROOT_FOLDER = fileURLToPath(new URL('../../..', import.meta.url))
const BUILT = path.join(ROOT_FOLDER, 'node_modules', '.cache', `stowage-main-test-${process.pid}`)
const PROGRAM = path.join(BUILT, 'main.js')

beforeAll(async () => {
  const build = await rolldown({
    input: { main: fileURLToPath(new URL('main.ts', import.meta.url)) },
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@stowage/'),
  })
  await build.write({ dir: BUILT, format: 'esm', entryFileNames: '[name].js' })
}, 60_000)
afterAll(() => rm(BUILT, { recursive: true, force: true }))

let folder: string
let children: ChildProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stowage-main-'))
})
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  children = []
  await rm(folder, { recursive: true, force: true })
})

const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  STOWAGE_DATA: folder,
  STOWAGE_STORE_PORT: '0',
  STOWAGE_MIN_FREE: '1MiB',
  STOWAGE_LOG_LEVEL: 'silent',
  STOWAGE_ROOT_USER: ROOT_CREDENTIALS.accessKey,
  STOWAGE_ROOT_PASSWORD: ROOT_CREDENTIALS.secretKey,
  ...more,
})

function start(more?: NodeJS.ProcessEnv): ChildProcess {
  const child = fork(PROGRAM, { env: environment(more), execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  children.push(child)
  return child
}

async function firstMessage(child: ChildProcess): Promise<StoreMessage> {
  const [message] = await once(child, 'message')
  return message as StoreMessage
}

async function expectFailure(child: ChildProcess, text: string): Promise<void> {
  const message = await firstMessage(child)
  expect(message).toEqual({ type: 'failed', message: expect.stringContaining(text) })
  expect(message.type === 'failed' && message.message).not.toContain('\n')
  expect(await once(child, 'exit')).toEqual([1, null])
}

describe('the process of the store', () => {
  test('reports its address, ignores signals while its parent lives, and ends on request', async () => {
    const child = start()
    const message = await firstMessage(child)
    expect(message).toMatchObject({ type: 'ready', address: '127.0.0.1', port: expect.any(Number) })
    const port = message.type === 'ready' ? message.port : 0
    child.kill('SIGTERM')
    child.kill('SIGINT')
    const live = await sendRawRequest(port, 'GET', '/minio/health/live', { host: `127.0.0.1:${port}` })
    expect(live.status).toBe(200)
    child.send({ type: 'stop' })
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('ends when its parent is gone', async () => {
    const child = start()
    await firstMessage(child)
    child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('ends when its parent goes before it is ready', async () => {
    const child = start()
    await once(child, 'spawn')
    child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test.each<[string, NodeJS.ProcessEnv, string]>([
    ['an address of another machine', { STOWAGE_STORE_HOST: '203.0.113.7' }, '203.0.113.7 is not an address of this'],
    ['a port that is none', { STOWAGE_STORE_PORT: 'nine' }, 'STOWAGE_STORE_PORT is "nine"'],
    ['a folder in a file', { STOWAGE_DATA: `${PROGRAM}/data` }, `${PROGRAM}/data`],
  ])('says in one line why it cannot start: %s', async (_, more, text) => {
    await expectFailure(start(more), text)
  })

  test('says whose port it wanted', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    await expectFailure(start({ STOWAGE_STORE_PORT: String(port) }), `Port ${port} is in use`)
    taken.close()
  })

  test('refuses a data folder that another process has, naming it', async () => {
    const first = start()
    await firstMessage(first)
    await expectFailure(start(), `in use by process ${first.pid}`)
  })
})

describe('supervise', () => {
  test('starts the store anew when it is killed or asked to restart, and ends it for good', async () => {
    const stopping = new AbortController()
    const places: number[] = []
    const reasons: string[] = []
    const ended = supervise(
      {
        program: PROGRAM,
        environment: environment(),
        execArgv: [],
        onReady: ({ port }) => void places.push(port),
        onRestart: (reason) => void reasons.push(reason),
        onStarted: (child) => void children.push(child),
      },
      stopping.signal,
    )
    const ready = (count: number) => expect.poll(() => places.length, { timeout: 60_000 }).toBe(count)
    await ready(1)
    await send(places[0] ?? 0, 'PUT', '/kept')
    children.at(-1)?.kill('SIGKILL')
    await ready(2)
    expect(reasons).toEqual(['ended by SIGKILL'])
    await send(places[1] ?? 0, 'POST', '/minio/admin/v3/service', 'action=restart')
    await ready(3)
    await send(places[2] ?? 0, 'HEAD', '/kept')
    expect(reasons).toHaveLength(1)
    stopping.abort()
    await ended
    expect(children.at(-1)?.exitCode).toBe(0)
  })

  test('gives up on a store that cannot start', async () => {
    const env = environment({ STOWAGE_STORE_PORT: 'nine' })
    const nothing = () => undefined
    const options = { program: PROGRAM, environment: env, execArgv: [], onReady: nothing, onRestart: nothing }
    await expect(supervise(options, new AbortController().signal)).rejects.toThrow('STOWAGE_STORE_PORT')
  })
})

async function send(port: number, method: string, path: string, query = ''): Promise<void> {
  const request = { method, path, query, headers: { host: `127.0.0.1:${port}` } }
  const { headers } = signHeaders(request, { credentials: ROOT_CREDENTIALS, region: TEST_REGION })
  const answer = await sendRawRequest(port, method, `${path}?${query}`, { ...headers, 'content-length': '0' })
  expect(answer.status).toBe(200)
}

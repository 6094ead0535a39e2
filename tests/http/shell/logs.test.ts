import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { MiB } from '@stowage/contract'
import { beforeAll, expect } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import { builtPrograms, childProcesses, collectOutput } from '../../support/processes/processes.ts'

interface Line {
  level: number
  time: string
  part: string
  msg: string
}

const INFO = 30

let c: TestConsole
beforeAll(async () => {
  c = await startConsole({ env: { STOWAGE_LOG_LEVEL: 'info' } })
  return async () => await c[Symbol.asyncDispose]()
})

/** Returns the log lines in the output of a program, without its announcements. */
function parseLogLines(output: string): Line[] {
  const lines = output.slice(0, output.lastIndexOf('\n')).split('\n')
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
}

ownStore.test('one line per call; pages, their parts and probes are for who debugs', async () => {
  await using debug = await startConsole({ env: { STOWAGE_LOG_LEVEL: 'debug' } })
  for (const path of ['/healthz', '/readyz', '/login', '/api/v1/docs', '/api/v1/openapi.json', '/favicon.svg'])
    await (await fetch(debug.url + path)).text()
  await (await fetch(`${debug.url}/api/v1/nothing-here`)).text()
  await debug.call('listBuckets', {})
  const linesWithLevel = (level: (line: Line) => boolean) =>
    parseLogLines(debug.output())
      .filter((line) => line.part === 'console' && level(line) && /^(GET|POST) /.test(line.msg))
      .map(({ msg }) => msg.replace(/ \d+ ms$/, ''))
  await expect
    .poll(() => linesWithLevel(({ level }) => level >= INFO))
    .toEqual(['POST /api/v1/login 201', 'GET /api/v1/nothing-here 404', 'GET /api/v1/buckets 200'])
  expect(linesWithLevel(({ level }) => level < INFO)).toEqual(
    expect.arrayContaining(['GET /healthz 200', 'GET /readyz 200', 'GET /login 200']),
  )
})

ownStore.test('nothing but lines of the log is written while many buckets are listed', async () => {
  const { total } = await c.call('listBuckets', {})
  for (let i = 0; i < 12; i++) await c.newBucket()
  const before = c.output().length
  expect((await c.call('listBuckets', {})).total).toBe(total + 12)
  await expect.poll(() => c.output().slice(before)).toContain('GET /api/v1/buckets 200')
  expect(c.output()).not.toContain('Warning')
})

ownStore.test('a caller that leaves has its line too', async () => {
  const bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'large', Body: Buffer.alloc(24 * MiB) }))
  const download = await c.root.send('downloadObject', { params: { bucket }, query: { prefix: 'large' } })
  await download.body?.cancel()
  await expect
    .poll(() => parseLogLines(c.output()).map(({ msg }) => msg))
    .toContainEqual(expect.stringMatching(/download\S* left/))
})

ownStore.test('the lines of console and store are JSON, each with its part', async () => {
  const [login] = parseLogLines(c.output()).filter(({ part }) => part === 'console')
  expect(login).toMatchObject({ level: INFO, time: expect.stringMatching(/^\d{4}-.*Z$/) })
  expect(parseLogLines(c.output())).toContainEqual(
    expect.objectContaining({ part: 'store', msg: 'the store is ready', time: expect.stringMatching(/^\d{4}-.*Z$/) }),
  )
})

ownStore.test('a store alone tells that it died, as JSON', async () => {
  const data = await mkdtemp(join(tmpdir(), 'stowage-logs-'))
  const child = spawn(process.execPath, [builtPrograms.standaloneStore], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, STOWAGE_DATA: data, STOWAGE_STORE_PORT: '0', STOWAGE_MIN_FREE: '1MiB' },
  })
  const output = collectOutput(child)
  try {
    await expect.poll(output, { timeout: 60_000 }).toContain('the store is ready')
    const [store] = childProcesses(child.pid ?? 0)
    process.kill(store ?? 0, 'SIGKILL')
    const ready = () => parseLogLines(output()).filter(({ msg }) => msg === 'the store is ready')
    await expect.poll(() => ready().length, { timeout: 60_000 }).toBe(2)
    expect(parseLogLines(output())).toContainEqual(
      expect.objectContaining({ part: 'store', level: 50, reason: 'ended by SIGKILL' }),
    )
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
    await rm(data, { recursive: true, force: true })
  }
})

import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Endpoint, endpoints, type Operation } from '@stowage/contract'
import { examples } from '@stowage/contract/examples'
import { beforeAll, expect, test } from 'vitest'
import { makeArchive } from '../../apps/server/src/areas/objects/archive/testing/make-archive.ts'
import { startConsole, type TestConsole } from '../support/console/start-console.ts'
import { newBucketWith } from '../support/data/objects.ts'
import { REQUEST_TEXTS } from './hostile-texts.ts'

/* No request blocks the console for others, whatever its fields contain. */

const MAX_BLOCK_MS = 100
const RUNS = 5

const probe = join(tmpdir(), `cost-probe-${process.pid}.sock`)
let c: TestConsole
beforeAll(async () => {
  const program = fileURLToPath(new URL('delay-probe.mjs', import.meta.url))
  c = await startConsole({ env: { COST_PROBE: probe, NODE_OPTIONS: `--import=${program}` } })
  return async () => await c[Symbol.asyncDispose]()
})

/** Returns how long the console was blocked since the last call (ms): the delay, and not more than it had of the processor. */
async function blockedMs(): Promise<number> {
  const { delayMs, cpuMs } = JSON.parse(await text(connect(probe))) as { delayMs: number; cpuMs: number }
  return Math.min(delayMs, cpuMs)
}

interface LooseInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** Replaces every text of an example. */
function withText(value: unknown, hostile: string): unknown {
  if (typeof value === 'string') return hostile
  if (Array.isArray(value)) return value.map((each) => withText(each, hostile))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withText(member, hostile)]))
}

/** They stop the server, end the session, or stay open. */
const SKIPPED = new Set<Operation>(['restartService', 'logout', 'login', 'loginOperator'])
const calls = (Object.entries(endpoints) as [Operation, Endpoint][])
  .filter(
    ([name, { mode, answer, body }]) =>
      mode !== 'operator' && answer !== 'socket' && body !== 'multipart' && !SKIPPED.has(name),
  )
  .map(([name]) => name)

/** Bodies may be longer than addresses. */
const [ADDRESS_TEXT, BODY_TEXT] = [1000, 16_000]

async function sendOnce(operation: Operation, input: LooseInput): Promise<void> {
  const options = { signal: AbortSignal.timeout(20_000) }
  // A call that has no answer in time is judged by the delay.
  const answer = await c.root.send(operation, input as never, options).catch(() => undefined)
  await answer?.body?.cancel()
  // Some calls end sessions. Without one, the others would be refused at once.
  if (answer?.status === 401) await c.root.signIn(c.rootUser, c.rootPassword)
}

async function blockOnce(operation: Operation, input: LooseInput): Promise<number> {
  await blockedMs()
  await sendOnce(operation, input)
  return await blockedMs()
}

/** The lowest of several runs; the first that is short enough decides. */
async function lowestBlock(operation: Operation, input: LooseInput, limit: number): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS && lowest > limit; run++) lowest = Math.min(lowest, await blockOnce(operation, input))
  return lowest
}

test('a zip archive with a million entries neither blocks the console nor is read', async () => {
  const entry = makeArchive([{ name: 'a', content: '', method: 0 }])
  const at = entry.readUInt32LE(entry.length - 6)
  const one = entry.subarray(at, entry.length - 22)
  const directory = Buffer.concat(Array.from({ length: 400_000 }, () => one))
  const end = Buffer.from(entry.subarray(entry.length - 22))
  end.writeUInt16LE((directory.length / one.length) % 65_536, 8)
  end.writeUInt16LE((directory.length / one.length) % 65_536, 10)
  end.writeUInt32LE(directory.length, 12)
  const bucket = await newBucketWith(c, { 'a.zip': Buffer.concat([entry.subarray(0, at), directory, end]) })
  const input = { params: { bucket }, query: { prefix: 'a.zip' } }
  expect((await c.root.send('listArchive', input)).status).toBe(413)
  expect(await lowestBlock('listArchive', input, MAX_BLOCK_MS)).toBeLessThan(MAX_BLOCK_MS)
})

/** All texts at once, and each one alone only if that took long. */
async function slowTexts(operation: Operation): Promise<string[]> {
  const example = examples[operation] as LooseInput
  const inputs = REQUEST_TEXTS.map(
    (hostile): LooseInput => ({
      ...(example.params ? { params: example.params } : {}),
      query: withText(example.query ?? {}, hostile(ADDRESS_TEXT)) as Record<string, unknown>,
      body: withText(example.body, hostile(BODY_TEXT)),
    }),
  )
  await blockedMs()
  await Promise.all(inputs.map(async (input) => await sendOnce(operation, input)))
  if ((await blockedMs()) <= MAX_BLOCK_MS) return []
  const slow: string[] = []
  for (const [index, input] of inputs.entries()) {
    const ms = await lowestBlock(operation, input, MAX_BLOCK_MS)
    if (ms <= MAX_BLOCK_MS) continue
    const control = await lowestBlock(operation, example, 0)
    if (ms - control > MAX_BLOCK_MS) slow.push(`${operation} with text ${index}: ${Math.round(ms)} ms`)
  }
  return slow
}

test('no call blocks the console with hostile texts in all of its fields', async () => {
  const slow: string[] = []
  for (const operation of calls) slow.push(...(await slowTexts(operation)))
  expect(slow).toEqual([])
})

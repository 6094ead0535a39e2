import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StoreConfig } from '../config/config.ts'
import type { StoreChange } from '../engine/interface/types.ts'
import type { DeliveryTarget } from '../events/delivery/queue-sender.ts'
import { RequestRecorder } from '../requests/request-recorder.ts'
import { Audit } from './audit.ts'

let folder: string
beforeEach(async () => {
  failed = []
  folder = await mkdtemp(join(tmpdir(), 'stowage-gap-'))
})
afterEach(async () => await rm(folder, { recursive: true }))

/** Errors in the log. */
let failed: string[] = []
const log = pino({ level: 'error' }, { write: (line) => void failed.push(line) })
const documents = { getDocument: () => undefined, listDocuments: () => [], putDocuments: async () => {} }

/** Starts an audit. Its console accepts all records, unless another answer is given. */
async function start(name: string, answer: (signal: AbortSignal) => Promise<void> = async () => {}) {
  const taken: string[] = []
  let tell: (change: StoreChange) => void = () => {}
  const target: DeliveryTarget = {
    arn: 'console',
    send: async (lines, signal) => {
      await answer(signal)
      taken.push(...lines.trim().split('\n'))
    },
    close: async () => {},
  }
  const audit = new Audit({
    config: new StoreConfig({ documents, environment: {} }),
    recorder: new RequestRecorder(log),
    engine: {
      deploymentId: 'D',
      subscribe: (listener) => {
        tell = listener
        return () => {}
      },
    },
    log,
    delivery: {
      folder: join(folder, name),
      queueFolders: [],
      certificateFolders: [],
      egress: {},
      ownPorts: () => [],
      loadEgress: () => Promise.reject(new Error('none')),
    },
    console: target,
  })
  await audit.ready
  /** A change that has a record. */
  const change = (seq: number) => tell({ seq, time: 0, type: 'object-transition', bucket: 'b', key: `${seq}` })
  return { audit, change, taken }
}

test('a record reports the gap after a kill, but no record is made after a clean stop', async () => {
  const killed = await start('first')
  const before = Date.now()
  // A copy of the folder while it runs has the same state as after a kill.
  await cp(join(folder, 'first'), join(folder, 'second'), { recursive: true, preserveTimestamps: true })
  await killed.audit.stop()
  expect(killed.taken).toEqual([])

  const next = await start('second')
  await expect.poll(() => next.taken.length).toBe(1)
  const record = JSON.parse(next.taken[0] ?? '') as { tags: { since: string } }
  expect(record).toMatchObject({
    api: { name: 'audit:gap' },
    deploymentid: 'D',
    error: expect.stringContaining('100 ms'),
  })
  expect(Math.abs(Date.parse(record.tags.since) - before)).toBeLessThan(5000)
  await next.audit.stop()

  const last = await start('second')
  await last.audit.stop()
  expect(last.taken).toEqual([])
})

test('records that could not be written are counted in a record', async () => {
  let isDown = true
  const answer = async () => {
    if (isDown) throw new Error('down')
  }
  const { audit, change, taken } = await start('full', answer)
  const queue = join(folder, 'full', 'console-audit')
  // Nothing can be written where a file has taken the place of the folder.
  await rm(queue, { recursive: true })
  await writeFile(queue, '')
  change(1)
  change(2)
  await expect.poll(() => failed.length).toBeGreaterThan(0)
  await rm(queue)
  isDown = false
  change(3)
  await expect.poll(() => taken.length).toBe(2)
  const tags = taken.map((line) => (JSON.parse(line) as { tags?: { count: string } }).tags)
  expect(tags).toEqual([undefined, { count: '2' }])
  await audit.stop()
})

const queued = async (name: string) => {
  const queue = join(folder, name, 'console-audit')
  const files = (await readdir(queue).catch(() => [])).filter((file) => file.endsWith('.jsonl'))
  return (await Promise.all(files.map((file) => readFile(join(queue, file), 'utf8')))).join('')
}

test('records that the console stores at once are not written to its queue', async () => {
  const { audit, change, taken } = await start('quick')
  change(1)
  await expect.poll(() => taken.length).toBe(1)
  change(2)
  await expect.poll(() => taken.length).toBe(2)
  await audit.stop()
  expect(await queued('quick')).toBe('')
})

test('while the console does not answer, records are in its queue, and a kill loses none of them', async () => {
  const { audit, change, taken } = await start('slow', async (signal) => {
    await once(signal, 'abort')
    throw signal.reason
  })
  change(1)
  await expect.poll(() => queued('slow')).toContain('"object\\":\\"1\\"')
  // The batch before it has no answer yet.
  change(2)
  await expect.poll(() => queued('slow')).toContain('"object\\":\\"2\\"')
  expect(taken).toEqual([])
  await cp(join(folder, 'slow'), join(folder, 'killed'), { recursive: true })
  await audit.stop()
  const next = await start('killed')
  const objects = () => next.taken.map((line) => (JSON.parse(line) as { api: { object?: string } }).api.object)
  await expect.poll(objects).toEqual(expect.arrayContaining(['1', '2']))
  await next.audit.stop()
})

test('records are taken although the marker of running recorders cannot be written', async () => {
  await mkdir(join(folder, 'odd', 'audit-running'), { recursive: true })
  const { audit, change, taken } = await start('odd')
  change(1)
  await expect.poll(() => taken.length).toBeGreaterThan(0)
  await audit.stop()
})

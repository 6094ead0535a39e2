import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Config } from '../config/config.ts'
import type { EventTarget } from '../events/sender.ts'
import { Recorder } from '../http/recorder.ts'
import { Audit } from './audit.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-gap-'))
})
afterEach(async () => await rm(folder, { recursive: true }))

const log = pino({ level: 'silent' })
const documents = { getDocument: () => undefined, listDocuments: () => [], putDocuments: async () => {} }

/** Starts an audit whose console accepts all records. */
async function start(name: string) {
  const taken: string[] = []
  const target: EventTarget = {
    arn: 'console',
    send: async (lines) => void taken.push(...lines.trim().split('\n')),
    close: async () => {},
  }
  const audit = new Audit({
    config: new Config({ documents, environment: {} }),
    recorder: new Recorder(log),
    engine: { deploymentId: 'D', subscribe: () => () => {} },
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
  return { audit, taken }
}

test('after a kill a record reports the gap; after a clean stop there is none', async () => {
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

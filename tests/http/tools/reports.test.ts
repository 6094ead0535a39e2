import { beforeAll, expect, test } from 'vitest'
import { startConsole } from '../../support/console.ts'
import { openLive } from '../../support/live.ts'
import { ownStore } from '../../support/own-store.ts'
import { sharedConsole } from '../../support/shared.ts'
import type { TestTarget } from '../../support/target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('the report comes as one message, then the socket closes with 1000 [DIA-04] [DIA-05]', async () => {
  await using live = await openLive(c.root, 'healthInfo', { query: { deadline: '1h' } }, { ours: false })
  const report = await live.next()
  expect(Date.parse((report as unknown as { timestamp: string }).timestamp)).toBeGreaterThan(Date.now() - 60_000)
  expect(await live.closed).toEqual({ code: 1000, reason: '' })
})

test('our page gets each section, and the list of missing ones', async () => {
  await using live = await openLive(c.root, 'healthInfo', { query: { deadline: '10m', anonymize: 'none' } })
  expect(await live.next()).toEqual({ kind: 'started' })
  expect(await live.next()).toMatchObject({ kind: 'progress', done: 1 })
  const report = await live.message()
  expect(report).toMatchObject({ minio: { info: { mode: 'online' } } })
  expect(JSON.stringify(report)).not.toContain(c.rootPassword)
})

test.each(['', 'soon', '1 fortnight'])('a report with the deadline "%s" is refused with 1008', async (deadline) => {
  await using live = await openLive(c.root, 'healthInfo', { query: { deadline } })
  expect(await live.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('deadline in query') })
})

ownStore.test(
  'the log of the server has the members that the page reads [LGS-04]',
  async () => {
    await using own = await startConsole({ env: { STOWAGE_LOG_LEVEL: 'info' } })
    await using live = await openLive(own.root, 'consoleLog', { query: {} }, { ours: false })
    // The store's output of its first start. MinIO has none until something goes wrong.
    const record = (await live.next()) as unknown as Record<string, unknown>
    expect(record).toMatchObject({
      ConsoleMsg: expect.any(String),
      level: expect.any(String),
      node: expect.any(String),
    })
    expect(record.time).toMatch(/^\d\d:\d\d:\d\d UTC \d\d\/\d\d\/\d{4}$/)
    expect(record.message).toContain('created the key that encrypts secrets')
  },
  20_000,
)

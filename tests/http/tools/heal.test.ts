import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DeleteObjectsCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLiveClient } from '../../support/console/live-socket.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'

/* A separate console, because the test deletes copies of objects on its drives. */

let c: TestConsole
beforeAll(async () => {
  c = await startConsole()
})
afterAll(async () => await c[Symbol.asyncDispose]())

const put = (Bucket: string, Key: string) =>
  c.s3.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.alloc(100_000, Key) }))

/** Returns the messages of a heal up to its end, in order. */
async function healed(params: { bucket: string } | undefined, query: Record<string, unknown> = {}, caller = c.root) {
  const options = { query: { recursive: true, ...query }, ...(params && { params }) }
  await using live = await openLiveClient(caller, params ? 'heal' : 'healAll', options)
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at some members
  const messages: any[] = []
  let failed: string | undefined
  for (;;) {
    const frame = await live.next().catch(() => undefined)
    if (!frame) break
    if (frame.kind === 'messages') messages.push(...frame.messages)
    if (frame.kind === 'failed') failed = `${frame.error.message} ${frame.error.detailedMessage}`
  }
  const items = messages.flatMap(({ itemsHealthStatus }) => itemsHealthStatus)
  return { last: messages.at(-1), items, failed, ...(await live.closed) }
}

async function removeCopies(): Promise<void> {
  const [drive = ''] = (await c.call('getAdminInfo', {})).servers.flatMap(({ drives }) =>
    drives.map(({ drivePath }) => drivePath),
  )
  const blobs = join(drive, 'blobs')
  const names = () =>
    readdir(blobs, { recursive: true }).then((all) => all.filter((name) => /[0-9a-f]{32}$/.test(name)))
  await expect.poll(async () => (await names()).length).toBeGreaterThan(0)
  for (const name of await names()) await rm(join(blobs, name))
}

ownStore.test('a heal sends what it found and did, and closes at its end [HEA-06] [HEA-07]', async () => {
  const bucket = await c.newBucket()
  // More than one, so that each drive has copies.
  const keys = ['italy/lake.jpg', 'italy/sea.jpg', 'italy/sky.jpg', 'italy/north/peak.jpg', 'spain.jpg', 'more', 'most']
  for (const key of keys) await put(bucket, key)
  const whole = await healed({ bucket })
  expect(whole).toMatchObject({ code: 1000, reason: '' })
  expect(whole.last).toMatchObject({
    healDuration: expect.any(Number),
    bytesScanned: 700_000,
    objectsScanned: 7,
    itemsScanned: 8,
    objectsHealed: 0,
    itemsHealed: 0,
    healthBeforeCols: { Green: 8 },
    healthAfterCols: { Green: 8 },
  })
  await removeCopies()
  const dry = await healed({ bucket }, { 'dry-run': true })
  expect(dry.last).toMatchObject({ objectsHealed: 0, healthAfterCols: dry.last.healthBeforeCols })
  const lost = dry.last.healthBeforeCols.Red
  expect(lost).toBeGreaterThan(0)
  const mended = await healed({ bucket }, { items: 'unhealthy' })
  expect(mended.last).toMatchObject({
    objectsHealed: lost,
    healthBeforeCols: { Green: 8 - lost, Red: lost },
    healthAfterCols: { Green: 8 },
  })
  expect(mended.items).toHaveLength(lost)
  expect(mended.items[0]).toMatchObject({
    status: 'success',
    type: 'object',
    name: expect.stringContaining(`${bucket}/`),
    before: { color: 'red', online: 1, missing: 1, corrupted: 0, offline: 0 },
    after: { color: 'green', online: 2, missing: 0 },
    size: 100_000,
  })
  const prefix = await healed({ bucket }, { prefix: 'italy/', recursive: false })
  expect(prefix.last).toMatchObject({ objectsScanned: 3, itemsScanned: 4 })
  const all = await healed(undefined)
  expect(all.last.objectsScanned).toBeGreaterThanOrEqual(7)
})

test('a client without our subprotocol gets only the members of the specification in each frame [HEA-07]', async () => {
  const bucket = await c.newBucket()
  const live = await openLiveClient(c.root, 'heal', { params: { bucket }, query: {} }, { ours: false })
  const message = (await live.next()) as object
  expect(Object.keys(message).sort()).toEqual([
    'bytesScanned',
    'healDuration',
    'healthAfterCols',
    'healthBeforeCols',
    'itemsHealed',
    'itemsHealthStatus',
    'itemsScanned',
    'objectsHealed',
    'objectsScanned',
  ])
  expect((await live.closed).code).toBe(1000)
})

test.each([
  ['recursive', { recursive: 'maybe' }],
  ['force-stop', { 'force-start': 'true', 'force-stop': 'TRUE' }],
  ['prefix', { prefix: 'x'.repeat(2000) }],
  ['items', { items: 'none' }],
])('a wrong %s closes with 1008 with its name [HEA-06]', async (name, query) => {
  const { code, reason, last } = await healed({ bucket: await c.newBucket() }, query)
  expect([code, last]).toEqual([1008, undefined])
  expect(reason).toContain(name)
})

test('a forced stop starts nothing, a forced start stops the running heal [HEA-06]', async () => {
  const bucket = await c.newBucket()
  await put(bucket, 'k')
  const stopped = await healed({ bucket }, { 'force-stop': 't' })
  expect(stopped).toMatchObject({ code: 1000, last: undefined })
  const started = await healed({ bucket }, { 'force-start': '1' })
  expect(started).toMatchObject({ code: 1000, last: { objectsScanned: 1 } })
})

ownStore.test('a second caller follows a running heal from its beginning, and starts no other', async () => {
  const bucket = await c.newBucket()
  await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  // Delete markers are items too, and a thousand of them are one request.
  for (const [first, count] of [
    [0, 1000],
    [1000, 10],
  ] as const) {
    const Objects = Array.from({ length: count }, (_, i) => ({ Key: `k${first + i}` }))
    await c.s3.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }))
  }
  const path = { bucket, prefix: '' }
  // It waits after 1,000 items until somebody reads them, as it does for a page that was left.
  const token = await c.madmin.startHeal(path, {
    recursive: true,
    remove: false,
    dryRun: false,
    deep: false,
    force: false,
  })
  const { last, code } = await healed({ bucket }, { items: 'unhealthy' })
  expect([code, last.objectsScanned, last.itemsScanned]).toEqual([1000, 1010, 1011])
  // The heal of that token, not a later one.
  expect(await c.madmin.healStatus(path, token)).toMatchObject({ summary: 'finished', startTime: expect.any(String) })
})

ownStore.test(
  'a page that is opened again follows its heal with the earlier results, and never starts one',
  async () => {
    const bucket = await c.newBucket()
    const none = await healed({ bucket }, { follow: true })
    expect([none.code, none.failed, none.last]).toEqual([1000, undefined, undefined])
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await put(bucket, key)
    await removeCopies()
    const begun = await healed({ bucket }, { items: 'unhealthy' })
    expect(begun.items.length).toBeGreaterThan(0)
    const back = await healed({ bucket }, { follow: true, items: 'unhealthy' })
    expect(back).toMatchObject({ code: 1000, last: { objectsScanned: 6, objectsHealed: begun.items.length } })
    expect(back.items).toEqual(begun.items)
    await healed({ bucket }, { 'force-stop': true })
    expect((await healed({ bucket }, { follow: true })).last).toBeUndefined()
  },
)

ownStore.test('a bucket that does not exist ends with the server’s reason', async () => {
  const { code, failed } = await healed({ bucket: 'no-such-bucket-here' })
  expect(code).toBe(1011)
  expect(failed).toContain('The specified bucket does not exist')
})

test('without the right to heal the answer names it', async () => {
  const reader = await c.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['admin:ServerInfo'] }],
  })
  const { code, reason } = await healed({ bucket: await c.newBucket() }, {}, reader)
  expect(code).toBe(1008)
  expect(reason).toContain('admin:Heal')
})

import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { SpeedtestResult } from '@stowage/contract/health-info/diagnostics'
import { readZip } from '@stowage/madmin/zip'
import { beforeAll, expect, test } from 'vitest'
import { openLiveClient } from '../../support/console/live-socket.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const LIMITS = { entries: 100, entryBytes: 64 << 20, totalBytes: 256 << 20 }

test('a profile is an archive with a file of each kind, and has no secret', async () => {
  const answer = await c.root.send('profile', { query: { kinds: 'cpu,mem', seconds: 0.2 } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toContain('profile.zip')
  const files = readZip(Buffer.from(await answer.arrayBuffer()), LIMITS)
  const names = files.map(({ name }) => name)
  // Not in an archive of 2021.
  if (c.embedded) expect(names).toContain('cluster.info')
  // MinIO adds the memory before.
  for (const kind of [/^profile-.*cpu/, /^profile-.*mem/]) expect(names.some((name) => kind.test(name))).toBe(true)
  for (const { content } of files) expect(content.includes(c.rootPassword)).toBe(false)
})

test.each([
  { kinds: 'heap' },
  { kinds: 'cpu', seconds: 51 },
  { kinds: 'cpu', seconds: -1 },
  { kinds: 'cpu', seconds: 'x' },
])('a profile with %o is refused', async (query) => {
  expect((await c.root.send('profile', { query } as never)).status).toBe(400)
})

ownStore.test('no request of the embedded store holds a lock', async () => {
  expect(await c.call('listLocks', { query: { count: 5 } })).toEqual({ locks: [] })
  expect((await c.root.send('listLocks', { query: { count: 1001 } })).status).toBe(400)
})

ownStore.test('a speed test of the drives tells how fast each is', async () => {
  await using live = await openLiveClient(
    c.root,
    'speedtest',
    { query: { test: 'drive', bytes: 1 << 20 } },
    { ours: false },
  )
  const result = (await live.next()) as unknown as { servers: { drives: { read: number; write: number }[] }[] }
  const drives = result.servers.flatMap((server) => server.drives)
  expect(drives.length).toBeGreaterThan(0)
  for (const { read, write } of drives) expect(Math.min(read, write)).toBeGreaterThan(0)
  expect(await live.closed).toEqual({ code: 1000, reason: '' })
})

ownStore.test('a speed test of objects tells how fast they are stored and read', async () => {
  const query = { test: 'object', bytes: 1 << 20, concurrent: 2, seconds: 0.1 } as const
  await using live = await openLiveClient(c.root, 'speedtest', { query }, { ours: false })
  const rate = { bytes: expect.any(Number), objects: expect.any(Number) }
  for (let result = await live.next(); ; result = await live.next()) {
    const { put, get } = result as unknown as SpeedtestResult
    expect(put).toEqual(rate)
    if (get) break
  }
  expect(await live.closed).toEqual({ code: 1000, reason: '' })
})

test.each([{ test: 'network' }, { test: 'drive', bytes: 1 }, { test: 'drive', bytes: 2 ** 40 }])(
  'a speed test with %o is refused with 1008',
  async (query) => {
    await using live = await openLiveClient(c.root, 'speedtest', { query } as never)
    expect((await live.closed).code).toBe(1008)
  },
)

ownStore.test('the embedded store gives out no files of its drives, and says so', async () => {
  const answer = await c.root.send('inspectData', { body: { volume: '.', file: '**' } })
  expect(answer.status).toBe(501)
})

test.runIf(process.env.STOWAGE_TEST_SERVER)('files of a MinIO server are an archive', async () => {
  const bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'inspected', Body: 'content' }))
  const { value } = await c.call('inspectData', { body: { volume: bucket, file: 'inspected/xl.meta' } })
  const names = readZip(Buffer.from(value, 'base64'), LIMITS).map(({ name }) => name)
  expect(names.some((name) => name.endsWith(`${bucket}/inspected/xl.meta`))).toBe(true)
})

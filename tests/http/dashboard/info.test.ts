import { stat, statfs } from 'node:fs/promises'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import { startConsole } from '../../support/console/start-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('admin info has servers and their capacity, and without a source of metrics no widgets [DSH-07]', async () => {
  const info = await c.call('getAdminInfo', {})
  // Our own store always has a history; other servers have one on request.
  expect(info.widgets === null).toBe(info.metrics === 'none')
  expect(info.servers.length).toBeGreaterThan(0)
  // Servers of 2021 do not report how many drives a set has.
  if (info.servers.every(({ version }) => version.startsWith('2021-'))) expect(info.usableCapacity).toBeUndefined()
  else expect(info.usableCapacity).toBeGreaterThan(0)
})

test('additional members of other releases are ignored', async () => {
  const response = await fetch(`${c.url}/api/v1/admin/info?defaultOnly=true&step=15&start=1&end=2`, {
    headers: { authorization: `Bearer ${c.root.session}` },
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ widgets: null, servers: [expect.anything()] })
})

test('a server has its state, uptime, network and drives; a drive its state and sizes [DSH-23]', async () => {
  const { servers } = await c.call('getAdminInfo', {})
  const storage = await c.madmin.storageInfo()
  for (const server of servers) {
    expect(server).toMatchObject({ state: 'online', endpoint: expect.stringMatching(/:\d+$/) })
    expect(server.uptime).toBeGreaterThanOrEqual(0)
    expect(Object.values(server.network)).toContain('online')
    for (const { state, totalSpace, usedSpace, availableSpace } of server.drives) {
      expect(state).toBe('ok')
      expect(totalSpace).toBeGreaterThan(0)
      expect(usedSpace).toBeGreaterThanOrEqual(0)
      expect(availableSpace).toBeGreaterThan(0)
      expect(usedSpace + availableSpace).toBeLessThanOrEqual(totalSpace)
    }
  }
  const driveEndpoints = servers.flatMap(({ drives }) => drives.map(({ endpoint }) => endpoint))
  expect(driveEndpoints.sort()).toEqual(storage.drives.map(({ endpoint }) => endpoint).sort())
})

test('a server that counts in the background reports when it did, or that it has not yet', async () => {
  const { countedAt } = await c.call('getAdminInfo', {})
  // Ours counts with each write, so its figures have no age.
  if (c.embedded) expect(countedAt).toBeUndefined()
  else expect(countedAt === null || Date.parse(countedAt ?? '') > 0).toBe(true)
})

test.each(['other', 'Admin', 'user', '..%2fadmin'])(
  'info and widgets are below admin alone, not below %s',
  async (prefix) => {
    for (const path of [`/api/v1/${prefix}/info`, `/api/v1/${prefix}/info/widgets/1/`]) {
      const response = await fetch(c.url + path, { headers: { authorization: `Bearer ${c.root.session}` } })
      expect([path, response.status]).toEqual([path, 404])
      expect(await response.json()).toMatchObject({ code: 404 })
    }
  },
)

ownStore.test('usage is exact at once, and capacity is what the file system gives [DSH-07]', async () => {
  await using own = await startConsole()
  const bucket = await own.newBucket()
  await own.newBucket()
  for (const [Key, Body] of Object.entries({ a: 'four', b: 'seven b' })) {
    await own.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
  }
  const info = await own.call('getAdminInfo', {})
  expect(info).toMatchObject({ buckets: 2, objects: 2, usage: 11 })

  const drives = info.servers.flatMap((server) => server.drives)
  const file = await statfs(own.data)
  const size = file.bsize * (file.blocks - (file.bfree - file.bavail))
  // The space reserved for root may change a little.
  for (const { totalSpace } of drives) expect(Math.abs(totalSpace - size) / size).toBeLessThan(0.01)
  const devices = new Set(await Promise.all(drives.map(async ({ drivePath }) => (await stat(drivePath)).dev)))
  expect(devices.size).toBe(1)
  // Everything is stored twice, on one file system shared by all drives.
  expect(Math.abs((info.usableCapacity ?? 0) / (size / 2) - 1)).toBeLessThan(0.01)
})

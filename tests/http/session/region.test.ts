import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'

/* Sessions that were opened before the region of the server changed. */

let c: TestConsole
beforeAll(async () => {
  c = await startConsole({ env: { STOWAGE_SERVER: '' } })
})
afterAll(async () => await c?.[Symbol.asyncDispose]())

async function setRegion(name: string): Promise<void> {
  const subsystem = (await c.call('listConfigs', {})).configurations.some(({ key }) => key === 'site')
    ? 'site'
    : 'region'
  await c.call('setConfig', {
    params: { name: subsystem },
    body: { key_values: [{ key: subsystem === 'site' ? 'region' : 'name', value: name }] },
  })
  await c.call('restartService', { body: {} })
}

test('a session follows the region of the server: settings, content, uploads and links', async () => {
  const bucket = await c.newBucket('region')
  const params = { bucket }
  const file = () => {
    const data = new FormData()
    data.append('a.txt', new Blob(['x']), 'a.txt')
    return data
  }
  const upload = async () => (await c.root.send('uploadObjects', { params, query: {}, body: file() })).status
  expect(await upload()).toBe(200)
  await setRegion('mars-north-1')
  // The first call is one for settings, by the SDK.
  expect(await c.call('getBucketTags', { params })).toBeDefined()
  expect((await c.call('listObjects', { params, query: {} })).objects).toHaveLength(1)
  expect(await upload()).toBe(200)
  await setRegion('venus-1')
  // The first call asks for headers only, so its answer does not name the region.
  expect((await c.call('getObject', { params, query: { prefix: 'a.txt' } })).size).toBe(1)
  const url = await c.call('shareObject', { params, query: { prefix: 'a.txt' } })
  expect(url).toContain('venus-1')
  expect((await fetch(url)).status).toBe(200)
  await setRegion('')
  expect(await upload()).toBe(200)
})

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MetricsWork } from './metrics-work.ts'

const drive = (name: string, state: string) => ({
  endpoint: `/data/${name}`,
  path: `/data/${name}`,
  state,
  totalspace: 100,
  usedspace: 30,
  availspace: 70,
})
const backend = { standardSCParity: 1, drivesPerSet: [2] }
/** The answers of RustFS, reduced to what is read: wrapped, and nothing at the paths of the metrics. */
const ANSWERS: Record<string, object> = {
  '/minio/admin/v3/info': {
    info: {
      deploymentID: 'rust-1',
      buckets: { count: 3 },
      objects: { count: 7 },
      usage: { size: 4096 },
      servers: [{ endpoint: 'a:9000', state: 'online', drives: [drive('one', 'ok'), drive('two', 'offline')] }],
      backend,
    },
    admin_discovery: {},
  },
  '/minio/admin/v3/storageinfo': { info: { disks: [drive('one', 'ok'), drive('two', 'ok')], backend } },
}

const server = createServer((request, response) => {
  const answer = ANSWERS[new URL(request.url ?? '/', 'http://x').pathname]
  if (answer) response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'metrics-work-'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

test('a server without metrics, such as RustFS, is sampled by its info: capacity, usage, servers and drives', async () => {
  const work = new MetricsWork(
    {
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      caFile: undefined,
      folder,
      interval: { widgets: 15, buckets: 300 },
      maxBytes: { widgets: 1 << 20, buckets: 1 << 20 },
    },
    { warn: (_fields, message) => expect.fail(message) },
  )
  await work.sample('widgets', { accessKey: 'key', secretKey: 'secret-key' })
  const now = Math.ceil(Date.now() / 1000)
  const latest = async (id: number) => {
    const { results } = await work.widget(id, { start: now - 30, end: now + 1, step: 1 })
    return results.map((each) => each.map(({ values }) => Number(values.at(-1)?.[1])))
  }
  // Current Usable Capacity: free and total, without the half that is the second copy.
  expect(await latest(50)).toEqual([[70], [100]])
  const single = { 68: 4096, 44: 7, 66: 3, 53: 1, 69: 0, 9: 1, 78: 1, 74: 30 }
  for (const [id, value] of Object.entries(single)) expect(await latest(Number(id)), id).toEqual([[value]])
  expect(await work.widget(60, { start: now - 30, end: now + 1, step: 1 })).toMatchObject({ empty: 'not-reported' })
  await work.close()
})

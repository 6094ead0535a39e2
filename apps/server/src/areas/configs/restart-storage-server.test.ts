import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMadmin } from '@stowage/madmin'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { restartStorageServer } from './restart-storage-server.ts'

/** A storage server whose `info` is given by the test; a restart changes nothing by itself. */
let info: () => { status: number; type: string; body: string }
const asked: string[] = []
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://x')
  asked.push(pathname)
  const { status, type, body } = pathname.endsWith('/service') ? { ...json({}), status: 200 } : info()
  response.writeHead(status, { 'content-type': type }).end(body)
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const json = (value: object) => ({ status: 200, type: 'application/json', body: JSON.stringify(value) })
const up = (...uptimes: number[]) =>
  json({ servers: uptimes.map((uptime) => ({ endpoint: 'a:9000', uptime, drives: [] })) })
const client = () =>
  createMadmin({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKey: 'root', secretKey: 'root-password' },
  })
const { signal } = new AbortController()

test('a restart waits while a proxy answers 502 and while any server has not restarted', async () => {
  const answers = [{ status: 502, type: 'text/html', body: '<h1>Bad Gateway</h1>' }, up(0, 900), up(0, 1)]
  info = () => answers.shift() ?? up(2)
  await restartStorageServer(client(), signal)
  expect(answers).toEqual([])
  expect(asked.filter((path) => path.endsWith('/service'))).toHaveLength(1)
})

test('a server that never restarts ends the wait with 504 and the time', async () => {
  info = () => up(900)
  await expect(restartStorageServer(client(), signal, 0.3)).rejects.toMatchObject({
    status: 504,
    reason: { id: 'restart-not-seen', params: { seconds: 0.3 } },
  })
})

test.each(['InvalidAccessKeyId', 'InvalidTokenId'])(
  'a server that is back but refuses the access key (%s) ends the wait with 401 at once',
  async (Code) => {
    const starting = { ...json({ Code: 'XMinioServerNotInitialized', Message: 'starting' }), status: 503 }
    const answers = [starting, up(900)]
    info = () => answers.shift() ?? { ...json({ Code, Message: 'no such key' }), status: 403 }
    await expect(restartStorageServer(client(), signal, 5)).rejects.toMatchObject({
      status: 401,
      reason: { id: 'restart-signed-out' },
    })
    expect(answers).toEqual([])
  },
)

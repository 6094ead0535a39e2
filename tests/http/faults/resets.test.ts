import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import { sendAndReset, webSocketRequest } from '../../support/network/reset-connection.ts'

/* Anonymous clients reset their connections while they are answered. */

let c: TestConsole
beforeAll(async () => {
  c = await startConsole()
})
afterAll(async () => await c?.[Symbol.asyncDispose]())

const REQUESTS = {
  page: ['GET / HTTP/1.1'],
  'absent path': ['GET /no/such/path HTTP/1.1'],
  'WebSocket without a session': webSocketRequest('/api/v1/trace'),
  'WebSocket of an absent path': webSocketRequest('/no/such/path'),
  'WebSocket of a page': webSocketRequest('/'),
  'offer of HTTP/2': [
    'GET / HTTP/1.1',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABk',
  ],
  tunnel: ['CONNECT 127.0.0.1:1 HTTP/1.1'],
  'announced body': ['POST /api/v1/login HTTP/1.1', 'Content-Length: 100', 'Expect: 100-continue'],
  'wrong length': ['POST / HTTP/1.1', 'Content-Length: x'],
  'other protocol': ['SSH-2.0-OpenSSH_9.6'],
}

test.each(Object.entries(REQUESTS))('a reset after the request %s ends neither console nor store', async (_, lines) => {
  for (const url of [c.url, c.serverUrl]) await sendAndReset(url, lines)
  expect((await fetch(`${c.url}/api/v1/login`)).status).toBe(200)
  expect((await fetch(`${c.serverUrl}/minio/health/live`)).status).toBe(200)
})

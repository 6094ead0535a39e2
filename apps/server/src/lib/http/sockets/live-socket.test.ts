import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { cutCloseReason, HEARTBEAT_TIMES, LiveSocket } from './live-socket.ts'

const servers: WebSocketServer[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate()
    server.close()
  }
})

/** Returns both ends of a connection. */
async function pair(batched: boolean, times = HEARTBEAT_TIMES) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  servers.push(server)
  await once(server, 'listening')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    autoPong: times === HEARTBEAT_TIMES,
  })
  const frames: string[] = []
  client.on('message', (data) => frames.push(String(data)))
  const [[socket]] = await Promise.all([once(server, 'connection'), once(client, 'open')])
  return { live: new LiveSocket<unknown>(socket as WebSocket, batched, times), client, frames }
}

test('messages are sent in batches to a client that supports them, otherwise one by one', async () => {
  const ours = await pair(true)
  for (let i = 0; i < 3; i++) await ours.live.send({ i })
  ours.live.lost(2)
  await expect.poll(() => ours.frames).toHaveLength(2)
  expect(ours.frames.map((frame) => JSON.parse(frame))).toEqual([
    { kind: 'messages', messages: [{ i: 0 }, { i: 1 }, { i: 2 }] },
    { kind: 'lost', count: 2 },
  ])
  const plain = await pair(false)
  for (let i = 0; i < 3; i++) await plain.live.send({ i })
  plain.live.control({ kind: 'started' })
  plain.live.close(1000)
  await once(plain.client, 'close')
  expect(plain.frames).toEqual(['{"i":0}', '{"i":1}', '{"i":2}'])
})

test('a pending batch is sent before a control frame and before the close', async () => {
  const { live, client, frames } = await pair(true)
  await live.send(1)
  live.control({ kind: 'resumed' })
  await live.send(2)
  live.close(1011, 'gone', { code: 502, message: 'gone', detailedMessage: 'gone, in more words' })
  const [code, reason] = await once(client, 'close')
  expect([code, String(reason)]).toEqual([1011, 'gone'])
  expect(frames.map((frame) => JSON.parse(frame).kind)).toEqual(['messages', 'resumed', 'messages', 'failed'])
})

test('the source pauses while a client does not read, and continues when it does', async () => {
  const { live, client, frames } = await pair(false)
  client.pause()
  const piece = 'x'.repeat(1 << 20)
  let sent = 0
  const source = (async () => {
    for (; sent < 64 && !live.signal.aborted; sent++) await live.send(piece)
  })()
  // The kernel buffers some MiB; the test checks that the source stops.
  let last = -1
  await expect
    .poll(
      () => {
        const isStill = sent === last
        last = sent
        return isStill
      },
      { interval: 100 },
    )
    .toBe(true)
  expect(sent).toBeLessThan(40)
  client.resume()
  await source
  await expect.poll(() => frames.length).toBe(64)
})

test('a source that waits for the client ends when the client disconnects', async () => {
  const { live, client } = await pair(false)
  client.pause()
  const source = (async () => {
    while (!live.signal.aborted) await live.send('x'.repeat(1 << 20))
  })()
  client.terminate()
  await source
})

test('a client that does not answer pings is disconnected', async () => {
  const silent = await pair(false, { pingMs: 20, silentMs: 60 })
  await once(silent.client, 'close')
  await expect.poll(() => silent.live.signal.aborted).toBe(true)
})

test.each([
  ['short', 'short'],
  ['x'.repeat(124), 'x'.repeat(123)],
  [`${'x'.repeat(122)}é`, 'x'.repeat(122)],
  [`${'x'.repeat(121)}é`, `${'x'.repeat(121)}é`],
  ['😀'.repeat(40), '😀'.repeat(30)],
])('a reason is cut to fit a close frame, at a character boundary: %s', (text, expected) =>
  expect(cutCloseReason(text)).toBe(expected),
)

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(c.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Returns the console's answer to these bytes, until it closes the connection or the headers are complete. */
async function answerTo(bytes: string): Promise<string> {
  const socket = await open()
  socket.write(bytes)
  const [head] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])) as [string]
  socket.destroy()
  return String(head).split('\r\n', 1)[0] ?? ''
}

const request = (lines: string) => `GET /api/v1/session HTTP/1.1\r\nHost: x\r\n${lines}\r\n`

test.each([
  ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400/],
  ['a header of 1 MB', request(`X-Long: ${'x'.repeat(1_000_000)}\r\n`), /^HTTP\/1\.1 431/],
  ['a thousand headers', request('X-A: b\r\n'.repeat(3000)), /^HTTP\/1\.1 (401|431)/],
  ['an address of 1 MB', `GET /${'x'.repeat(1_000_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, /^HTTP\/1\.1 (414|431)/],
  ['a thousand cookies', request(`Cookie: ${'token=x; '.repeat(1000)}\r\n`), /^HTTP\/1\.1 401/],
  ['an address that is not encoded well', 'GET /api/v1/buckets/%zz HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 400/],
  [
    'two lengths',
    'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    /^HTTP\/1\.1 400/,
  ],
  [
    'length and chunks',
    'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    /^HTTP\/1\.1 400/,
  ],
])('%s is refused', async (_, bytes, answer) => {
  expect(await answerTo(bytes)).toMatch(answer)
  expect((await fetch(`${c.url}/healthz`)).status).toBe(200)
})

test('a JSON body that is too large, too deep or not JSON is refused with a specific error', async () => {
  const send = (body: string) =>
    fetch(`${c.url}/api/v1/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const answers = [
    [413, `{"accessKey":"${'x'.repeat(2_000_000)}"}`],
    [400, '{"accessKey":'],
    [400, '['.repeat(10_000)],
    [400, '{"__proto__":{"admin":true},"accessKey":"a","secretKey":"b"}'],
    [400, ''],
  ] as const
  for (const [status, body] of answers) {
    const response = await send(body)
    expect([body.slice(0, 30), response.status]).toEqual([body.slice(0, 30), status])
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(/./) })
  }
})

test('a hundred clients that send byte by byte, or read nothing, do not affect others', async () => {
  const slow = await Promise.all(Array.from({ length: 100 }, open))
  const trickle = setInterval(() => {
    for (const socket of slow) socket.write('X')
  }, 20)
  for (const [i, socket] of slow.entries())
    socket.write(
      i % 2
        ? 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '
        : 'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n',
    )
  try {
    for (let n = 0; n < 20; n++) {
      const begun = performance.now()
      await c.call('listBuckets', {})
      expect(performance.now() - begun).toBeLessThan(10_000)
    }
  } finally {
    clearInterval(trickle)
    for (const socket of slow) socket.destroy()
  }
})

test('an upload sent byte by byte does not delay other uploads', async () => {
  const bucket = await c.newBucket()
  const params = { bucket }
  const socket = await open()
  socket.write(
    `POST /api/v1/buckets/${bucket}/objects/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${c.root.session}\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000\r\nConnection: close\r\n\r\n' +
      '--b\r\nContent-Disposition: form-data; name="4"; filename="slow"\r\n\r\nslo',
  )
  const form = new FormData()
  form.append('fast', new Blob(['fast']), 'fast')
  await c.call('uploadObjects', { params, query: {}, body: form })
  const { objects } = await c.call('listObjects', { params, query: {} })
  expect(objects.map((o) => o.name)).toEqual(['fast'])
  socket.end()
  await text(socket)
  expect((await c.call('listObjects', { params, query: {} })).objects.map((o) => o.name)).toEqual(['fast'])
})

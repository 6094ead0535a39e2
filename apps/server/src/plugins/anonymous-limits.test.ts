import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { limitAnonymousBodies } from './anonymous-limits.ts'

/** Starts a server with a call for anonymous callers and one for signed-in callers, whose Bearer token is `known`. */
async function start(limits: { bodyMs: number; each: number }) {
  const app = fastify()
  app.decorate('knowsCaller', ({ headers }) => headers.authorization === 'Bearer known')
  limitAnonymousBodies(app, { atOnce: 10, ...limits })
  app.post('/sign-in', async ({ body }) => ({ read: body }))
  const endpoint = { access: 'session' } as never
  app.post('/upload', { config: { endpoint } }, async ({ body }) => ({ read: body }))
  app.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send() }, async () => ({}))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const sockets: Socket[] = []
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await app.close()
  })
  /** Sends the head of a request and the first byte of its body, `7`. */
  return (path: string, headers = '') => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    sockets.push(socket)
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    const closed = once(socket, 'close').then(() => text)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n${headers}\r\n7`,
    )
    return {
      socket,
      answered: async () => {
        await expect.poll(() => text).toContain('\r\n\r\n')
        return text
      },
      closed,
    }
  }
}

test('a body that does not end is aborted in time', async () => {
  const send = await start({ bodyMs: 100, each: 5 })
  expect(await send('/sign-in').closed).toMatch(/^HTTP\/1\.1 408 .*Connection: close\r\n\r\n\{"code":408,.*\}$/s)
})

test('the rest of a refused body is aborted too', async () => {
  const send = await start({ bodyMs: 100, each: 5 })
  const { answered, closed } = send('/refused')
  expect(await answered()).toMatch(/^HTTP\/1\.1 401/)
  expect(await closed).not.toContain('408')
})

test('of many bodies from one address the oldest is aborted, and the last one is read', async () => {
  const send = await start({ bodyMs: 60_000, each: 5 })
  const [first, ...others] = Array.from({ length: 6 }, () => send('/sign-in'))
  expect(await first?.closed).toMatch(/^HTTP\/1\.1 503 .*Connection: close\r\n\r\n\{"code":503,/s)
  others.at(-1)?.socket.write('7')
  expect(await others.at(-1)?.answered()).toMatch(/^HTTP\/1\.1 200 .*\{"read":77\}$/s)
})

test('a body that arrives in time keeps the connection open for the next request', async () => {
  const send = await start({ bodyMs: 60_000, each: 1 })
  const { socket, answered } = send('/sign-in')
  socket.write('7POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n8')
  await expect.poll(answered).toMatch(/\{"read":77\}.*\{"read":8\}$/s)
})

test('signed-in callers have no time limit', async () => {
  const send = await start({ bodyMs: 100, each: 1 })
  const known = 'Authorization: Bearer known\r\n'
  const slow = Array.from({ length: 3 }, () => send('/upload', known))
  // Meanwhile an anonymous body at the same call is aborted, and so is a signed-in caller's at an anonymous call.
  expect(await send('/upload').closed).toMatch(/^HTTP\/1\.1 408/)
  expect(await send('/sign-in', known).closed).toMatch(/^HTTP\/1\.1 408/)
  for (const { socket, answered } of slow) {
    socket.write('7')
    expect(await answered()).toMatch(/^HTTP\/1\.1 200/)
  }
})

import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { createEgress, type EgressOptions } from './egress.ts'
import { EgressError } from './egress-error.ts'
import type { DnsLookup } from './guarded-socket.ts'
import { parseAllowedPeer } from './rules.ts'
import { testCertificate } from './testing/certificate.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Starts a server on this machine and counts its connections. */
async function serve(listener: RequestListener = (_, response) => response.end('hello'), tls = false) {
  const server: Server = tls ? createTlsServer(testCertificate, listener) : createServer(listener)
  const seen = { connections: 0 }
  server.on('connection', (socket) => {
    seen.connections++
    closing.push(() => socket.destroy())
  })
  // Listens on IPv6 and IPv4.
  server.listen(0, '::')
  closing.push(() => server.close())
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, seen }
}

/** Buffers for data that no test reads. */
const discard = { buffer: Buffer.alloc(1024), callback: () => true }

function open(allow: string[] = [], options: Partial<EgressOptions> = {}) {
  const egress = createEgress({ networks: 'private', allow: allow.map(parseAllowedPeer), ...options })
  closing.push(() => void egress.close())
  return egress
}

/** Returns a resolver that gives these lists of addresses in turn, and repeats the last one. */
function resolver(...answers: string[][]): DnsLookup {
  let asked = 0
  const lookup = (_host: string, _options: unknown, callback: (e: null, list: LookupAddress[]) => void) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? []
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return lookup as DnsLookup
}

const catchEgressError = async (call: Promise<unknown>): Promise<EgressError> =>
  await call.then(
    () => {
      throw new Error('it succeeded')
    },
    (error: unknown) => {
      if (error instanceof EgressError) return error
      throw error
    },
  )

const spellings = [
  '127.0.0.1',
  '127.1',
  '127.0.0.2',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  'localhost',
  'LOCALHOST',
  '0.0.0.0',
  '0',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:127.0.0.1',
  '64:ff9b::127.0.0.1',
]

test.each(spellings)('this machine written as %s is refused by every method', async (host) => {
  const { port, seen } = await serve()
  const egress = open()
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
  const asked = [
    egress.request(url),
    egress.connect({ host, port }),
    egress.connect({ host, port, tls: true }),
    egress.resolve(host, port),
    once(egress.socket().connect(port, host), 'connect'),
    once(egress.openSocket({ host, port, tls: false }, discard), 'connect'),
    once(egress.openSocket({ host, port, tls: true }, discard), 'secureConnect'),
  ]
  for (const failure of await Promise.all(asked.map(catchEgressError)))
    expect(failure).toMatchObject({ code: 'NotAllowed' })
  expect(seen.connections).toBe(0)
})

test.each([
  ['127.0.0.1'],
  ['0.0.0.0'],
  ['169.254.169.254'],
  ['fe80::1'],
  ['fd00:ec2::254'],
  ['::ffff:169.254.169.254'],
  ['127.0.0.1', '::1'],
])('a name that resolves to %s is refused', async (...addresses) => {
  const egress = open([], { lookup: resolver(addresses) })
  const asked = [
    egress.request('http://hooks.example/'),
    egress.connect({ host: 'hooks.example', port: 80 }),
    once(egress.openSocket({ host: 'hooks.example', port: 443, tls: true }, discard), 'secureConnect'),
  ]
  for (const failure of await Promise.all(asked.map(catchEgressError)))
    expect(failure).toMatchObject({ code: 'NotAllowed' })
})

test('each new connection is checked: a name that changes its address is not followed', async () => {
  const { port, seen } = await serve()
  const egress = open([`127.0.0.2:${port}`], { lookup: resolver(['127.0.0.2'], ['127.0.0.1']) })
  const headers = { connection: 'close' }
  const url = `http://hooks.example:${port}/`
  expect((await egress.request(url, { headers })).body.toString()).toBe('hello')
  expect(await catchEgressError(egress.request(url, { headers }))).toMatchObject({ code: 'NotAllowed' })
  expect(seen.connections).toBe(1)
})

test('of several addresses only allowed ones are tried', async () => {
  const { port } = await serve((request, response) => response.end(request.socket.localAddress))
  const egress = open(['127.0.0.2'], { lookup: resolver(['127.0.0.1', '::1', '127.0.0.2']) })
  expect((await egress.request(`http://hooks.example:${port}/`)).body.toString()).toContain('127.0.0.2')
})

test('our own ports need an entry of their own', async () => {
  const { port } = await serve()
  const ownPorts = () => [port]
  const url = `http://127.0.0.1:${port}/`
  expect(await catchEgressError(open(['127.0.0.0/8'], { ownPorts }).request(url))).toMatchObject({ code: 'NotAllowed' })
  expect((await open([`127.0.0.1:${port}`], { ownPorts }).request(url)).status).toBe(200)
})

test.each([false, true])('a peer that is refused once it is connected fails the call, TLS: %s', async (tls) => {
  const { port, seen } = await serve(undefined, tls)
  let asked = 0
  // Allowed before the connection, and refused after it.
  const ownPorts = () => (asked++ === 0 ? [] : [port])
  const egress = open(['127.0.0.0/8'], { ownPorts, ca: [testCertificate.cert] })
  const refused = { code: 'NotAllowed' }
  if (tls) expect(await catchEgressError(egress.request(`https://127.0.0.1:${port}/`))).toMatchObject(refused)
  else expect(await catchEgressError(egress.connect({ host: '127.0.0.1', port }))).toMatchObject(refused)
  expect(asked).toBe(2)
  expect(seen.connections).toBe(1)
})

test('a peer that is refused once it is connected receives no TLS handshake', async () => {
  const received: Buffer[] = []
  const server = createPlainServer((socket) => {
    socket.on('data', (data) => received.push(data))
    socket.on('close', () => server.emit('left'))
  }).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  const left = once(server, 'left')
  const { port } = server.address() as AddressInfo
  let asked = 0
  const ownPorts = () => (asked++ === 0 ? [] : [port])
  const socket = open(['127.0.0.0/8'], { ownPorts }).openSocket({ host: '127.0.0.1', port, tls: true }, discard)
  expect(await catchEgressError(once(socket, 'secureConnect'))).toMatchObject({ code: 'NotAllowed' })
  await left
  expect(received).toEqual([])
})

test('a connection that is reset before its owner listens to it is closed, and does not end the process', async () => {
  const server = createPlainServer((socket) => {
    socket.once('data', () => socket.resetAndDestroy())
  }).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = await open(['127.0.0.0/8']).connect({ host: '127.0.0.1', port })
  // Not `once`, which would also listen to errors.
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.write('a')
  await closed
  expect(socket.errored).toMatchObject({ code: 'ECONNRESET' })
})

test('small writes are sent at once', async () => {
  const server = createPlainServer((socket) => {
    let received = 0
    socket.on('data', ({ length }) => {
      received += length
      if (received % 2 === 0) socket.write('.')
    })
  }).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = await open(['127.0.0.0/8']).connect({ host: '127.0.0.1', port })
  closing.push(() => socket.destroy())
  const times: number[] = []
  for (let round = 0; round < 20; round++) {
    const begun = performance.now()
    const answered = once(socket, 'data')
    socket.write('a')
    // The second one would wait for the acknowledgement of the first, which the peer's system delays by 40 ms.
    setImmediate(() => socket.write('b'))
    await answered
    times.push(performance.now() - begun)
  }
  expect(Math.min(...times.slice(10))).toBeLessThan(30)
})

test('a peer that resets each connection immediately fails each call', async () => {
  const server = createPlainServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const egress = open(['127.0.0.0/8'])
  const calls = Array.from({ length: 20 }, () => catchEgressError(egress.request(`http://127.0.0.1:${port}/`)))
  for (const failure of await Promise.all(calls)) expect(failure).toMatchObject({ code: 'Unreachable' })
})

test('a redirect is not followed', async () => {
  const target = await serve()
  const { port } = await serve((_, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${target.port}/secret` }).end('see there')
  })
  const egress = open(['127.0.0.1'])
  const failure = await catchEgressError(egress.request(`http://127.0.0.1:${port}/`))
  expect(failure).toMatchObject({ code: 'Redirect', status: 302 })
  expect(target.seen.connections).toBe(0)
  const { statusCode, body } = await egress.dispatcher.request({
    origin: `http://127.0.0.1:${port}`,
    path: '/',
    method: 'GET',
  })
  await body.dump()
  expect(statusCode).toBe(302)
  expect(target.seen.connections).toBe(0)
})

test('the error of a failed request contains the status but nothing of the answer', async () => {
  const { port } = await serve((_, response) => {
    response.writeHead(403, { 'x-secret': 'secret' }).end('secret of the internal server')
  })
  const failure = await catchEgressError(open(['127.0.0.1']).request(`http://127.0.0.1:${port}/`))
  expect(failure).toMatchObject({ code: 'Status', status: 403, message: `127.0.0.1:${port} answered 403` })
  expect(JSON.stringify({ ...failure, cause: failure.cause, stack: failure.stack })).not.toContain('secret')
})

test('the error of an answer that is not HTTP contains nothing of it', async () => {
  const { createServer } = await import('node:net')
  const server = createServer((socket) => socket.end('SSH-2.0-secret\r\n')).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const failure = await catchEgressError(open(['127.0.0.1']).request(`http://127.0.0.1:${port}/`))
  expect(failure.code).toBe('Unreachable')
  expect(failure.message).not.toContain('SSH')
})

test.each([
  ['an answer that is too long', 'TooLarge', { 'content-length': '100000' }],
  ['an answer without an end', 'TooLarge', {}],
] as const)('%s is aborted', async (_, code, headers) => {
  const { port } = await serve((_request, response) => {
    response.writeHead(200, headers)
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    }
    response.on('drain', more)
    more()
  })
  const call = open(['127.0.0.1']).request(`http://127.0.0.1:${port}/`, { maxBytes: 5_000 })
  expect(await catchEgressError(call)).toMatchObject({ code })
})

test.each<[string, RequestListener]>([
  ['does not answer', () => {}],
  ['does not go on', (_, response) => response.writeHead(200).write('x')],
])('a server that %s times out', async (_, listener) => {
  const { port } = await serve(listener)
  const call = open(['127.0.0.1']).request(`http://127.0.0.1:${port}/`, { timeoutMs: 100 })
  expect(await catchEgressError(call)).toMatchObject({ code: 'TimedOut' })
})

test('a TLS handshake that does not finish times out', async () => {
  const { createServer } = await import('node:net')
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const egress = open(['127.0.0.1'], { connectTimeoutMs: 100 })
  expect(await catchEgressError(egress.connect({ host: '127.0.0.1', port, tls: true }))).toMatchObject({
    code: 'TimedOut',
  })
})

test('aborting ends the request and its connection', async () => {
  const { port } = await serve(() => {})
  const egress = open(['127.0.0.1'])
  const caller = new AbortController()
  const calls = [
    egress.request(`http://127.0.0.1:${port}/`, { signal: caller.signal }),
    egress.connect({ host: '127.0.0.1', port, signal: AbortSignal.abort() }),
  ]
  caller.abort()
  await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject({ name: 'AbortError' })))
})

test.each(['ftp://h/', 'file:///etc/passwd', 'unix:/run/x', '/relative', 'http://user:secret@h/', ''])(
  '%j is not a valid URL for a request',
  async (url) => expect(await catchEgressError(open().request(url))).toMatchObject({ code: 'BadAddress' }),
)

test('a socket connects to no local path', async () => {
  const egress = open()
  for (const connect of [() => egress.socket().connect('/run/x'), () => egress.socket().connect({ path: '/run/x' })])
    expect(await catchEgressError(once(connect(), 'connect'))).toMatchObject({ code: 'BadAddress' })
})

test('a client that connects by itself can use a socket, with every signature of connect', async () => {
  const { port } = await serve()
  const egress = open(['localhost', '127.0.0.1'])
  await once(egress.socket().connect(port, '127.0.0.1'), 'connect')
  await once(
    egress.socket().connect(port, 'localhost', () => {}),
    'connect',
  )
  await once(egress.socket().connect(port), 'connect')
  await new Promise<void>((connected) => egress.socket().connect({ host: 'localhost', port }, connected))
})

test('a client that takes neither socket nor dispatcher gets a checked address', async () => {
  const egress = open([], { lookup: resolver(['127.0.0.1', '10.1.2.3']) })
  expect(await egress.resolve('db.example', 5432)).toBe('10.1.2.3')
  expect(await egress.resolve('10.9.9.9', 5432)).toBe('10.9.9.9')
})

test('a name without an address and a closed port cannot be reached', async () => {
  expect(await catchEgressError(open([], { lookup: resolver([]) }).request('http://x.example/'))).toMatchObject({
    code: 'Unreachable',
  })
  expect(await catchEgressError(open().resolve('does-not-exist.invalid', 80))).toMatchObject({ code: 'Unreachable' })
  const { port } = await serve()
  for (const close of closing.splice(0)) close()
  expect(await catchEgressError(open(['127.0.0.1']).connect({ host: '127.0.0.1', port }))).toMatchObject({
    code: 'Unreachable',
    message: `127.0.0.1:${port} cannot be reached (ECONNREFUSED)`,
  })
})

test('connections are kept for the next request', async () => {
  const { port, seen } = await serve()
  const egress = open(['127.0.0.1'])
  for (let i = 0; i < 10; i++) await egress.request(`http://127.0.0.1:${port}/`)
  // A request that follows immediately may find the first connection still busy with its last byte.
  expect(seen.connections).toBeLessThan(5)
})

test('TLS verifies the certificate for the name, at any address', async () => {
  const { port } = await serve(undefined, true)
  const options = { ca: [testCertificate.cert], lookup: resolver(['127.0.0.1']) }
  const egress = open(['127.0.0.1'], options)
  expect((await egress.request(`https://hooks.example:${port}/`)).body.toString()).toBe('hello')
  const socket = await egress.connect({ host: 'hooks.example', port, tls: true })
  socket.destroy()
  const wrong = ['other.example', '127.0.0.1']
  for (const host of wrong)
    expect(await catchEgressError(egress.connect({ host, port, tls: true }))).toMatchObject({
      message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    })
  const untrusted = open(['127.0.0.1'], { lookup: options.lookup }).request(`https://hooks.example:${port}/`)
  expect(await catchEgressError(untrusted)).toMatchObject({
    message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
  })
})

test.each([false, true])(
  'a client reads into its own buffers, and TLS verifies the certificate; TLS: %s',
  async (tls) => {
    const requests: string[] = []
    const answer: RequestListener = (request, response) => {
      requests.push(request.url ?? '')
      response.end('hello')
    }
    const { port } = await serve(answer, tls)
    const options = { ca: [testCertificate.cert], lookup: resolver(['127.0.0.1']) }
    const ask = async (egress: ReturnType<typeof open>, host: string) => {
      const buffer = Buffer.alloc(4096)
      const read = new Promise<string>((resolve, reject) => {
        const callback = (size: number) => {
          resolve(buffer.toString('latin1', 0, size))
          return true
        }
        const socket = egress.openSocket({ host, port, tls }, { buffer, callback })
        closing.push(() => socket.destroy())
        socket.on('error', reject).write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      })
      return await read
    }
    expect(await ask(open(['127.0.0.1'], options), 'hooks.example')).toContain('200 OK')
    if (!tls) return
    const wrong = ask(open(['127.0.0.1'], options), 'other.example')
    await expect(wrong).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    const untrusted = ask(open(['127.0.0.1'], { lookup: options.lookup }), 'hooks.example')
    await expect(untrusted).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(requests).toEqual(['/'])
  },
)

test('TLS works over a socket that the client opened', async () => {
  const { port } = await serve(undefined, true)
  const socket = open(['127.0.0.1']).socket().connect(port, '127.0.0.1')
  const secure = connectTls({ socket, servername: 'localhost', ca: testCertificate.cert })
  await once(secure, 'secureConnect')
  secure.destroy()
})

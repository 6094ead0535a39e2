import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resources } from '@stowage/kube'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { callFailure } from '../../support/console/caller.ts'
import { newNodePort } from '../../support/operator/node-port.ts'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

/** Larger than what is forwarded by streams. */
const FILE = randomBytes(5 << 20)

let o: TestOperator
let folder: string
let hostile: Hostile
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-consoles-'))
  hostile = await startHostile()
  o = await startOperator({
    env: { STOWAGE_TENANT_URL: 'http://127.0.0.1:{nodePort}', STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
  })
})
afterAll(async () => {
  await o?.[Symbol.asyncDispose]()
  await hostile?.close()
  await rm(folder, { recursive: true, force: true })
})

interface Hostile {
  port: number
  /** Requests that it received, newest last. */
  seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
  logins: number
  /** Closes all connections. */
  cut(): void
  /** Resolves when a running answer has lost its connection. */
  closed(): Promise<void>
  close(): Promise<void>
}

/** A malicious console of a tenant. */
async function startHostile(): Promise<Hostile> {
  const seen: Hostile['seen'] = []
  const state = { logins: 0 }
  let token = ''
  const server: Server = createServer((request, response) => void answer(request, response))
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
    if (url === '/api/v1/login') {
      token = `token-${++state.logins}`
      response.writeHead(204, { 'set-cookie': [`token=${token}; Path=/; HttpOnly`, 'other=1; Path=/'] }).end()
    } else if (headers.cookie !== `token=${token}`) response.writeHead(401).end('who are you')
    else if (url === '/expire') {
      token = 'none'
      response.end('expired')
    } else if (url === '/away') response.writeHead(302, { location: '/deeper?x=1' }).end()
    else if (url === '/leave') response.writeHead(302, { location: '//evil.example/?' }).end('moved')
    else if (url === '/range') response.writeHead(206, { 'content-range': 'bytes 0-1/5' }).end('he')
    else if (url === '/teapot') response.writeHead(418).end('short and stout')
    else if (url === '/big') {
      response.writeHead(200)
      response.write('x'.repeat(1 << 20))
    } else if (/^\/file|download\?prefix=file$/.test(url))
      response.writeHead(200, { 'content-length': FILE.length }).end(FILE)
    else if (/^\/half|download\?prefix=half$/.test(url)) {
      response.writeHead(200, { 'content-length': FILE.length })
      response.write(FILE.subarray(0, FILE.length / 2))
      response.once('close', () => server.emit('cut-off'))
    } else
      response
        .writeHead(200, {
          'set-cookie': ['token=planted; Path=/', 'stowage-9090=planted; Path=/'],
          'content-security-policy': "default-src 'self'; frame-ancestors *",
          'x-frame-options': 'DENY',
          'service-worker-allowed': '/',
          'clear-site-data': '"*"',
          'strict-transport-security': 'max-age=1',
          'access-control-allow-origin': '*',
          'cache-control': 'max-age=60',
          link: '<https://evil.example/>; rel=prefetch',
          refresh: '0; url=https://evil.example/',
        })
        .end(`you asked for ${url}`)
  }
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, { headers }) => {
    socket.on('message', (text) => socket.send(`${headers.cookie} said ${text}`))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    get logins() {
      return state.logins
    },
    cut: () => server.closeAllConnections(),
    closed: async () => void (await once(server, 'cut-off')),
    async close() {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}

async function newTenant(type = 'NodePort') {
  const namespace = await o.newNamespace()
  const pool = { servers: 4, volumes_per_server: 2, volume_configuration: { size: 26843545600 } }
  await o.admin.call('createTenant', { body: { name: 'alpha', namespace, pools: [pool] } })
  const spec =
    type === 'ExternalName'
      ? { type, externalName: 'metadata.example' }
      : { type, ports: [{ name: 'https-console', port: 9443, nodePort: await newNodePort(hostile.port) }] }
  await o.kube.create(resources.services, { metadata: { name: 'alpha-console', namespace }, spec })
  return { namespace, tenant: 'alpha' }
}

interface Opened {
  origin: string
  base: string
  cookie: string
}

/** Opens a tenant's console like a browser. */
async function open(params: { namespace: string; tenant: string }, caller = o.admin): Promise<Opened> {
  const { url } = await caller.call('openTenantConsole', { params, body: { page: 'console' } })
  const answer = await fetch(url, { redirect: 'manual' })
  expect(answer.status).toBe(303)
  const { origin, pathname } = new URL(url)
  return { origin, base: pathname, cookie: (answer.headers.get('set-cookie') ?? '').replace(/;.*/, '') }
}

const get = async ({ origin, base, cookie }: Opened, path: string, init: RequestInit = {}) =>
  await fetch(`${origin}${base}${path}`, { redirect: 'manual', ...init, headers: { cookie, ...init.headers } })

test("a tenant's console is shown with its status, ranges and bodies, only below its path [TNT-20]", async () => {
  const params = await newTenant()
  const { url } = await o.admin.call('openTenantConsole', { params, body: { page: 'console' } })
  const { pathname, searchParams, origin } = new URL(url)
  expect([pathname, searchParams.get('cp')]).toEqual([`/api/proxy/${params.namespace}/alpha/`, 'y'])
  expect(origin).not.toBe(new URL(o.url).origin)
  const opened = await open(params)
  expect(await (await get(opened, 'a//b%2Fc/api/proxy/x?cp=y')).text()).toBe('you asked for /a//b%2Fc/api/proxy/x?cp=y')
  expect((await get(opened, 'teapot')).status).toBe(418)
  const part = await get(opened, 'range', { headers: { range: 'bytes=0-1' } })
  expect([part.status, part.headers.get('content-range'), hostile.seen.at(-1)?.headers.range]).toEqual([
    206,
    'bytes 0-1/5',
    'bytes=0-1',
  ])
  expect((await get(opened, 'away')).headers.get('location')).toBe(`${pathname}deeper?x=1`)
  await get(opened, 'save', { method: 'PUT', body: 'a body' })
  expect(hostile.seen.at(-1)).toMatchObject({ method: 'PUT', url: '/save', body: 'a body' })
})

// The paths of downloads are forwarded without streams.
test.each(['', 'api/v1/buckets/media/objects/download?prefix='])(
  'a large file at %s arrives whole, and one that breaks off or whose login ends does not look whole',
  async (path) => {
    const caller = await o.signIn(o.sandbox.token)
    const opened = await open(await newTenant(), caller)
    const whole = await get(opened, `${path}file`)
    expect(whole.headers.get('content-length')).toBe(String(FILE.length))
    expect(FILE.equals(Buffer.from(await whole.arrayBuffer()))).toBe(true)
    const half = await get(opened, `${path}half`)
    hostile.cut()
    await expect(half.arrayBuffer()).rejects.toThrow()
    const running = await get(opened, `${path}half`)
    const closed = hostile.closed()
    await caller.call('logout', {})
    await expect(running.arrayBuffer()).rejects.toThrow()
    await closed
  },
)

test('nothing of the operator reaches a tenant, and nothing that a tenant sets reaches the browser', async () => {
  const opened = await open(await newTenant())
  const headers = { authorization: `Bearer ${o.admin.session}`, referer: `${o.url}/tenants`, origin: opened.origin }
  const answer = await get(opened, 'page', { headers: { ...headers, cookie: `${opened.cookie}; token=own; a=b` } })
  const sent = hostile.seen.at(-1)
  expect(sent?.headers).not.toHaveProperty('authorization')
  expect(sent?.headers).not.toHaveProperty('referer')
  expect(sent?.headers).not.toHaveProperty('origin')
  expect(sent?.headers.cookie).toMatch(/^token=token-\d+$/)
  for (const name of [
    'set-cookie',
    'x-frame-options',
    'service-worker-allowed',
    'clear-site-data',
    'strict-transport-security',
    'access-control-allow-origin',
    'link',
    'refresh',
  ])
    expect([name, answer.headers.get(name)]).toEqual([name, null])
  // All tenants share this origin, and so a cache that their scripts can read.
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const policy = answer.headers.get('content-security-policy')
  expect(policy).toContain(`frame-ancestors 'self' ${o.url}`)
  expect(policy).toContain('sandbox allow-scripts')
  expect(policy).not.toContain('frame-ancestors *')
})

test('a redirect of a tenant to another host is not followed, and the page names it', async () => {
  const opened = await open(await newTenant())
  const answer = await get(opened, 'leave')
  expect([answer.status, answer.headers.get('location'), answer.headers.get('content-type')]).toEqual([
    502,
    null,
    'text/plain; charset=utf-8',
  ])
  expect(await answer.text()).toContain('redirects to another host, which is not opened here: //evil.example/?')
})

test('an expired login is renewed once for any number of calls', async () => {
  const opened = await open(await newTenant())
  await (await get(opened, 'expire')).text()
  const before = hostile.logins
  const all = await Promise.all([1, 2, 3].map((n) => get(opened, `page${n}`)))
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(hostile.logins).toBe(before + 1)
})

test('a login is valid for one tenant and one browser, and ends with sign-out', async () => {
  const caller = await o.signIn(o.sandbox.token)
  const [a, b] = [await newTenant(), await newTenant()]
  const first = await open(a, caller)
  expect((await get({ ...first, cookie: '' }, '')).status).toBe(401)
  expect((await get({ ...first, cookie: 'stowage-tenant=made-up' }, '')).status).toBe(401)
  expect((await get({ ...first, base: `/api/proxy/${b.namespace}/alpha/` }, '')).status).toBe(401)
  const running = await get(first, 'big')
  const other = await open(await newTenant())
  const second = await open(b, caller)
  // Both would be shown at the same origin, where scripts of one could use the login of the other.
  expect((await get(first, '')).status).toBe(401)
  await expect(running.text()).rejects.toThrow()
  expect((await get(second, '')).status).toBe(200)
  await caller.call('logout', {})
  expect((await get(second, '')).status).toBe(401)
  expect((await get(other, '')).status).toBe(200)
})

test('another site cannot redeem a ticket, and what the previous tenant has stored is deleted with it', async () => {
  const { url } = await o.admin.call('openTenantConsole', { params: await newTenant(), body: {} })
  const { origin, pathname, search } = new URL(url)
  const opened = { origin, base: pathname, cookie: '' }
  for (const dest of ['document', 'image'])
    expect(await raw(opened, search, 'GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': dest })).toBe(403)
  const answer = await fetch(url, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('clear-site-data')]).toEqual([303, '"storage"'])
})

test('a ticket opens a console once, and only that of its tenant', async () => {
  const params = await newTenant()
  const { url } = await o.admin.call('openTenantConsole', { params, body: {} })
  const elsewhere = new URL(url)
  elsewhere.pathname = '/api/proxy/other/alpha/'
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(303)
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(403)
  const next = await o.admin.call('openTenantConsole', { params, body: {} })
  elsewhere.search = new URL(next.url).search
  expect((await fetch(elsewhere, { redirect: 'manual' })).status).toBe(403)
})

test('other sites can neither read, make changes nor open sockets there, and it is only shown in a frame', async () => {
  const opened = await open(await newTenant())
  const before = hostile.seen.length
  const tried: [string, Record<string, string>][] = [
    ['POST', { 'sec-fetch-site': 'same-site' }],
    ['POST', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' }],
    ['POST', { origin: o.url }],
    ['GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'script' }],
    ['GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty' }],
    ['HEAD', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
    ['GET', { origin: o.url }],
    ['GET', { 'sec-fetch-dest': 'document' }],
    ['GET', { 'service-worker': 'script' }],
    ['GET', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'sharedworker' }],
  ]
  for (const [method, headers] of tried)
    expect([headers, await raw(opened, 'x', method, headers)]).toEqual([headers, 403])
  expect(await raw(opened, '', 'GET', { host: 'other.example' })).toBe(401)
  expect(await raw({ ...opened, base: '/' }, 'api/v1/session')).toBe(404)
  expect(await raw({ ...opened, base: '/api/proxy/../../' }, '')).toBe(404)
  expect(hostile.seen.length).toBe(before)
  const socket = new WebSocket(`${opened.origin.replace('http', 'ws')}${opened.base}ws/x`, {
    headers: { cookie: opened.cookie, origin: o.url },
  })
  const [error] = await once(socket, 'error')
  expect(String(error)).toContain('403')
  expect(await raw(opened, 'x', 'GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' })).toBe(200)
  expect(await raw(opened, 'x', 'GET', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'script' })).toBe(200)
})

test('WebSockets are forwarded with the login of the tenant', async () => {
  const opened = await open(await newTenant())
  const socket = new WebSocket(`${opened.origin.replace('http', 'ws')}${opened.base}ws/x`, {
    headers: { cookie: `${opened.cookie}; token=own`, origin: opened.origin },
  })
  await once(socket, 'open')
  socket.send('hello')
  const [text] = await once(socket, 'message')
  expect(String(text)).toMatch(/^token=token-\d+ said hello$/)
  const closed = once(socket, 'close')
  await open(await newTenant())
  await closed
})

test('the address of the original leads there for the operator, but not for other sites', async () => {
  const params = await newTenant()
  const path = `${o.url}/api/proxy/${params.namespace}/alpha/metrics?cp=y`
  const headers = { authorization: `Bearer ${o.admin.session}` }
  const answer = await fetch(path, { headers, redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/\/api\/proxy\/ns-[^/]+\/alpha\/metrics\?cp=y&ticket=/),
  ])
  expect((await fetch(path, { redirect: 'manual' })).status).toBe(401)
  const foreign = await fetch(path, { headers: { ...headers, 'sec-fetch-site': 'same-site' }, redirect: 'manual' })
  expect(foreign.status).toBe(403)
})

test('opening a console needs the right to read the credentials, and uses the address in the cluster', async () => {
  const params = await newTenant()
  const rule = (apiGroup: string, resource: string) => ({
    apiGroups: [apiGroup],
    resources: [resource],
    verbs: ['get'],
  })
  const body = {}
  const failed = async (caller: typeof o.admin, at = params) =>
    await callFailure(caller.call('openTenantConsole', { params: at, body }))
  const { namespace } = params
  const noSecrets = await o.signInWith([rule('minio.min.io', 'tenants'), rule('', 'services')], namespace)
  const before = hostile.logins
  expect((await failed(noSecrets)).status).toBe(403)
  expect(
    (await failed(await o.signInWith([rule('minio.min.io', 'tenants'), rule('', 'secrets')], namespace))).status,
  ).toBe(403)
  const elsewhere = await failed(o.admin, await newTenant('ExternalName'))
  expect([elsewhere.status, elsewhere.body.reason?.id]).toEqual([502, 'tenant-console-elsewhere'])
  expect(hostile.logins).toBe(before)
})

/** Returns the status of a request with headers that `fetch` would not send. */
async function raw(
  { origin, base, cookie }: Opened,
  path: string,
  method = 'GET',
  headers: Record<string, string> = {},
): Promise<number> {
  const { hostname, port } = new URL(origin)
  const sent = httpRequest({ hostname, port, path: base + path, method, headers: { cookie, ...headers } }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode ?? 0
}

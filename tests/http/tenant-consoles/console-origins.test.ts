import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { resources } from '@stowage/kube'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startHostileTenant } from '../../support/operator/hostile-tenant.ts'
import { newNodePort } from '../../support/operator/node-port.ts'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'
import { freePort } from '../../support/processes/ports.ts'

const OWN = 'http://console.example.com'

let o: TestOperator
let hostile: Awaited<ReturnType<typeof startHostileTenant>>
let port: string
beforeAll(async () => {
  hostile = await startHostileTenant()
  port = await freePort()
  o = await startOperator({
    env: {
      STOWAGE_TENANT_URL: 'http://127.0.0.1:{nodePort}',
      STOWAGE_EGRESS_ALLOW: '127.0.0.1',
      STOWAGE_PUBLIC_URL: OWN,
      STOWAGE_PROXY_URL: 'http://{tenant}.tenants.example.com',
      STOWAGE_PROXY_PORT: port,
    },
  })
})
afterAll(async () => {
  await o?.[Symbol.asyncDispose]()
  await hostile?.[Symbol.asyncDispose]()
})

async function newTenant() {
  const namespace = await o.newNamespace()
  const pool = { servers: 4, volumes_per_server: 2, volume_configuration: { size: 26843545600 } }
  await o.admin.call('createTenant', { body: { name: 'alpha', namespace, pools: [pool] } })
  const nodePort = await newNodePort(hostile.port)
  const spec = { type: 'NodePort', ports: [{ name: 'https-console', port: 9443, nodePort }] }
  await o.kube.create(resources.services, { metadata: { name: 'alpha-console', namespace }, spec })
  return { namespace, tenant: 'alpha' }
}

/** Sends a request for a host, as a proxy in front forwards it. */
async function ask(at: string, path: string, host: string, headers: Record<string, string> = {}) {
  const sent = httpRequest(`${at}${path}`, { headers: { host, ...headers } }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return { status: answer.statusCode, headers: answer.headers }
}

async function open() {
  const params = await newTenant()
  const { url } = await o.admin.call('openTenantConsole', { params, body: {} })
  const { host, pathname, search } = new URL(url)
  const answer = await ask(`http://127.0.0.1:${port}`, pathname + search, host)
  expect(answer.status).toBe(303)
  const [cookie = ''] = answer.headers['set-cookie'] ?? []
  return { host, base: pathname, cookie }
}

const show = async (base: string, host: string, cookie: string) =>
  await ask(`http://127.0.0.1:${port}`, base, host, { cookie: cookie.replace(/;.*/, '') })

test('with {tenant} each tenant has an origin, where it stays open beside others', async () => {
  const [first, second] = [await open(), await open()]
  for (const { host } of [first, second]) expect(host).toMatch(/^t[0-9a-f]{20}\.tenants\.example\.com$/)
  expect(first.host).not.toBe(second.host)
  const answers = [
    await show(first.base, first.host, first.cookie),
    await show(second.base, second.host, second.cookie),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  // Only the console frames it; the cookie is for this host alone.
  expect(answers[0]?.headers['content-security-policy']).toContain(`frame-ancestors 'self' ${OWN}`)
  expect(first.cookie).not.toMatch(/domain/i)
  const page = await ask(o.url, '/tenants', 'console.example.com')
  expect(page.headers['content-security-policy']).toMatch(/frame-src [^;]*http:\/\/\*\.tenants\.example\.com/)
})

test('the login at a tenant is worth nothing at the origin of another, nor at that of the console', async () => {
  const [first, second] = [await open(), await open()]
  expect((await show(first.base, second.host, first.cookie)).status).toBe(401)
  expect((await show(second.base, second.host, first.cookie)).status).toBe(401)
  expect((await show(first.base, 'console.example.com', first.cookie)).status).toBe(401)
  const calls = await ask(o.url, '/api/v1/tenants', 'console.example.com', { cookie: first.cookie.replace(/;.*/, '') })
  expect(calls.status).toBe(401)
  expect((await show(first.base, first.host, first.cookie)).status).toBe(200)
})

import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { resources, tenants } from '@stowage/kube'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestCaller } from '../support/console/caller.ts'
import { openLiveClient } from '../support/console/live-socket.ts'
import { type StandaloneStore, startStore } from '../support/console/start-store.ts'
import { newNodePort } from '../support/operator/node-port.ts'
import { startOperator, type TestOperator } from '../support/operator/start-operator.ts'

/*
 * The token of an operator is revoked while tenants are open. If the hole were open, the operator would keep every tenant: at a
 * second console with the same secret, after a restart, or by a socket that asks for nothing.
 */

const SECRET = 'a-secret-of-two-consoles-that-is-long-enough'
let o: TestOperator
let second: Awaited<ReturnType<TestOperator['secondConsole']>>
let store: StandaloneStore
beforeAll(async () => {
  store = await startStore()
  o = await startOperator({
    stopTimeouts: true,
    env: {
      STOWAGE_SECRET: SECRET,
      STOWAGE_TENANT_URL: 'http://127.0.0.1:{nodePort}',
      STOWAGE_EGRESS_ALLOW: '127.0.0.1',
    },
  })
  second = await o.secondConsole()
})
afterAll(async () => {
  await second?.[Symbol.asyncDispose]()
  await o?.[Symbol.asyncDispose]()
  await store?.[Symbol.asyncDispose]()
})

/** Creates a tenant whose storage is the test's store. */
async function newTenant() {
  const namespace = await o.newNamespace()
  const nodePort = await newNodePort(Number(new URL(store.url).port))
  const name = 'alpha-env-configuration'
  const text = 'export MINIO_ROOT_USER="rootuser"\nexport MINIO_ROOT_PASSWORD="rootpassword"\n'
  const data = { 'config.env': Buffer.from(text).toString('base64') }
  await o.kube.create(resources.secrets, { metadata: { name, namespace }, data })
  const volumeClaimTemplate = { spec: { resources: { requests: { storage: '1Gi' } } } }
  const pools = [{ name: 'pool-0', servers: 4, volumesPerServer: 2, volumeClaimTemplate }]
  await o.kube.create(tenants, {
    metadata: { name: 'alpha', namespace },
    spec: { pools, configuration: { name }, requestAutoCert: false },
  })
  const spec = { type: 'NodePort', ports: [{ port: 80, nodePort }] }
  await o.kube.create(resources.services, { metadata: { name: 'minio', namespace }, spec })
  return { namespace, tenant: 'alpha' }
}
type At = Awaited<ReturnType<typeof newTenant>>

const get = (apiGroup: string, resource: string) => ({ apiGroups: [apiGroup], resources: [resource], verbs: ['get'] })
const OPENS = [get('minio.min.io', 'tenants'), get('', 'services'), get('', 'secrets')]

/** Sends what a browser sends to one of the consoles behind a balancer. */
async function browse(url: string, path: string, cookie: string, body?: object) {
  const headers = {
    host: 'console.example',
    cookie,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
  }
  const sent = httpRequest(url + path, { method: body ? 'POST' : 'GET', headers }).end(body && JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  const cookies = (answer.headers['set-cookie'] ?? []).filter((line) => !line.includes('Max-Age=0'))
  return { status: answer.statusCode ?? 0, cookie: cookies.map((line) => line.replace(/;.*/, '')).join('; ') }
}

/** A browser that has signed in and opened a tenant: its cookies. */
async function openInBrowser({ namespace, tenant }: At): Promise<string> {
  const jwt = await o.newToken(OPENS, namespace)
  const operator = await browse(o.url, '/api/v1/login/operator', '', { jwt })
  const own = await browse(o.url, `/api/v1/namespaces/${namespace}/tenants/${tenant}/session`, operator.cookie, {})
  return `${operator.cookie}; ${own.cookie}`
}

const listAt = async (url: string, { namespace, tenant }: At, cookie: string): Promise<number> =>
  (await browse(url, `/tenant/${namespace}/${tenant}/api/v1/buckets`, cookie)).status

async function revokeTokens({ namespace }: At): Promise<void> {
  const { objects } = await o.kube.list(resources.serviceAccounts, { namespace })
  for (const { metadata } of objects.filter(({ metadata: { name } }) => name.startsWith('account')))
    await o.kube.delete(resources.serviceAccounts, { namespace, name: metadata.name })
}

test('a tenant that was opened elsewhere ends at this console too, within a minute', async () => {
  const at = await newTenant()
  const cookie = await openInBrowser(at)
  expect(await listAt(second.url, at, cookie)).toBe(200)
  await revokeTokens(at)
  const after = async () => {
    await second.pass(60_000)
    return await listAt(second.url, at, cookie)
  }
  await expect.poll(after, { timeout: 30_000 }).toBe(401)
})

test('a revoked token opens nothing at a console that already shows the tenant to others', async () => {
  const at = await newTenant()
  const { namespace, tenant } = at
  const cookie = await openInBrowser(at)
  expect(await listAt(o.url, at, cookie)).toBe(200)
  await second.admin.call('openTenantHere', { params: { namespace, tenant }, body: {} })
  await revokeTokens(at)
  // A real API server keeps the result of its check for ten seconds.
  await expect.poll(() => listAt(second.url, at, cookie), { timeout: 30_000 }).toBe(401)
})

test('a session of a script is accepted only where its token is checked', async () => {
  const { namespace, tenant } = await newTenant()
  const { path, sessionId } = await o.admin.call('openTenantHere', { params: { namespace, tenant }, body: {} })
  await second.admin.call('openTenantHere', { params: { namespace, tenant }, body: {} })
  const here = new TestCaller(`${o.url}/${path.replace(/\/$/, '')}`, sessionId)
  const there = new TestCaller(`${second.url}/${path.replace(/\/$/, '')}`, sessionId)
  expect((await here.send('listBuckets', {})).status).toBe(200)
  expect((await there.send('listBuckets', {})).status).toBe(401)
})

test('a socket that asks for nothing ends when the token is revoked', async () => {
  const { namespace, tenant } = await newTenant()
  const caller = await o.signInWith(OPENS, namespace)
  const { path, sessionId } = await caller.call('openTenantHere', { params: { namespace, tenant }, body: {} })
  const here = new TestCaller(`${o.url}/${path.replace(/\/$/, '')}`, sessionId)
  await using live = await openLiveClient(here, 'trace', { query: {} })
  let isClosed = false
  void live.closed.then(() => (isClosed = true))
  await revokeTokens({ namespace, tenant })
  const after = async () => {
    await o.pass(60_000)
    return isClosed
  }
  await expect.poll(after, { timeout: 30_000 }).toBe(true)
})

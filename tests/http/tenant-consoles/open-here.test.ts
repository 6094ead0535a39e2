import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { resources, tenants } from '@stowage/kube'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callFailure, TestCaller } from '../../support/console/caller.ts'
import { openLiveClient } from '../../support/console/live-socket.ts'
import { type StandaloneStore, startStore } from '../../support/console/start-store.ts'
import { startVictimTenant, VICTIM_SECRET } from '../../support/operator/hostile-tenant.ts'
import { newNodePort } from '../../support/operator/node-port.ts'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'
import { freePort } from '../../support/processes/ports.ts'

let o: TestOperator
let store: StandaloneStore
beforeAll(async () => {
  store = await startStore()
  o = await startOperator({
    stopTimeouts: true,
    env: { STOWAGE_TENANT_URL: 'http://127.0.0.1:{nodePort}', STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
  })
})
afterAll(async () => {
  await o?.[Symbol.asyncDispose]()
  await store?.[Symbol.asyncDispose]()
})

interface At {
  namespace: string
  tenant: string
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A tenant whose storage is the test's store, or what else listens at a port. */
async function newTenant({
  port,
  password = 'rootpassword',
  type = 'NodePort',
}: {
  port?: number
  password?: string
  type?: string
} = {}) {
  const namespace = await o.newNamespace()
  const nodePort = port ?? (await newNodePort(Number(new URL(store.url).port)))
  const text = `export MINIO_ROOT_USER="rootuser"\nexport MINIO_ROOT_PASSWORD="${password}"\n`
  const name = 'alpha-env-configuration'
  await o.kube.create(resources.secrets, { metadata: { name, namespace }, data: { 'config.env': base64(text) } })
  const pools = [
    {
      name: 'pool-0',
      servers: 4,
      volumesPerServer: 2,
      volumeClaimTemplate: { spec: { resources: { requests: { storage: '1Gi' } } } },
    },
  ]
  await o.kube.create(tenants, {
    metadata: { name: 'alpha', namespace },
    spec: { pools, configuration: { name }, requestAutoCert: false },
  })
  const spec =
    type === 'ExternalName' ? { type, externalName: 'metadata.example' } : { type, ports: [{ port: 80, nodePort }] }
  await o.kube.create(resources.services, { metadata: { name: 'minio', namespace }, spec })
  return { namespace, tenant: 'alpha' }
}

/** A script's caller of the screens of a tenant. */
async function openHere(params: At, caller = o.admin): Promise<TestCaller> {
  const { path, sessionId } = await caller.call('openTenantHere', { params, body: {} })
  expect(path).toBe(`tenant/${params.namespace}/${params.tenant}/`)
  return new TestCaller(`${o.url}/${path.replace(/\/$/, '')}`, sessionId)
}

/** A request with the headers that a browser sends. */
async function browse(path: string, { method = 'GET', body = '', ...headers }: Record<string, string> = {}) {
  const sent = httpRequest(`${o.url}${path}`, {
    method,
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
  }).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const text = (await answer.toArray()).join('')
  const cookies = (answer.headers['set-cookie'] ?? []).filter((line) => !line.includes('Max-Age=0'))
  return { status: answer.statusCode ?? 0, headers: answer.headers, text, cookies }
}

/** An operator signed in in a browser: its cookie. */
async function browserOperator(): Promise<string> {
  const body = JSON.stringify({ jwt: o.sandbox.token })
  const { cookies } = await browse('/api/v1/login/operator', { method: 'POST', body })
  return cookies[0]?.replace(/;.*/, '') ?? ''
}

const openInBrowser = async ({ namespace, tenant }: At, cookie: string) =>
  await browse(`/api/v1/namespaces/${namespace}/tenants/${tenant}/session`, { method: 'POST', body: '{}', cookie })

test('our own screens for a tenant work in its store, with keys that are temporary', async () => {
  const here = await openHere(await newTenant())
  const bucket = o.freshName('here')
  await here.call('createBucket', { body: { name: bucket } })
  const { buckets } = await here.call('listBuckets', {})
  expect(buckets.map(({ name }) => name)).toContain(bucket)
  const session = await here.call('getSession', {})
  expect(session).toMatchObject({ user: 'rootuser', operator: false, tenant: { name: 'alpha' } })
  expect(session.pages).not.toContain('/account/change-password')
  await using live = await openLiveClient(here, 'trace', { query: {} })
  await here.call('logout', {})
  expect((await live.closed).code).toBe(1008)
  expect((await callFailure(here.call('listBuckets', {}))).status).toBe(401)
  // Signing out there ends nothing here.
  expect((await o.admin.call('getSession', {})).operator).toBe(true)
})

test('a browser keeps the session in a cookie of that path with a name of its own', async () => {
  const params = await newTenant()
  const operator = await browserOperator()
  const opened = await openInBrowser(params, operator)
  expect(opened.text).not.toContain('s1.')
  expect(opened.cookies).toHaveLength(1)
  const [line = ''] = opened.cookies
  const base = `/tenant/${params.namespace}/alpha/`
  expect(line).toContain(`; Path=${base};`)
  expect(line).toContain('HttpOnly')
  const own = line.replace(/;.*/, '')
  expect(own.replace(/=.*/, '')).not.toBe(operator.replace(/=.*/, ''))
  const both = `${operator}; ${own}`
  expect((await browse(`${base}api/v1/buckets`, { cookie: both })).status).toBe(200)
  const page = await browse(`${base}buckets`, { cookie: both, 'sec-fetch-dest': 'document' })
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  // Neither counts without the other, nor as the other.
  expect((await browse(`${base}api/v1/buckets`, { cookie: own })).status).toBe(401)
  expect((await browse(`${base}api/v1/buckets`, { cookie: operator })).status).toBe(401)
  expect((await browse('/api/v1/tenants', { cookie: own })).status).toBe(401)
  const foreign = await browse(`${base}api/v1/buckets`, { cookie: `${await browserOperator()}; ${own}` })
  expect(foreign.status).toBe(401)
})

test('the screens end with the operator, sockets and all', async () => {
  const params = await newTenant()
  const caller = await o.signIn(o.sandbox.token)
  const here = await openHere(params, caller)
  const other = await openHere(params)
  await using live = await openLiveClient(here, 'trace', { query: {} })
  await caller.call('logout', {})
  expect((await live.closed).code).toBe(1008)
  expect((await callFailure(here.call('listBuckets', {}))).status).toBe(401)
  expect((await other.call('getSession', {})).user).toBe('rootuser')
})

const get = (apiGroup: string, resource: string) => ({ apiGroups: [apiGroup], resources: [resource], verbs: ['get'] })
const OPENS = [get('minio.min.io', 'tenants'), get('', 'services'), get('', 'secrets')]

/** Deletes the service accounts of a namespace, and with them their tokens. */
async function revokeTokens(namespace: string) {
  const { objects } = await o.kube.list(resources.serviceAccounts, { namespace })
  for (const { metadata } of objects.filter(({ metadata: { name } }) => name.startsWith('account')))
    await o.kube.delete(resources.serviceAccounts, { namespace, name: metadata.name })
}

test('an open tenant ends within a minute when the token of its operator is revoked', async () => {
  await using web = await startVictimTenant()
  const params = await newTenant()
  const { namespace } = params
  const port = await newNodePort(web.port)
  await o.kube.create(resources.services, {
    metadata: { name: 'alpha-console', namespace },
    spec: { type: 'NodePort', ports: [{ name: 'http-console', port: 9090, nodePort: port }] },
  })
  const caller = await o.signInWith(OPENS, namespace)
  const other = await o.signInWith(OPENS, namespace)
  const here = await openHere(params, caller)
  const { url } = await other.call('openTenantConsole', { params, body: {} })
  const cookie = (await fetch(url, { redirect: 'manual' })).headers.get('set-cookie')?.replace(/;.*/, '') ?? ''
  const show = async () => await fetch(url.replace(/\?.*/, ''), { headers: { cookie } })
  expect(await (await show()).text()).toContain(VICTIM_SECRET)
  await here.call('listBuckets', {})

  await revokeTokens(namespace)
  // Neither uses the token.
  expect((await show()).status).toBe(200)
  await here.call('listBuckets', {})
  await o.pass(60_000)
  // A real API server keeps the result of its check for ten seconds.
  const after = async () => {
    await o.pass(60_000)
    return [(await show()).status, (await here.send('listBuckets', {})).status]
  }
  await expect.poll(after, { timeout: 30_000 }).toEqual([401, 401])
})

test('an open tenant ends with the first call that the API server refuses', async () => {
  const params = await newTenant()
  const caller = await o.signInWith(OPENS, params.namespace)
  const here = await openHere(params, caller)
  await here.call('listBuckets', {})
  await revokeTokens(params.namespace)
  const read = async () => (await caller.send('getTenant', { params })).status
  await expect.poll(read, { timeout: 30_000 }).toBe(401)
  expect((await here.send('listBuckets', {})).status).toBe(401)
  expect((await callFailure(caller.call('getSession', {}))).body.detailedReason?.id).toBe('session-ended')
})

test('a session opens the tenant that it was made for, and no other', async () => {
  const [a, b] = [await newTenant(), await newTenant()]
  const here = await openHere(a)
  await openHere(b)
  const elsewhere = new TestCaller(`${o.url}/tenant/${b.namespace}/alpha`, here.session)
  expect((await callFailure(elsewhere.call('listBuckets', {}))).status).toBe(401)
  expect((await callFailure(new TestCaller(o.url, here.session).call('listTenants', { query: {} }))).status).toBe(401)
  expect((await callFailure(new TestCaller(here.url, o.admin.session).call('listBuckets', {}))).status).toBe(401)
  const authorization = `Bearer ${here.session}`
  for (const path of [`/tenant/${a.namespace}%2Falpha/x/api/v1/buckets`, '/tenant/A/b/api/v1/buckets'])
    expect([path, (await browse(path, { authorization })).status]).toEqual([path, 404])
})

test('nobody signs in there with other keys, and pages without a session lead to the operator', async () => {
  const params = await newTenant()
  const here = await openHere(params)
  const stranger = new TestCaller(here.url)
  const keys = { accessKey: 'rootuser', secretKey: 'rootpassword' }
  expect((await callFailure(stranger.call('login', { body: keys }))).body.detailedReason?.id).toBe(
    'tenant-screens-ended',
  )
  const strategy = await stranger.call('getLoginStrategy', {})
  expect(strategy).toMatchObject({ tenant: { namespace: params.namespace, name: 'alpha' } })
  const hop = `/namespaces/${params.namespace}/tenants/alpha/hop`
  expect(new URL(strategy.redirect, `${here.url}/`).pathname).toBe(hop)
  const page = await browse(`/tenant/${params.namespace}/alpha/buckets`, { 'sec-fetch-dest': 'document' })
  expect([page.status, page.headers.location]).toEqual([303, hop])
  const unknown = await browse('/tenant/nobody/knows/api/v1/buckets')
  expect(unknown.status).toBe(401)
})

test('screens that are not in memory any more are made again, once for all requests of a page', async () => {
  const first = await newTenant()
  const operator = await browserOperator()
  const { cookies } = await openInBrowser(first, operator)
  const cookie = [operator, ...cookies.map((line) => line.replace(/;.*/, ''))].join('; ')
  // More than the console keeps in memory.
  for (const other of await Promise.all(Array.from({ length: 16 }, () => newTenant()))) await openHere(other)
  const path = `/tenant/${first.namespace}/${first.tenant}/api/v1/buckets`
  const answers = await Promise.all(Array.from({ length: 6 }, () => browse(path, { cookie })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
})

test('pages of other sites open nothing', async () => {
  const { namespace, tenant } = await newTenant()
  const cookie = await browserOperator()
  const path = `/api/v1/namespaces/${namespace}/tenants/${tenant}/session`
  for (const site of ['same-site', 'cross-site'])
    expect((await browse(path, { method: 'POST', body: '{}', cookie, 'sec-fetch-site': site })).status).toBe(403)
})

test('only who may read the keys opens a tenant, and no keys leave for another host', async () => {
  const params = await newTenant()
  const rule = (apiGroup: string, resource: string) => ({
    apiGroups: [apiGroup],
    resources: [resource],
    verbs: ['get'],
  })
  const body = {}
  const open = async (caller: TestCaller, at: At) =>
    await callFailure(caller.call('openTenantHere', { params: at, body }))
  const noSecrets = await o.signInWith([rule('minio.min.io', 'tenants'), rule('', 'services')], params.namespace)
  expect((await open(noSecrets, params)).status).toBe(403)
  expect(await open(o.admin, await newTenant({ type: 'ExternalName' }))).toMatchObject({
    status: 502,
    body: { reason: { id: 'tenant-console-elsewhere' } },
  })
})

test('a tenant that refuses its own keys, does not answer or leads to the console or the API server is a failure of the tenant', async () => {
  const wrong = await newTenant({ password: 'another-password' })
  const gone = await newTenant({ port: Number(await freePort()) })
  const own = await newTenant({ port: Number(new URL(o.url).port) })
  const apiServer = await newTenant({ port: Number(new URL(o.sandbox.server).port) })
  for (const [params, id, detail] of [
    [wrong, 'tenant-refused', ''],
    [gone, 'tenant-unreachable', 'cannot be reached'],
    [own, 'tenant-unreachable', 'is this program itself'],
    [apiServer, 'tenant-unreachable', 'is the API server'],
  ] as const) {
    const failure = await callFailure(o.admin.call('openTenantHere', { params, body: {} }))
    expect([failure.status, failure.body.reason?.id]).toEqual([502, id])
    expect(failure.body.detailedMessage).toContain(detail)
    expect(JSON.stringify(failure.body)).not.toContain('another-password')
  }
})

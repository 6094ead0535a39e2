import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { resources } from '@stowage/kube'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import {
  ensureUnlicensed,
  LICENSE_NAMESPACE,
  startLicenses,
  type TestLicenses,
} from '../../support/operator/licenses.ts'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

const PASSWORD = 'planted-password'

let licenses: TestLicenses
let o: TestOperator
let subnet: Server
const issue = (org: string, more: { plan?: string } = {}, expires?: number) => licenses.issue({ org, ...more }, expires)
/** Requests to the service, and its answers. */
let asked: { path: string; token: string | undefined; body: unknown }[] = []
let answers: Record<string, { status?: number; body: unknown }> = {}

beforeAll(async () => {
  licenses = await startLicenses()
  subnet = createServer((request, response) => {
    void readJson(request).then((body) => {
      const path = request.url ?? ''
      asked.push({ path, token: request.headers.authorization, body })
      const answer = answers[path] ?? { status: 404, body: {} }
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => subnet.listen(0, '127.0.0.1', resolve))
  const { port } = subnet.address() as AddressInfo
  o = await startOperator({
    env: {
      STOWAGE_LICENSE_KEY: licenses.keyFile,
      CONSOLE_SUBNET_URL: `http://127.0.0.1:${port}`,
      STOWAGE_EGRESS_ALLOW: `127.0.0.1:${port}`,
    },
  })
  await ensureUnlicensed(o.kube)
})
afterAll(async () => {
  await o?.[Symbol.asyncDispose]()
  subnet?.close()
  licenses?.[Symbol.dispose]()
})
beforeEach(() => {
  asked = []
  answers = {}
})

const readJson = (request: IncomingMessage): Promise<unknown> => json(request)
const activate = async (body: { license?: string; email?: string; password?: string }) =>
  await o.admin.call('validateSubscription', { body: { license: '', email: '', password: '', ...body } })
const secret = async () => {
  const { data } = await o.kube.get(resources.secrets, { namespace: LICENSE_NAMESPACE, name: 'subnet-license' })
  return Buffer.from(data?.CONSOLE_SUBNET_LICENSE ?? '', 'base64').toString()
}

test('a license is checked and stored; a new one replaces it [SUB-12]', async () => {
  expect((await callFailure(o.admin.call('getSubscription', {}))).status).toBe(404)
  const license = await issue('North Quay')
  const shownSubscription = {
    organization: 'North Quay',
    plan: 'STANDARD',
    email: 'ops@example.com',
    storage_capacity: 50,
  }
  expect(await activate({ license: ` ${license}\n` })).toMatchObject(shownSubscription)
  expect(await secret()).toBe(license)
  expect(await o.admin.call('getSubscription', {})).toMatchObject(shownSubscription)
  const other = await issue('South Quay')
  await activate({ license: other })
  expect(await secret()).toBe(other)
})

test('a license that is not valid is refused with the text of the original, and not stored', async () => {
  const license = await issue('Old Quay')
  await activate({ license })
  for (const wrong of ['x', `${license}x`, await issue('Late Quay', {}, 1)]) {
    const failure = await callFailure(activate({ license: wrong }))
    expect([failure.status, failure.body.message]).toEqual([404, 'invalid license key'])
  }
  expect(await secret()).toBe(license)
})

test('with an account the license is fetched from SUBNET [SUB-12]', async () => {
  const license = await issue('Quay of the account')
  answers = {
    '/api/auth/login': { body: { token_info: { access_token: 'issued-token' } } },
    '/api/auth/subscription/license-key': { body: { license } },
  }
  expect(await activate({ email: 'ops@example.com', password: PASSWORD })).toMatchObject({
    organization: 'Quay of the account',
  })
  expect(await secret()).toBe(license)
  expect(asked).toEqual([
    { path: '/api/auth/login', token: undefined, body: { username: 'ops@example.com', password: PASSWORD } },
    { path: '/api/auth/subscription/license-key', token: 'Bearer issued-token', body: {} },
  ])
  expect(o.output()).not.toContain(PASSWORD)
})

test.each<[string, number, { status?: number; body: unknown }]>([
  ['a wrong account', 400, { status: 401, body: {} }],
  ['a page', 502, { body: '<html>' }],
  ['another form', 502, { body: { token: 'x' } }],
  ['a token that breaks a header', 502, { body: { token_info: { access_token: 'a\r\nb' } } }],
  ['more than an answer', 502, { body: JSON.stringify('x'.repeat(1 << 20)) }],
  ['a failure', 502, { status: 500, body: {} }],
])('SUBNET answers with %s: the call is %d, and nobody is signed out', async (_, status, answer) => {
  answers = { '/api/auth/login': answer }
  const failure = await callFailure(activate({ email: 'ops@example.com', password: PASSWORD }))
  expect(failure.status).toBe(status)
  expect(JSON.stringify(failure.body)).not.toContain(PASSWORD)
})

test.each([{}, { email: 'ops@example.com' }, { password: PASSWORD }, { license: '  ' }])(
  '%j is not an activation',
  async (body) => {
    expect((await callFailure(activate(body))).status).toBe(400)
    expect(asked).toEqual([])
  },
)

test('a refresh has no body, renews the license, and gives it to each tenant [SUB-13]', async () => {
  const [before, after] = [await issue('North Quay'), await issue('North Quay', { plan: 'ENTERPRISE' })]
  await activate({ license: before })
  const namespace = await o.newNamespace()
  const pools = [{ servers: 4, volumes_per_server: 1, volume_configuration: { size: 2 ** 30 } }]
  await o.admin.call('createTenant', { body: { name: 'alpha', namespace, pools } })
  answers = { '/api/auth/subscription/renew-license': { body: { license: after } } }
  const response = await fetch(`${o.url}/api/v1/subscription/refresh`, {
    method: 'POST',
    headers: { authorization: `Bearer ${o.admin.session}` },
  })
  expect(await response.json()).toMatchObject({ plan: 'ENTERPRISE' })
  expect(asked).toEqual([{ path: '/api/auth/subscription/renew-license', token: undefined, body: { license: before } }])
  expect(await secret()).toBe(after)
  const { data } = await o.kube.get(resources.secrets, { namespace, name: 'alpha-env-configuration' })
  const file = Buffer.from(data?.['config.env'] ?? '', 'base64').toString()
  expect(file).toContain(`MINIO_SUBNET_LICENSE="${after}"`)
})

test('without the right to read the secret the call is refused, and SUBNET is not contacted', async () => {
  const nobody = await o.signInWith([])
  for (const send of [
    () => nobody.call('getSubscription', {}),
    () => nobody.call('refreshSubscription', {}),
    () => nobody.call('validateSubscription', { body: { license: '', email: 'a@example.com', password: PASSWORD } }),
  ])
    expect((await callFailure(send())).status).toBe(403)
  expect(asked).toEqual([])
})

test('without the right to write the secret no license is stored', async () => {
  const license = await issue('Kept Quay')
  await activate({ license })
  const reader = await o.signInWith([{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }], LICENSE_NAMESPACE)
  const body = { license: await issue('New Quay'), email: '', password: '' }
  expect((await callFailure(reader.call('validateSubscription', { body }))).status).toBe(403)
  expect(await secret()).toBe(license)
})

test('a service on this machine is not contacted unless the operator allows it, and without a key no license is valid', async () => {
  const { port } = subnet.address() as AddressInfo
  await using own = await startOperator({ env: { STOWAGE_SUBNET_URL: `http://127.0.0.1:${port}` } })
  await ensureUnlicensed(own.kube)
  const send = (body: { license: string; email: string; password: string }) =>
    callFailure(own.admin.call('validateSubscription', { body }))
  expect((await send({ license: '', email: 'a@example.com', password: PASSWORD })).status).toBe(502)
  expect((await send({ license: await issue('North Quay'), email: '', password: '' })).status).toBe(404)
  expect(asked).toEqual([])
})

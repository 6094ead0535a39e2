import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resources, tenants } from '@stowage/kube'
import { createAuthority } from '@stowage/sandbox-kube/pki'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { runsOnSandbox, startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

const PLANTED = 'planted-value-of-a-secret'

let o: TestOperator
beforeAll(async () => {
  o = await startOperator({
    release: '7',
    env: { STOWAGE_TENANT_URL: 'http://127.0.0.1:{nodePort}', STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
  })
})
afterAll(async () => await o?.[Symbol.asyncDispose]())
afterEach(() => o.sandbox.setFaults([]))

const pool = {
  name: 'pool-0',
  servers: 4,
  volumes_per_server: 2,
  volume_configuration: { size: 26843545600, storage_class_name: 'standard' },
}
const keys = [{ access_key: 'anna-console', secret_key: PLANTED }]
const body = (name: string, namespace: string) => ({ name, namespace, pools: [pool], idp: { keys } })
const base64 = (text: string) => Buffer.from(text).toString('base64')
const tenantSecretNames = async (namespace: string) => {
  const { objects } = await o.kube.list(resources.secrets, { namespace, labelSelector: 'v1.min.io/tenant' })
  return objects.map(({ metadata }) => metadata.name).sort()
}
async function newTenant() {
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: body('alpha', namespace) })
  return { namespace, tenant: 'alpha' }
}

test.skipIf(!runsOnSandbox).each([
  ['the first secret', { resource: 'secrets', after: 0 }],
  ['the second secret', { resource: 'secrets', after: 1 }],
  ['the tenant', { resource: 'tenants', after: 0 }],
])('a create that fails at %s leaves nothing behind, and works the next time', async (_, { resource, after }) => {
  const namespace = await o.newNamespace()
  o.sandbox.setFaults([{ on: { verb: 'create', resource, namespace }, after, times: 1, status: 500 }])
  const failure = await callFailure(o.admin.call('createTenant', { body: body('alpha', namespace) }))
  expect([failure.status, failure.body.detailedMessage]).toEqual([502, expect.stringContaining('a fault of')])
  expect(JSON.stringify(failure.body)).not.toContain(PLANTED)
  expect(await tenantSecretNames(namespace)).toEqual([])
  await o.admin.call('createTenant', { body: body('alpha', namespace) })
})

test.each(['1abc', '-abc', 'abc-', '---', 'a'.repeat(46), 'a'.repeat(63)])(
  'the name %s, from which no services and pods can be made, is refused at its field, and nothing is made',
  async (name) => {
    const namespace = await o.newNamespace()
    const failure = await callFailure(o.admin.call('createTenant', { body: body(name, namespace) }))
    expect([failure.status, failure.body.field]).toEqual([400, 'name'])
    expect(await tenantSecretNames(namespace)).toEqual([])
  },
)

test('a namespace takes one tenant', async () => {
  const { namespace } = await newTenant()
  const failure = await callFailure(o.admin.call('createTenant', { body: body('beta', namespace) }))
  expect([failure.status, failure.body.reason?.id, failure.body.field]).toEqual([
    409,
    'tenant-in-namespace',
    'namespace',
  ])
  expect(await tenantSecretNames(namespace)).toEqual(['alpha-env-configuration', 'alpha-user-0'])
})

test('a quota that is used up after the preview refuses the tenant in its own words', async () => {
  const namespace = await o.newNamespace()
  const { objects } = await o.admin.call('previewTenant', { body: body('alpha', namespace) })
  expect(objects.map(({ problem }) => problem).filter(Boolean)).toEqual([])
  const name = 'few-secrets'
  await o.kube.create(resources.resourceQuotas, { metadata: { name, namespace }, spec: { hard: { secrets: '1' } } })
  await expect
    .poll(async () => (await o.kube.get(resources.resourceQuotas, { namespace, name })).status?.hard)
    .toEqual({ secrets: '1' })
  const failure = await callFailure(o.admin.call('createTenant', { body: body('alpha', namespace) }))
  expect([failure.status, failure.body.detailedMessage]).toEqual([403, expect.stringContaining('exceeded quota')])
  expect(await tenantSecretNames(namespace)).toEqual([])
})

test('nothing is made in a namespace that is being deleted', async () => {
  const namespace = await o.newNamespace()
  await o.kube.create(resources.secrets, { metadata: { name: 'kept', namespace, finalizers: ['example.com/kept'] } })
  await o.kube.delete(resources.namespaces, { name: namespace })
  const failure = await callFailure(o.admin.call('createTenant', { body: body('alpha', namespace) }))
  expect([failure.status, failure.body.detailedMessage]).toEqual([403, expect.stringContaining('being terminated')])
  const kept = await o.kube.get(resources.secrets, { namespace, name: 'kept' })
  await o.kube.update(resources.secrets, { ...kept, metadata: { ...kept.metadata, finalizers: [] } })
})

test('the key of another certificate is refused, and nothing is changed', async () => {
  const params = await newTenant()
  const [own, other] = await Promise.all([createAuthority('own'), createAuthority('other')])
  const customCertificates = {
    secretsToBeDeleted: [],
    minio: [{ crt: base64(own.cert), key: base64(other.key) }],
    minioCAs: [],
  }
  const failure = await callFailure(
    o.admin.call('updateTenantSecurity', { params, body: { autoCert: true, customCertificates } }),
  )
  expect([failure.status, failure.body.reason?.id]).toEqual([400, 'certificate-key-other'])
  expect(await tenantSecretNames(params.namespace)).toEqual(['alpha-env-configuration', 'alpha-user-0'])
})

test('what the console does not know of a tenant stays when it is changed', async () => {
  const params = await newTenant()
  const at = { namespace: params.namespace, name: 'alpha' }
  const before = await o.kube.get(tenants, at)
  const unknown = { serviceAccountName: 'of-others', priorityClassName: 'high', subPath: '/below' }
  const metadata = { ...before.metadata, annotations: { 'example.com/of': 'others' }, finalizers: ['example.com/keep'] }
  await o.kube.update(tenants, { ...before, metadata, spec: { ...before.spec, ...unknown } as never })
  await o.admin.call('updateTenant', { params, body: { image: 'minio/minio:RELEASE.2025-09-07T16-13-09Z' } })
  await o.admin.call('addTenantPool', { params, body: { ...pool, name: 'pool-1' } })
  await o.admin.call('updateTenantDomains', { params, body: { domains: { minio: ['https://s3.example.com'] } } })
  const after = await o.kube.get(tenants, at)
  expect(after.spec).toMatchObject(unknown)
  expect(after.metadata).toMatchObject({
    annotations: { 'example.com/of': 'others' },
    finalizers: ['example.com/keep'],
  })
  await o.kube.update(tenants, { ...after, metadata: { ...after.metadata, finalizers: [] } })
})

test.skipIf(!runsOnSandbox)('an API server that fails is a failure of the call, and the session goes on', async () => {
  const params = await newTenant()
  const on = { verb: 'get', resource: 'tenants', namespace: params.namespace }
  for (const [status, answered] of [
    [500, 502],
    [503, 503],
  ] as const) {
    o.sandbox.setFaults([{ on, status }])
    expect((await callFailure(o.admin.call('getTenant', { params }))).status).toBe(answered)
  }
  o.sandbox.setFaults([])
  expect((await o.admin.call('getTenant', { params })).name).toBe('alpha')
})

test.skipIf(!runsOnSandbox).each([404, 403])(
  'an API server before 1.28, which answers who somebody is with %d, signs in without a name, and refuses wrong tokens',
  async (status) => {
    o.sandbox.setFaults([{ on: { verb: 'create', resource: 'selfsubjectreviews' }, status }])
    const caller = await o.signIn(o.sandbox.token)
    expect((await caller.call('getSession', {})).user).toBe('')
    expect((await callFailure(o.signIn('made-up'))).status).toBe(401)
    o.sandbox.setFaults([])
  },
)

test('a token that has ended, is for others or was made up opens nothing', async () => {
  const name = o.freshName('account')
  const at = { namespace: 'default', name }
  await o.kube.create(resources.serviceAccounts, { metadata: at })
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3600, audiences: ['vault'] },
  }
  const issued = await o.kube.createAt<{ status: { token: string } }>(resources.serviceAccounts, at, 'token', request)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const jwt = (exp: number) => `${part({ alg: 'none' })}.${part({ sub: 'system:admin', exp })}.`
  const refusal = async (token: string) => {
    const { status, body } = await callFailure(o.anonymous().call('loginOperator', { body: { jwt: token } }))
    return [status, body.detailedReason?.id]
  }
  expect(await refusal(issued.status.token)).toEqual([401, 'token-refused'])
  expect(await refusal(jwt(1))).toEqual([401, 'token-ended'])
  expect(await refusal(jwt(4_070_952_000))).toEqual([401, 'token-refused'])
  expect(await refusal('a b\r\nx-header: 1')).toEqual([401, 'token-refused'])
})

test('secrets of a tenant are in none of its answers', async () => {
  const params = await newTenant()
  await o.admin.call('updateTenantConfiguration', {
    params,
    body: { environmentVariables: [{ key: 'MINIO_NOTIFY_DB', value: `postgres://u:${PLANTED}@host/db` }] },
  })
  await o.admin.call('updateTenant', {
    params,
    body: { image_registry: { registry: 'registry.example', username: 'anna', password: PLANTED } },
  })
  await o.admin.call('updateTenantIdentityProvider', {
    params,
    body: {
      oidc: { configuration_url: 'https://idp.example/', client_id: 'c', secret_id: PLANTED, claim_name: 'policy' },
    },
  })
  for (const call of [
    'getTenant',
    'getTenantConfiguration',
    'getTenantIdentityProvider',
    'getTenantEncryption',
    'getTenantSecurity',
    'getTenantDrift',
    'getTenantLeftovers',
    'getTenantYaml',
    'listTenantEvents',
  ] as const)
    expect([call, JSON.stringify(await o.admin.call(call, { params }))]).toEqual([
      call,
      expect.not.stringContaining(PLANTED),
    ])
  const preview = await o.admin.call('previewTenant', { body: body('beta', await o.newNamespace()) })
  expect(JSON.stringify(preview)).not.toContain(PLANTED)
  expect(JSON.stringify(preview)).not.toContain(base64(PLANTED))
  expect(o.output()).not.toContain(PLANTED)
})

test('a pod without a node is described, and its log is empty', async () => {
  const { namespace } = await newTenant()
  const labels = { 'v1.min.io/tenant': 'alpha', 'v1.min.io/pool': 'pool-0' }
  const containers = [{ name: 'minio', image: 'minio/minio:x', env: [{ name: 'MINIO_KEY', value: PLANTED }] }]
  const name = 'alpha-pool-0-0'
  await o.kube.create(resources.pods, {
    metadata: { name, namespace, labels },
    spec: { containers, nodeSelector: { nowhere: 'x' } },
  })
  const params = { namespace, tenant: 'alpha', pod: name }
  const described = await o.admin.call('describePod', { params })
  expect(JSON.stringify(described)).not.toContain(PLANTED)
  expect((await o.admin.call('listTenantPods', { params })).map((each) => each.name)).toEqual([name])
  expect(await o.admin.call('getPodLog', { params, query: {} })).toBe('')
})

test('a tenant that answers with a web page is a failure of the tenant, without a word of the page', async () => {
  const page = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${PLANTED}</h1>`)
  }).listen(0, '127.0.0.1')
  await once(page, 'listening')
  const params = await newTenant()
  const nodePort = (page.address() as AddressInfo).port
  await o.kube.create(resources.services, {
    metadata: { name: 'minio', namespace: params.namespace },
    spec: { type: 'NodePort', ports: [{ name: 'https', port: 443, nodePort }] },
  })
  for (const failure of [
    await callFailure(o.admin.call('getTenantUsage', { params })),
    await callFailure(o.admin.call('openTenantHere', { params, body: {} })),
    await callFailure(o.admin.call('listPoolStates', { params })),
  ]) {
    expect(failure.status).toBe(502)
    expect(JSON.stringify(failure.body)).not.toContain(PLANTED)
  }
  page.close()
})

import { type Kube, type KubeObject, resources, type TenantObject, tenants } from '@stowage/kube'
import type { SandboxFault } from '@stowage/sandbox-kube'
import { createAuthority } from '@stowage/sandbox-kube/pki'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { newRequestHold } from '../../support/network/hold-request.ts'
import {
  type RbacRule,
  runsOnSandbox,
  startOperator,
  type TestOperator,
} from '../../support/operator/start-operator.ts'

/** For tests that cause faults of the API server, which a real one does not have on demand. */
const run = test.skipIf(!runsOnSandbox)

let o: TestOperator
let kube: Kube
let pair: Pair
let other: Pair
beforeAll(async () => {
  o = await startOperator({ release: '7' })
  kube = o.kube
  ;[pair, other] = await Promise.all([newPair(), newPair()])
})
afterAll(async () => await o?.[Symbol.asyncDispose]())
afterEach(() => {
  if (runsOnSandbox) o.sandbox.setFaults([])
})

interface Pair {
  crt: string
  key: string
}

async function newPair(): Promise<Pair> {
  const { cert, key } = await (await createAuthority('tenant')).issue({ commonName: 'tenant', usage: 'server' })
  return { crt: base64(cert), key: base64(key) }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const pool = { name: 'pool-0', servers: 4, volumes_per_server: 2, volume_configuration: { size: 26843545600 } }
const vault = (endpoint: string) => ({ endpoint, approle: { id: 'role', secret: 'secret' } })
const registry = (username: string) => ({ registry: 'registry.example', username, password: 'secret' })

async function newTenant(more: object = {}) {
  const namespace = await o.newNamespace()
  const body = {
    name: 'alpha',
    namespace,
    pools: [pool],
    image_registry: registry('anna'),
    tls: { minio: [pair], ca_certificates: [pair.crt] },
    encryption: { server: pair, client: pair, vault: vault('https://vault-1.example:8200') },
    ...more,
  }
  await o.admin.call('createTenant', { body })
  return { namespace, tenant: 'alpha' }
}
type Params = Awaited<ReturnType<typeof newTenant>>

async function secretContents({ namespace }: Params) {
  const { objects } = await kube.list(resources.secrets, { namespace })
  return Object.fromEntries(objects.map(({ metadata, type, data }) => [metadata.name, { type, data }]))
}
const tenantSpec = async ({ namespace }: Params) => (await kube.get(tenants, { namespace, name: 'alpha' })).spec

async function newPod({ namespace }: Params, name: string, labels: Record<string, string>) {
  const containers = [{ name: 'minio', image: 'minio/minio:x' }]
  await kube.create(resources.pods, { metadata: { name, namespace, labels }, spec: { containers } })
}
const podNames = async ({ namespace }: Params) => {
  const { objects } = await kube.list(resources.pods, { namespace })
  return objects.flatMap(({ metadata }) => (metadata.deletionTimestamp ? [] : [metadata.name])).sort()
}

/** The calls that write secrets before they change the tenant. */
const changes = {
  certificates: (params: Params) =>
    o.admin.call('updateTenantCertificates', { params, body: { minio: [other], ca_certificates: [other.crt] } }),
  security: (params: Params) =>
    o.admin.call('updateTenantSecurity', {
      params,
      body: { autoCert: true, customCertificates: { minio: [other], minioCAs: [other.crt], secretsToBeDeleted: [] } },
    }),
  encryption: (params: Params) =>
    o.admin.call('updateTenantEncryption', {
      params,
      body: { server: other, client: other, vault: vault('https://vault-2.example:8200') },
    }),
  registry: (params: Params) =>
    o.admin.call('updateTenant', { params, body: { image_registry: registry('berta'), image: 'minio/minio:next' } }),
} as const

run.each(Object.entries(changes))('a change of %s that fails leaves the tenant its secrets', async (_, change) => {
  const params = await newTenant()
  const { namespace } = params
  const before = [await secretContents(params), await tenantSpec(params)]
  const on = { resource: 'secrets', namespace }
  for (const fault of [
    // The first creation of a replaced secret is refused, because it exists. The second fails, and the first attempt to restore.
    { on: { ...on, verb: 'create' }, times: 2, after: 1, status: 500 },
    { on: { verb: 'update', resource: 'tenants', namespace }, status: 403, reason: 'Forbidden' },
  ]) {
    o.sandbox.setFaults([fault])
    expect((await callFailure(change(params))).status).toBe(fault.status === 500 ? 502 : 403)
    o.sandbox.setFaults([])
    expect([await secretContents(params), await tenantSpec(params)]).toEqual(before)
  }
})

run.each(Object.entries(changes))('a change of %s whose answer is lost is made', async (_, change) => {
  const params = await newTenant()
  const before = await tenantSpec(params)
  const on = { verb: 'update', resource: 'tenants', namespace: params.namespace }
  o.sandbox.setFaults([{ on, loseAnswer: true, times: 1 } satisfies SandboxFault])
  await change(params)
  o.sandbox.setFaults([])
  const names = Object.keys(await secretContents(params))
  const spec = await tenantSpec(params)
  expect(names).toEqual(expect.arrayContaining(namesIn(spec)))
  // Replaced secrets keep their names.
  if (change === changes.security || change === changes.registry) expect(spec).not.toEqual(before)
})

/** The secrets to which a tenant refers. */
function namesIn(spec: TenantObject['spec']): string[] {
  const {
    externalCertSecret = [],
    externalCaCertSecret = [],
    externalClientCertSecret,
    kes,
    configuration,
  } = spec ?? {}
  const single = [
    externalClientCertSecret,
    kes?.kesSecret,
    kes?.externalCertSecret,
    configuration,
    spec?.imagePullSecret,
  ]
  return [...externalCertSecret, ...externalCaCertSecret, ...single].flatMap((each) => (each?.name ? [each.name] : []))
}

test('certificates and authorities are replaced together, and the pods restart', async () => {
  const params = await newTenant({ tls: { minio: [pair] } })
  await newPod(params, 'alpha-pool-0-0', { 'v1.min.io/tenant': 'alpha' })
  await newPod(params, 'other', { 'v1.min.io/tenant': 'other' })
  await changes.certificates(params)
  expect((await tenantSpec(params))?.externalCaCertSecret).toEqual([{ name: 'alpha-ca-certificate-0', type: 'Opaque' }])
  const made = await secretContents(params)
  expect(made['alpha-secret-instance-external-certificates-0']?.data?.['tls.crt']).toBe(other.crt)
  expect(made['alpha-ca-certificate-0']?.data?.['public.crt']).toBe(other.crt)
  expect(await podNames(params)).toEqual(['other'])
})

test('a key store is changed; the servers restart only for a new client certificate', async () => {
  const params = await newTenant()
  const labels = { 'v1.min.io/tenant': 'alpha' }
  await newPod(params, 'alpha-pool-0-0', labels)
  await newPod(params, 'alpha-kes-0', { 'v1.min.io/kes': 'alpha-kes' })
  await o.admin.call('updateTenantEncryption', { params, body: { vault: vault('https://vault-3.example:8200') } })
  expect(await podNames(params)).toEqual(['alpha-pool-0-0'])
  const read = await o.admin.call('getTenantEncryption', { params })
  expect(read).toMatchObject({ enabled: true, type: 'vault', endpoint: 'https://vault-3.example:8200' })
  await changes.encryption(params)
  expect(await podNames(params)).toEqual([])
})

test('a key server is refused for a tenant without TLS, which could not reach it', async () => {
  const params = await newTenant({ enable_tls: false, tls: null, encryption: null })
  const body = { vault: vault('https://vault.example:8200') }
  const failure = await callFailure(o.admin.call('updateTenantEncryption', { params, body }))
  expect([failure.status, failure.body.reason?.id]).toEqual([400, 'certificate-without-tls'])
  expect(Object.keys(await secretContents(params)).filter((name) => name.includes('kes'))).toEqual([])
})

const rule = (apiGroup: string, kind: string, ...verbs: string[]): RbacRule => ({
  apiGroups: [apiGroup],
  resources: [kind],
  verbs,
})

test('a registry is not written for a tenant that does not exist or may not be changed', async () => {
  const params = await newTenant({ image_registry: null })
  const body = { image_registry: registry('mallory') }
  const missing = { namespace: params.namespace, tenant: 'beta' }
  expect((await callFailure(o.admin.call('updateTenant', { params: missing, body }))).status).toBe(404)
  const caller = await o.signInWith(
    [rule('', 'secrets', 'get', 'create', 'update', 'delete'), rule('minio.min.io', 'tenants', 'get')],
    params.namespace,
  )
  expect((await callFailure(caller.call('updateTenant', { params, body }))).status).toBe(403)
  expect(Object.keys(await secretContents(params)).filter((name) => name.endsWith('regcred'))).toEqual([])
})

test('without the right to restart pods nothing is changed that needs a restart', async () => {
  const params = await newTenant()
  const before = [await secretContents(params), await tenantSpec(params)]
  const caller = await o.signInWith(
    [
      rule('', 'secrets', 'get', 'list', 'create', 'update', 'delete'),
      rule('minio.min.io', 'tenants', 'get', 'list', 'update'),
      rule('', 'pods', 'get', 'list', 'delete'),
    ],
    params.namespace,
  )
  const oidc = { configuration_url: 'https://idp.example/', client_id: 'c', secret_id: 's', claim_name: 'policy' }
  const environmentVariables = [{ key: 'MINIO_BROWSER', value: 'off' }]
  for (const call of [
    () => caller.call('updateTenantConfiguration', { params, body: { environmentVariables } }),
    () => caller.call('updateTenantIdentityProvider', { params, body: { oidc } }),
    () => caller.call('updateTenantCertificates', { params, body: { minio: [other] } }),
    () => caller.call('updateTenantEncryption', { params, body: { vault: vault('https://vault.example:8200') } }),
  ]) {
    const failure = await callFailure(call())
    expect([failure.status, failure.body.detailedMessage]).toEqual([
      403,
      expect.stringContaining('cannot deletecollection resource "pods"'),
    ])
  }
  expect([await secretContents(params), await tenantSpec(params)]).toEqual(before)
})

test('values with =, quotes, $ and backslashes are saved and read as they were given', async () => {
  const params = await newTenant()
  const values = {
    A: 'cn=anna,dc=example',
    B: `it's a "quoted" word`,
    C: '$HOME`id`',
    D: 'back\\slash\\',
    E: '',
    'F-1.x': 'on',
  }
  const environmentVariables = Object.entries(values).map(([key, value]) => ({ key, value }))
  await o.admin.call('updateTenantConfiguration', { params, body: { environmentVariables } })
  const read = async () =>
    Object.fromEntries(
      (await o.admin.call('getTenantConfiguration', { params })).environmentVariables.map(({ key, value }) => [
        key,
        value,
      ]),
    )
  expect(await read()).toMatchObject(values)
  await o.admin.call('updateTenantConfiguration', { params, body: { keysToBeDeleted: ['A', 'F-1.x'] } })
  const { A: _, 'F-1.x': __, ...rest } = values
  const after = await read()
  expect(after).toMatchObject(rest)
  expect(Object.keys(after)).not.toContain('A')
  expect(Object.keys(after)).not.toContain('F-1.x')
})

test('an empty secret of a provider leaves the stored one, which is not shown', async () => {
  const params = await newTenant()
  const save = (secret_id: string, client_id: string) => {
    const oidc = { configuration_url: 'https://idp.example/', client_id, secret_id, claim_name: 'policy' }
    return o.admin.call('updateTenantIdentityProvider', { params, body: { oidc } })
  }
  const file = async () =>
    Buffer.from(
      (await secretContents(params))['alpha-env-configuration']?.data?.['config.env'] ?? '',
      'base64',
    ).toString()
  await save('stored-secret', 'one')
  await save('', 'two')
  expect(await file()).toContain('CLIENT_SECRET="stored-secret"')
  expect(await o.admin.call('getTenantIdentityProvider', { params })).toMatchObject({
    oidc: { client_id: 'two', secret_id: '' },
  })
  await o.admin.call('updateTenantIdentityProvider', { params, body: {} })
  expect(await file()).not.toContain('OPENID')
})

run('two editors of a tenant and of its variables lose nothing of each other', async () => {
  const params = await newTenant()
  const { namespace } = params
  const set = (key: string) =>
    o.admin.call('updateTenantConfiguration', { params, body: { environmentVariables: [{ key, value: 'on' }] } })
  const both = async (
    resource: 'secrets' | 'tenants',
    first: () => Promise<unknown>,
    second: () => Promise<unknown>,
  ) => {
    const hold = newRequestHold()
    // The first has read the old state when the second changes it.
    o.sandbox.setFaults([{ on: { verb: 'update', resource, namespace }, times: 1, until: hold.until }])
    const waiting = first()
    await hold.reached
    await second()
    hold.open()
    await waiting
  }
  await both(
    'secrets',
    () => set('MINIO_ONE'),
    () => set('MINIO_TWO'),
  )
  const { environmentVariables } = await o.admin.call('getTenantConfiguration', { params })
  expect(environmentVariables.map(({ key }) => key)).toEqual(expect.arrayContaining(['MINIO_ONE', 'MINIO_TWO']))
  const add = (name: string) => o.admin.call('addTenantPool', { params, body: { ...pool, name } })
  await both(
    'tenants',
    () => add('pool-1'),
    () => add('pool-2'),
  )
  expect((await tenantSpec(params))?.pools.map(({ name }) => name).sort()).toEqual(['pool-0', 'pool-1', 'pool-2'])
})

test('what the console does not know of a tenant and its secrets survives every change', async () => {
  const params = await newTenant({ annotations: { team: 'quay' } })
  const at = { namespace: params.namespace, name: 'alpha' }
  const before = await kube.get(tenants, at)
  const unknown = { serviceAccountName: 'of-others', priorityClassName: 'high', subPath: '/below' }
  const features = { bucketDNS: true, enableSFTP: true }
  const metadata = { ...before.metadata, annotations: { team: 'quay', 'example.com/of': 'others' } }
  const kes = { ...before.spec?.kes, imagePullPolicy: 'Always' }
  await kube.update(tenants, { ...before, metadata, spec: { ...before.spec, ...unknown, features, kes } as never })
  const secretAt = { namespace: params.namespace, name: 'alpha-env-configuration' }
  const secret = await kube.get(resources.secrets, secretAt)
  const keys = { metadata: { ...secret.metadata, labels: { ...secret.metadata.labels, team: 'quay' } } }
  await kube.update(resources.secrets, { ...secret, ...keys, data: { ...secret.data, notes: base64('of others') } })

  const oidc = { configuration_url: 'https://idp.example/', client_id: 'c', secret_id: 's', claim_name: 'policy' }
  const environmentVariables = [{ key: 'MINIO_BROWSER', value: 'off' }]
  const calls: Record<string, () => Promise<unknown>> = {
    ...Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, () => change(params)])),
    scraping: () => o.admin.call('updateTenant', { params, body: { enable_prometheus: true } }),
    'a pool': () => o.admin.call('addTenantPool', { params, body: { ...pool, name: 'pool-1' } }),
    pools: () => o.admin.call('setTenantPools', { params, body: { pools: [pool, { ...pool, name: 'pool-1' }] } }),
    domains: () =>
      o.admin.call('updateTenantDomains', { params, body: { domains: { minio: ['https://s3.example'] } } }),
    variables: () => o.admin.call('updateTenantConfiguration', { params, body: { environmentVariables } }),
    provider: () => o.admin.call('updateTenantIdentityProvider', { params, body: { oidc } }),
    yaml: async () => {
      const { yaml } = await o.admin.call('getTenantYaml', { params })
      await o.admin.call('updateTenantYaml', { params, body: { yaml } })
    },
  }
  const check = async (name: string) => {
    const after = await kube.get(tenants, at)
    expect([name, after.spec]).toEqual([name, expect.objectContaining(unknown)])
    expect([name, after.spec?.features]).toEqual([name, expect.objectContaining(features)])
    expect([name, after.spec?.kes]).toEqual([name, expect.objectContaining({ imagePullPolicy: 'Always' })])
    expect([name, after.metadata.annotations]).toEqual([name, expect.objectContaining({ 'example.com/of': 'others' })])
    const kept: KubeObject & { data?: Record<string, string> } = await kube.get(resources.secrets, secretAt)
    expect([name, kept.data?.notes, kept.metadata?.labels?.team]).toEqual([name, base64('of others'), 'quay'])
  }
  for (const [name, change] of Object.entries(calls)) {
    await change()
    await check(name)
  }
  await o.admin.call('deleteTenantEncryption', { params })
  const after = await kube.get(tenants, at)
  expect(after.spec).toMatchObject({ ...unknown, features })
})

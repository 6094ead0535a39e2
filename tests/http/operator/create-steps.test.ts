import type { Input } from '@stowage/contract'
import { resources, tenants } from '@stowage/kube'
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

// These tests cause faults of the API server, which a real one does not have on demand.
const run = test.skipIf(!runsOnSandbox)

let o: TestOperator
let pair: { crt: string; key: string }
beforeAll(async () => {
  o = await startOperator()
  const { cert, key } = await (await createAuthority('tenant')).issue({ commonName: 'tenant', usage: 'server' })
  pair = { crt: base64(cert), key: base64(key) }
})
afterAll(async () => await o?.[Symbol.asyncDispose]())
afterEach(() => {
  if (runsOnSandbox) o.sandbox.setFaults([])
})

const base64 = (text: string) => Buffer.from(text).toString('base64')
const text = (data: string | undefined) => Buffer.from(data ?? '', 'base64').toString('utf8')
const pool = { name: 'pool-0', servers: 4, volumes_per_server: 2, volume_configuration: { size: 26843545600 } }
const plain = (namespace: string, secretKey = 'correct-horse-battery') => ({
  name: 'alpha',
  namespace,
  pools: [pool],
  secret_key: secretKey,
})

/** A tenant with every secret that a creation can make. */
function everything(namespace: string): Input<'createTenant'>['body'] {
  return {
    ...plain(namespace),
    image_registry: { registry: 'registry.example', username: 'anna', password: 'secret' },
    idp: { keys: [{ access_key: 'anna-console', secret_key: 'correct-horse' }] },
    tls: { minio: [pair], ca_certificates: [pair.crt] },
    encryption: {
      server: pair,
      client: pair,
      vault: {
        endpoint: 'https://vault.example:8200',
        approle: { id: 'role', secret: 'secret' },
        tls: { ...pair, ca: pair.crt },
      },
    },
  }
}

/** In the order of their creation. */
const SECRETS = [
  'alpha-secret',
  'alpha-user-0',
  'alpha-secret-instance-external-certificates-0',
  'alpha-ca-certificate-0',
  'alpha-secret-tenant-external-client-cert-0',
  'alpha-secret-kes-external-cert-0',
  'alpha-secret-kes-configuration',
  'alpha-secret-kes-client-cert',
  'alpha-regcred',
  'alpha-env-configuration',
]

const listSecrets = async (namespace: string) => (await o.kube.list(resources.secrets, { namespace })).objects
const secretNames = async (namespace: string) =>
  (await listSecrets(namespace)).map(({ metadata }) => metadata.name).sort()
const tenantNames = async (namespace: string) =>
  (await o.kube.list(tenants, { namespace })).objects.map(({ metadata }) => metadata.name)
const envConfiguration = async (namespace: string) => {
  const { data } = await o.kube.get(resources.secrets, { namespace, name: 'alpha-env-configuration' })
  return text(data?.['config.env'])
}
const creating = (namespace: string, resource: 'secrets' | 'tenants', after = 0): SandboxFault => ({
  on: { verb: 'create', resource, namespace },
  after,
  times: 1,
})

const steps = [
  ...SECRETS.map((name, after) => [name, 'secrets', after] as const),
  ['the tenant', 'tenants', 0] as const,
]

run('a create that fails at any step leaves nothing behind', async () => {
  for (const [step, resource, after] of steps) {
    const namespace = await o.newNamespace()
    o.sandbox.setFaults([{ ...creating(namespace, resource, after), status: 500 }])
    const failure = await callFailure(o.admin.call('createTenant', { body: everything(namespace) }))
    expect([step, failure.status, failure.body.detailedMessage]).toEqual([
      step,
      502,
      expect.stringContaining('a fault of'),
    ])
    expect([step, await secretNames(namespace), await tenantNames(namespace)]).toEqual([step, [], []])
  }
})

run('a lost answer at any step does not matter: the tenant has all of its secrets', async () => {
  for (const [step, resource, after] of steps) {
    const namespace = await o.newNamespace()
    o.sandbox.setFaults([{ ...creating(namespace, resource, after), loseAnswer: true }])
    await o.admin.call('createTenant', { body: everything(namespace) })
    expect([step, await secretNames(namespace), await tenantNames(namespace)]).toEqual([
      step,
      [...SECRETS].sort(),
      ['alpha'],
    ])
  }
})

run('while it is unknown whether the tenant was created, its secrets are kept', async () => {
  const namespace = await o.newNamespace()
  const looking: SandboxFault = { on: { verb: 'list', resource: 'tenants', namespace, name: 'alpha' }, status: 500 }
  const asked: SandboxFault = { on: { verb: 'get', resource: 'tenants', namespace, name: 'alpha' }, status: 500 }
  o.sandbox.setFaults([{ ...creating(namespace, 'tenants'), loseAnswer: true }, looking, asked])
  const failure = await callFailure(o.admin.call('createTenant', { body: plain(namespace) }))
  expect(failure.status).toBe(502)
  o.sandbox.setFaults([])
  expect(await tenantNames(namespace)).toEqual(['alpha'])
  expect(await secretNames(namespace)).toEqual(['alpha-env-configuration', 'alpha-secret'])
})

run('a caller who leaves while the tenant is being created does not take its secrets away', async () => {
  const namespace = await o.newNamespace()
  const hold = newRequestHold()
  o.sandbox.setFaults([{ ...creating(namespace, 'tenants'), until: hold.until }])
  const stop = new AbortController()
  const left = o.admin.send('createTenant', { body: plain(namespace) }, { signal: stop.signal }).catch(() => 'left')
  await hold.reached
  stop.abort()
  expect(await left).toBe('left')
  // The console has answered later calls, so it knows that the caller has left.
  for (let n = 0; n < 3; n++) await o.admin.call('listNamespaceTenants', { params: { namespace }, query: {} })
  hold.open()
  await expect.poll(() => tenantNames(namespace)).toEqual(['alpha'])
  // A second click is answered after the first creation has ended.
  await expect
    .poll(async () => (await callFailure(o.admin.call('createTenant', { body: plain(namespace) }))).body.reason?.id)
    .toBe('tenant-exists')
  expect(await secretNames(namespace)).toEqual(['alpha-env-configuration', 'alpha-secret'])
})

run('a create that fails gives a former tenant its secrets back, without which its volumes are lost', async () => {
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: everything(namespace) })
  await o.admin.call('deleteTenant', { params: { namespace, tenant: 'alpha' } })
  const contents = async () =>
    (await listSecrets(namespace)).map(({ metadata, type, immutable, data }) => [
      metadata.name,
      metadata.labels,
      type,
      immutable,
      data,
    ])
  const before = await contents()
  expect(before).toHaveLength(SECRETS.length)
  o.sandbox.setFaults([{ ...creating(namespace, 'tenants'), status: 500 }])
  const again = { ...everything(namespace), secret_key: 'another-password' }
  expect((await callFailure(o.admin.call('createTenant', { body: again }))).status).toBe(502)
  expect(await contents()).toEqual(before)
  await o.admin.call('createTenant', { body: again })
  expect(await envConfiguration(namespace)).toContain('another-password')
})

run('two consoles that create the same tenant leave one, with its own secrets', async () => {
  const second = await o.secondConsole()
  await using _ = second
  for (const winner of ['first', 'second'] as const) {
    const namespace = await o.newNamespace()
    const [one, two] = [newRequestHold(), newRequestHold()]
    o.sandbox.setFaults([
      { ...creating(namespace, 'tenants'), until: one.until },
      { ...creating(namespace, 'tenants'), until: two.until },
    ])
    const first = o.admin.send('createTenant', { body: plain(namespace, 'password-of-the-first') })
    await one.reached
    const other = second.admin.send('createTenant', { body: plain(namespace, 'password-of-the-second') })
    await two.reached
    const [quick, slow] = winner === 'first' ? [one, two] : [two, one]
    quick.open()
    expect((await (winner === 'first' ? first : other)).status).toBe(200)
    slow.open()
    expect((await (winner === 'first' ? other : first)).status).toBe(409)
    expect([winner, await envConfiguration(namespace)]).toEqual([
      winner,
      expect.stringContaining(`password-of-the-${winner}`),
    ])
    expect(await secretNames(namespace)).toEqual(['alpha-env-configuration', 'alpha-secret'])
  }
})

const rule = (apiGroup: string, kind: string, ...verbs: string[]): RbacRule => ({
  apiGroups: [apiGroup],
  resources: [kind],
  verbs,
})

test('the role of the original console, which deletes secrets and volumes only as collections, is enough', async () => {
  const namespace = await o.newNamespace()
  const caller = await o.signInWith(
    [
      rule('', 'secrets', 'get', 'list', 'create', 'update', 'deletecollection'),
      rule('', 'persistentvolumeclaims', 'get', 'list', 'update', 'deletecollection'),
      rule('', 'pods', 'list', 'deletecollection'),
      rule('minio.min.io', 'tenants', 'get', 'list', 'update'),
    ],
    namespace,
  )
  const failure = await callFailure(caller.call('createTenant', { body: everything(namespace) }))
  expect([failure.status, failure.body.detailedMessage]).toEqual([403, expect.stringContaining('create resource "ten')])
  expect(await secretNames(namespace)).toEqual([])

  await o.admin.call('createTenant', { body: everything(namespace) })
  const params = { namespace, tenant: 'alpha' }
  const customCertificates = { secretsToBeDeleted: ['alpha-ca-certificate-0'], minio: [], minioCAs: [] }
  await caller.call('updateTenantSecurity', { params, body: { autoCert: true, customCertificates } })
  expect(await secretNames(namespace)).toEqual(SECRETS.filter((name) => name !== 'alpha-ca-certificate-0').sort())

  for (const name of ['data0', 'data1'])
    await o.kube.create(resources.persistentVolumeClaims, {
      metadata: { name, namespace, labels: { 'v1.min.io/tenant': 'alpha' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    })
  await caller.call('deleteTenantVolume', { params: { ...params, volume: 'data0' } })
  const { pvcs } = await caller.call('listTenantVolumes', { params })
  expect(pvcs.filter(({ status }) => status !== 'Terminating').map(({ name }) => name)).toEqual(['data1'])
})

import { resources, tenants } from '@stowage/kube'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sendAndReset, webSocketRequest } from '../../support/network/reset-connection.ts'
import {
  type RbacRule,
  runsOnSandbox,
  startOperator,
  type TestOperator,
} from '../../support/operator/start-operator.ts'

let o: TestOperator
beforeAll(async () => {
  o = await startOperator({ release: '7' })
})
afterAll(async () => await o?.[Symbol.asyncDispose]())

const pool = {
  name: 'pool-0',
  servers: 4,
  volumes_per_server: 2,
  volume_configuration: { size: 26843545600, storage_class_name: 'standard' },
}
const keys = [{ access_key: 'anna-console', secret_key: 'correct-horse-battery' }]
const body = (name: string, namespace: string) => ({ name, namespace, pools: [pool], idp: { keys } })
const tenantSecretNames = async (namespace: string) => {
  const { objects } = await o.kube.list(resources.secrets, { namespace, labelSelector: 'v1.min.io/tenant' })
  return objects.map(({ metadata }) => metadata.name).sort()
}
const rule = (apiGroup: string, resource: string, ...verbs: string[]): RbacRule => ({
  apiGroups: [apiGroup],
  resources: [resource],
  verbs,
})

test('a token of the cluster is not a session', async () => {
  const raw = await fetch(`${o.url}/api/v1/tenants`, { headers: { authorization: `Bearer ${o.sandbox.token}` } })
  expect(raw.status).toBe(401)
})

test('a connection that is reset after a refused WebSocket of a tenant does not end the console', async () => {
  expect(await sendAndReset(o.url, webSocketRequest('/tenant/nowhere/none/api/v1/trace'))).toContain('401')
  expect((await fetch(`${o.url}/api/v1/login`)).status).toBe(200)
})

test('objects of a failed creation are deleted, and nothing else', async () => {
  const namespace = await o.newNamespace()
  const metadata = { name: 'alpha-own', namespace, labels: { 'v1.min.io/tenant': 'alpha' } }
  await o.kube.create(resources.secrets, { metadata })
  const caller = await o.signInWith(
    [rule('minio.min.io', 'tenants', 'list', 'get'), rule('', 'secrets', 'create', 'get', 'delete')],
    namespace,
  )
  const failure = await callFailure(caller.call('createTenant', { body: body('alpha', namespace) }))
  expect(failure.status).toBe(403)
  expect(failure.body.detailedMessage).toContain('cannot create resource "tenants"')
  expect(await tenantSecretNames(namespace)).toEqual(['alpha-own'])
})

test('two clicks create one tenant, which keeps its secrets', async () => {
  const namespace = await o.newNamespace()
  const both = await Promise.allSettled(
    [1, 2].map(() => o.admin.call('createTenant', { body: body('alpha', namespace) })),
  )
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const again = await callFailure(o.admin.call('createTenant', { body: body('alpha', namespace) }))
  expect(again.status).toBe(409)
  expect(await tenantSecretNames(namespace)).toEqual(['alpha-env-configuration', 'alpha-user-0'])
})

test('log search is not sent to a cluster that does not support it', async () => {
  const namespace = await o.newNamespace()
  const wanted = { ...body('alpha', namespace), logSearchConfiguration: { storageSize: 5 } }
  const { objects } = await o.admin.call('previewTenant', { body: wanted })
  expect(objects.at(-1)?.yaml).not.toMatch(/^ {2}(log|prometheus|credsSecret):/m)
  await o.admin.call('createTenant', { body: wanted })
  const made = await o.kube.get(tenants, { namespace, name: 'alpha' })
  expect(Object.keys(made.spec ?? {})).not.toContain('log')
  expect(made.spec?.configuration).toEqual({ name: 'alpha-env-configuration' })
})

test('only secrets of the tenant are deleted with its certificates', async () => {
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: body('alpha', namespace) })
  await o.kube.create(resources.secrets, { metadata: { name: 'of-others', namespace } })
  const customCertificates = { secretsToBeDeleted: ['of-others'], minio: [], minioCAs: [] }
  const params = { namespace, tenant: 'alpha' }
  const failure = await callFailure(
    o.admin.call('updateTenantSecurity', { params, body: { autoCert: true, customCertificates } }),
  )
  expect(failure.status).toBe(400)
  await o.kube.get(resources.secrets, { namespace, name: 'of-others' })
})

test.each(['openTenantConsole', 'openTenantHere'] as const)(
  '%s sends no keys to a tenant without TLS before the user agrees',
  async (call) => {
    const namespace = await o.newNamespace()
    await o.admin.call('createTenant', { body: { ...body('alpha', namespace), enable_tls: false } })
    for (const [name, port] of [
      ['minio', 80],
      ['alpha-console', 9090],
    ] as const)
      await o.kube.create(resources.services, { metadata: { name, namespace }, spec: { ports: [{ port }] } })
    const params = { namespace, tenant: 'alpha' }
    const asked = await callFailure(o.admin.call(call, { params, body: {} }))
    expect([asked.status, asked.body.reason?.id]).toEqual([409, 'tenant-without-tls'])
    // It is in no DNS here.
    const agreed = await callFailure(o.admin.call(call, { params, body: { insecure: true } }))
    expect([agreed.status, agreed.body.detailedMessage]).toEqual([502, expect.stringContaining('svc.cluster.local')])
  },
)

test.each(['not a certificate', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----', ''])(
  'a file that is not a certificate is refused: %j',
  async (text) => {
    const namespace = await o.newNamespace()
    await o.admin.call('createTenant', { body: body('alpha', namespace) })
    const crt = Buffer.from(text).toString('base64')
    const customCertificates = { secretsToBeDeleted: [], minio: [{ crt, key: crt }], minioCAs: [] }
    const params = { namespace, tenant: 'alpha' }
    const failure = await callFailure(
      o.admin.call('updateTenantSecurity', { params, body: { autoCert: true, customCertificates } }),
    )
    expect(failure.status).toBe(400)
    expect(await tenantSecretNames(namespace)).toEqual(['alpha-env-configuration', 'alpha-user-0'])
  },
)

test.each(['..%2F..', 'a%2Fb', 'a@b', 'a:b', 'A', '-a'])(
  '%s is not a valid name of a namespace, tenant or pod',
  async (name) => {
    const paths = [
      `/api/v1/namespaces/${name}/tenants`,
      `/api/v1/namespaces/default/tenants/${name}`,
      `/api/v1/namespaces/default/tenants/alpha/pods/${name}`,
    ]
    for (const path of paths) {
      const response = await fetch(o.url + path, { headers: { authorization: `Bearer ${o.admin.session}` } })
      expect([400, 404], path).toContain(response.status)
      expect(await response.text()).not.toContain('"tenants":[')
    }
  },
)

test('variables with secrets are not shown, and a value of two lines is refused', async () => {
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: body('alpha', namespace) })
  const params = { namespace, tenant: 'alpha' }
  const planted = 'postgres://user:planted-secret@host/db'
  await o.admin.call('updateTenantConfiguration', {
    params,
    body: { environmentVariables: [{ key: 'MINIO_AUDIT_DB', value: planted }] },
  })
  const read = await o.admin.call('getTenantConfiguration', { params })
  expect(JSON.stringify(read)).not.toContain('planted-secret')
  expect(read.environmentVariables.find(({ key }) => key === 'MINIO_ROOT_PASSWORD')).toMatchObject({
    value: '',
    secret: true,
  })
  const failure = await callFailure(
    o.admin.call('updateTenantConfiguration', {
      params,
      body: { environmentVariables: [{ key: 'A', value: 'x\nexport MINIO_ROOT_USER="mallory"' }] },
    }),
  )
  expect(failure.status).toBe(400)
})

test('keys with quotes, dollars and backslashes are written as the servers of the image read them', async () => {
  const namespace = await o.newNamespace()
  const params = { namespace, tenant: 'alpha' }
  const secret_key = 'a=b"c$d`e\\f'
  const old = 'minio/minio:RELEASE.2021-11-09T03-21-45Z'
  await o.admin.call('createTenant', { body: { ...body('alpha', namespace), image: old, secret_key } })
  const line = async (name: string) => {
    const secret = await o.kube.get(resources.secrets, { namespace, name: 'alpha-env-configuration' })
    const file = Buffer.from(secret.data?.['config.env'] ?? '', 'base64').toString()
    return file.split('\n').find((each) => each.startsWith(`export ${name}=`))
  }
  const set = (value: string) =>
    o.admin.call('updateTenantConfiguration', { params, body: { environmentVariables: [{ key: 'NOTE', value }] } })
  expect(await line('MINIO_ROOT_PASSWORD')).toBe('export MINIO_ROOT_PASSWORD="a=b\\"c\\$d\\`e\\\\f"')
  await set('"$x"')
  expect(await line('NOTE')).toBe('export NOTE="\\"\\$x\\""')
  await set('$x')

  // An update that fails leaves the file as the present servers read it.
  const newer = { params, body: { image: 'minio/minio:RELEASE.2025-09-07T16-13-09Z' } }
  const rules = [rule('minio.min.io', 'tenants', 'get'), rule('', 'secrets', 'get', 'update')]
  const caller = await o.signInWith(rules, namespace)
  expect((await callFailure(caller.call('updateTenant', newer))).status).toBe(403)
  expect(await line('NOTE')).toBe('export NOTE="\\$x"')

  // A later release reads the file itself, without a shell.
  await o.admin.call('updateTenant', newer)
  expect(await line('MINIO_ROOT_PASSWORD')).toBe(`export MINIO_ROOT_PASSWORD="${secret_key}"`)
  expect(await line('NOTE')).toBe('export NOTE="$x"')
  const { environmentVariables } = await o.admin.call('getTenantConfiguration', { params })
  expect(environmentVariables).toContainEqual({ key: 'NOTE', value: '$x', secret: false })
  const refused = await callFailure(set('"$x"'))
  expect([refused.status, refused.body.reason?.id]).toEqual([400, 'configuration-value-quoted'])
  expect(await line('NOTE')).toBe('export NOTE="$x"')
})

test('the YAML of another tenant, a bomb of aliases and an old version are refused', async () => {
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: body('alpha', namespace) })
  const params = { namespace, tenant: 'alpha' }
  const { yaml, resourceVersion } = await o.admin.call('getTenantYaml', { params })
  const save = (text: string) => callFailure(o.admin.call('updateTenantYaml', { params, body: { yaml: text } }))
  expect((await save(yaml.replace('name: alpha', 'name: beta'))).status).toBe(400)
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(9)}*a]\nc: &c [${'*b,'.repeat(9)}*b]\nd: [${'*c,'.repeat(9)}*c]\n`
  expect((await save(bomb)).status).toBe(400)
  await o.admin.call('updateTenant', { params, body: { image: 'minio/minio:theirs' } })
  const old = await callFailure(o.admin.call('updateTenantYaml', { params, body: { yaml, resourceVersion } }))
  expect([old.status, old.body.cause]).toEqual([409, 'Conflict'])
})

test.skipIf(!runsOnSandbox)('rights are checked before anything is changed', async () => {
  const caller = await o.signInWith([rule('minio.min.io', 'tenants', 'list')])
  const ask = (verb: string) => ({ id: verb, verb, group: 'minio.min.io', resource: 'tenants' })
  const { permissions } = await caller.call('reviewAccess', { body: { actions: [ask('list'), ask('delete')] } })
  expect(permissions.map(({ id, can }) => [id, can])).toEqual([
    ['list', true],
    ['delete', false],
  ])
  // Answers are kept for a while, so that each page does not ask again.
  o.sandbox.setFaults([{ on: { verb: 'create', resource: 'selfsubjectaccessreviews' }, status: 500 }])
  expect((await caller.call('reviewAccess', { body: { actions: [ask('list')] } })).permissions[0]?.can).toBe(true)
  expect((await callFailure(caller.call('reviewAccess', { body: { actions: [ask('watch')] } }))).status).toBe(502)
  o.sandbox.setFaults([])
})

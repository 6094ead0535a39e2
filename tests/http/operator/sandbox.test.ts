import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { resources } from '@stowage/kube'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLiveClient } from '../../support/console/live-socket.ts'
import { startOperator, startTenantCluster, type TestOperator } from '../../support/operator/start-operator.ts'

const program = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url))

let o: TestOperator
let folder: string
const failures: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-cluster-'))
  o = await startOperator({
    cluster: await startTenantCluster({
      folder,
      program,
      stores: 1,
      onError: (what, error) => failures.push(`${what}: ${error}`),
    }),
    env: { STOWAGE_TENANT_URL: 'http://127.0.0.1:{nodePort}', STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
  })
})
afterAll(async () => {
  await o?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const body = (name: string, namespace: string) => ({
  name,
  namespace,
  pools: [
    {
      name: 'pool-0',
      servers: 4,
      volumes_per_server: 2,
      volume_configuration: { size: 26843545600, storage_class_name: 'standard' },
      resources: { requests: { memory: 2147483648 } },
    },
  ],
})

test('a tenant of the sandbox becomes green, works as a store, and is deleted [TNT-18] [TNT-36] [TNT-37] [TNT-38] [TNT-35] [STO-03]', async () => {
  const namespace = await o.newNamespace()
  const user = { access_key: 'anna-console', secret_key: 'correct-horse' }
  await o.admin.call('createTenant', { body: { ...body('alpha', namespace), idp: { keys: [user] } } })
  const params = { namespace, tenant: 'alpha' }
  await expect
    .poll(async () => (await o.admin.call('getTenant', { params })).status, { interval: 200 })
    .toMatchObject({ health_status: 'green', drives_online: 8, drives_offline: 0, write_quorum: 5 })
  expect(await o.admin.call('getTenant', { params })).toMatchObject({
    currentState: 'Initialized',
    endpoints: { minio: 'https://127.0.0.1', console: 'https://127.0.0.1:9443' },
  })
  expect(await o.admin.call('getTenantUsage', { params })).toMatchObject({ used: 0, disk_used: expect.any(Number) })

  const happened = (await o.admin.call('listTenantEvents', { params })).map(({ reason }) => reason)
  expect(happened).toEqual(expect.arrayContaining(['CSRCreated', 'SvcCreated', 'PoolCreated', 'UsersCreated']))
  const { csrElement } = await o.admin.call('listTenantCsrs', { params })
  expect(csrElement).toMatchObject([{ name: `alpha-${namespace}-csr`, status: 'Approved' }])
  // The first user can sign in to the tenant's console.
  const { spec } = await o.kube.get(resources.services, { namespace, name: 'alpha-console' })
  const console = `http://127.0.0.1:${spec?.ports?.[0]?.nodePort}/api/v1`
  const signIn = (accessKey: string, secretKey: string) =>
    fetch(`${console}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ accessKey, secretKey }),
    })
  expect((await signIn(user.access_key, user.secret_key)).ok).toBe(true)

  const pods = await o.admin.call('listTenantPods', { params })
  expect(pods.map(({ name, status }) => [name, status]).sort()).toEqual(
    [0, 1, 2, 3].map((n) => [`alpha-pool-0-${n}`, 'Running']),
  )
  const pod = { ...params, pod: 'alpha-pool-0-0' }
  expect(await o.admin.call('getPodLog', { params: pod })).toContain('is ready')
  const live = await openLiveClient(o.admin, 'followPodLog', { params: pod })
  expect(String(await live.message())).toContain('Sandbox')
  await live[Symbol.asyncDispose]()
  const foreign = await openLiveClient(o.admin, 'followPodLog', { params: { ...pod, tenant: 'beta' } })
  expect((await foreign.closed).reason).toBe('not found')
  await using together = await openLiveClient(o.admin, 'followTenantLog', { params, query: { tailLines: 1 } })
  const heard = new Set<unknown>()
  while (heard.size < 4) heard.add((await together.message()).pod)
  expect([...heard].sort()).toEqual([0, 1, 2, 3].map((n) => `alpha-pool-0-${n}`))

  // The embedded store has one pool and does not support this call.
  const { supported } = await o.admin.call('listPoolStates', { params })
  expect(supported).toBe(false)
  expect(await o.admin.call('getTenantDrift', { params })).toEqual({ differences: [], unread: [] })
  const reader = await o.signInWith(
    [{ apiGroups: ['minio.min.io'], resources: ['tenants'], verbs: ['get'] }],
    namespace,
  )
  expect(await reader.call('getTenantDrift', { params })).toEqual({
    differences: [],
    unread: ['persistentvolumeclaims', 'pods', 'secrets', 'statefulsets'],
  })
  const secret = { namespace, name: 'alpha-env-configuration' }
  const configuration = await o.kube.get(resources.secrets, secret)
  await o.kube.update(resources.secrets, { ...configuration, data: { planted: 'cGxhbnRlZC1zZWNyZXQ=' } })
  const drift = await o.admin.call('getTenantDrift', { params })
  expect(drift.differences).toEqual([
    { kind: 'Secret', name: 'alpha-env-configuration', field: 'keys', wanted: 'config.env', found: 'planted' },
  ])
  expect(JSON.stringify(drift)).not.toMatch(/cGxhbnRlZ|planted-secret/)
  const changed = await o.kube.get(resources.secrets, secret)
  await o.kube.update(resources.secrets, { ...changed, data: configuration.data ?? {} })

  const events = await o.admin.call('listPodEvents', { params: pod })
  expect(events.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['Scheduled', 'Pulled', 'Started']))
  const scheduled = events.find(({ reason }) => reason === 'Scheduled')
  expect(scheduled).toMatchObject({ namespace, event_type: 'Normal', message: expect.stringMatching(/./) })
  expect(Math.abs((scheduled?.last_seen ?? 0) - Date.now() / 1000)).toBeLessThan(600)

  const { pvcs } = await o.admin.call('listVolumes', { query: {} })
  const ours = pvcs.filter((each) => each.namespace === namespace)
  expect(ours).toHaveLength(8)
  expect(ours[0]).toMatchObject({ status: 'Bound', tenant: 'alpha', capacity: '26843545600', storageClass: 'standard' })

  const before = pods.find(({ name }) => name === 'alpha-pool-0-1')
  await o.admin.call('deletePod', { params: { ...params, pod: 'alpha-pool-0-1' } })
  await expect
    .poll(
      async () => (await o.admin.call('listTenantPods', { params })).find(({ name }) => name === 'alpha-pool-0-1'),
      {
        interval: 200,
      },
    )
    .toMatchObject({ status: 'Running', podIP: expect.not.stringMatching(`^${before?.podIP}$`) })

  // The restarted pod is followed too, from its first line.
  for (;;) if ((await together.message()).pod === 'alpha-pool-0-1') break

  // The servers start again with a changed password, at the same address; the operator reports what is used.
  const environmentVariables = [{ key: 'MINIO_ROOT_PASSWORD', value: 'another-password' }]
  const { MINIO_ROOT_USER: root = '' } = Object.fromEntries(
    (await o.admin.call('getTenantConfiguration', { params })).environmentVariables.map(({ key, value }) => [
      key,
      value,
    ]),
  )
  await o.admin.call('updateTenantConfiguration', { params, body: { environmentVariables } })
  const asRoot = async () => await signIn(root, 'another-password').catch(() => undefined)
  await expect.poll(async () => (await asRoot())?.ok, { interval: 200 }).toBe(true)
  const cookie = (await asRoot())?.headers.get('set-cookie')?.replace(/;.*/, '') ?? ''
  const headers = { cookie, 'content-type': 'application/json' }
  const bucket = JSON.stringify({ name: 'photos' })
  expect((await fetch(`${console}/buckets`, { method: 'POST', headers, body: bucket })).ok).toBe(true)
  const form = new FormData()
  form.set('file', new Blob(['x'.repeat(54_321)]), 'a.txt')
  const upload = `${console}/buckets/photos/objects/upload?prefix=`
  expect((await fetch(upload, { method: 'POST', headers: { cookie }, body: form })).ok).toBe(true)
  const usage = async () =>
    (await o.admin.call('listTenants', { query: {} })).tenants.find((each) => each.namespace === namespace)
  await expect
    .poll(usage, { interval: 200 })
    .toMatchObject({ capacity_usage: 54_321, health_status: 'green', currentState: 'Initialized' })

  await o.admin.call('deleteTenant', { params, body: { delete_pvcs: true } })
  await expect
    .poll(
      async () =>
        (await o.admin.call('listVolumes', { query: {} })).pvcs.filter((each) => each.namespace === namespace),
      {
        interval: 200,
      },
    )
    .toEqual([])
  expect(failures).toEqual([])
})

test('an edited pool gets its servers on other nodes, without a drift', async () => {
  const namespace = await o.newNamespace()
  const params = { namespace, tenant: 'beta' }
  await o.admin.call('createTenant', { body: body('beta', namespace) })
  const drift = async () => (await o.admin.call('getTenantDrift', { params })).differences
  const settled = async () => await expect.poll(drift, { interval: 100 }).toEqual([])
  await settled()
  const pools = body('beta', namespace).pools.map((pool) => ({
    ...pool,
    resources: { requests: { memory: 4294967296 } },
    node_selector: { 'kubernetes.io/hostname': 'node3' },
  }))
  await o.admin.call('setTenantPools', { params, body: { pools } })
  const nodes = async () => (await o.admin.call('listTenantPods', { params })).map(({ node }) => node)
  await expect.poll(nodes, { interval: 100 }).toEqual(['node3', 'node3', 'node3', 'node3'])
  await settled()
  await o.admin.call('deleteTenant', { params, body: { delete_pvcs: true } })
  expect(failures).toEqual([])
})

import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { resources } from '@stowage/kube'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { runsOnSandbox, startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

let o: TestOperator
beforeAll(async () => {
  o = await startOperator({ release: '7' })
})
afterAll(async () => await o?.[Symbol.asyncDispose]())

const pool = { name: 'pool-0', servers: 4, volumes_per_server: 1, volume_configuration: { size: 2 ** 30 } }
async function newTenant(name = 'alpha') {
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: { name, namespace, pools: [pool] } })
  return { namespace, tenant: name }
}
async function newVolume(namespace: string, name: string, labels: Record<string, string>) {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '3Gi' } } }
  await o.kube.create(resources.persistentVolumeClaims, { metadata: { name, namespace, labels }, spec })
}
const of = (tenant: string) => ({ 'v1.min.io/tenant': tenant })

test('volumes and secrets of a deleted tenant are listed with their sizes, and deleted by choice', async () => {
  const params = await newTenant()
  await newVolume(params.namespace, 'data0-alpha-pool-0-0', of('alpha'))
  await newVolume(params.namespace, 'alpha-log', { 'v1.min.io/log-pg': 'alpha-log' })
  await newVolume(params.namespace, 'data0-beta-pool-0-0', of('beta'))
  await o.admin.call('deleteTenant', { params })
  const left = async () => await o.admin.call('getTenantLeftovers', { params })
  expect(await left()).toMatchObject({
    volumes: [
      { name: 'data0-alpha-pool-0-0', size: 3 * 2 ** 30 },
      { name: 'alpha-log', size: 3 * 2 ** 30 },
    ],
    secrets: [{ name: 'alpha-env-configuration' }],
  })
  // As in the original, the secrets are deleted with the volumes.
  await o.admin.call('deleteTenant', { params, body: { delete_pvcs: true } })
  expect(await left()).toEqual({ volumes: [], secrets: [] })
  await o.kube.get(resources.persistentVolumeClaims, { namespace: params.namespace, name: 'data0-beta-pool-0-0' })
})

test('former tenants are listed with what they left, and it is deleted only while no tenant has their name', async () => {
  const params = await newTenant('former')
  const { namespace } = params
  await newVolume(namespace, 'data0-former-pool-0-0', of('former'))
  await newVolume(namespace, 'former-log', { 'v1.min.io/log-pg': 'former-log' })
  await newVolume(namespace, 'former-prometheus', { 'v1.min.io/prometheus': 'former-prometheus' })
  await newVolume(namespace, 'data0-other-pool-0-0', of('other'))
  // No tenant can have this name.
  await newVolume(namespace, 'strange', of('No_Tenant'))
  const listed = async (caller = o.admin) =>
    (await caller.call('listFormerTenants', { query: { namespaces: namespace } })).tenants
  const other = { namespace, tenant: 'other', volumes: 1, size: 3 * 2 ** 30, secrets: 0 }
  const former = { namespace, tenant: 'former', volumes: 3, size: 9 * 2 ** 30, secrets: 1 }
  const body = { volumes: true, secrets: true }

  // The tenant exists.
  expect(await listed()).toEqual([other])
  const refused = await callFailure(o.admin.call('deleteTenantLeftovers', { params, body }))
  expect([refused.status, refused.body.reason?.id]).toEqual([409, 'tenant-not-former'])
  await o.admin.call('deleteTenant', { params })
  expect(await listed()).toEqual([former, other])
  const everywhere = (await o.admin.call('listFormerTenants', { query: {} })).tenants
  expect(everywhere).toEqual(expect.arrayContaining([former, other]))

  const rule = (apiGroup: string, ...kinds: string[]) => ({ apiGroups: [apiGroup], resources: kinds, verbs: ['list'] })
  const reader = await o.signInWith([rule('', 'persistentvolumeclaims'), rule('minio.min.io', 'tenants')], namespace)
  expect(await listed(reader)).toEqual([
    { ...former, secrets: null },
    { ...other, secrets: null },
  ])
  expect((await callFailure(reader.call('deleteTenantLeftovers', { params, body }))).status).toBe(403)

  await o.admin.call('deleteTenantLeftovers', { params, body: { volumes: true, secrets: false } })
  expect(await listed()).toEqual([{ ...former, volumes: 0, size: 0 }, other])
  await o.admin.call('deleteTenantLeftovers', { params, body })
  expect(await listed()).toEqual([other])
})

test('a volume is described and deleted, but not one in use or of another tenant', async () => {
  const { namespace, tenant } = await newTenant()
  await newVolume(namespace, 'data0', of(tenant))
  await newVolume(namespace, 'used', of(tenant))
  await newVolume(namespace, 'foreign', of('beta'))
  await o.kube.create(resources.pods, {
    metadata: { name: 'user', namespace },
    spec: {
      containers: [{ name: 'a', image: 'a' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }],
    },
  })
  const at = (volume: string) => ({ params: { namespace, tenant, volume } })
  expect((await o.admin.call('describeVolume', at('data0'))).yaml).toContain('storage: 3Gi')
  // The controllers of a real cluster report that the claim waits.
  const events = await o.admin.call('listVolumeEvents', at('data0'))
  if (runsOnSandbox) expect(events).toEqual([])
  const used = await callFailure(o.admin.call('deleteTenantVolume', at('used')))
  expect([used.status, used.body.reason?.id]).toEqual([409, 'volume-in-use'])
  for (const call of ['deleteTenantVolume', 'describeVolume', 'listVolumeEvents'] as const)
    expect([call, (await callFailure(o.admin.call(call, at('foreign')))).status]).toEqual([call, 404])
  await o.admin.call('deleteTenantVolume', at('data0'))
  const { pvcs } = await o.admin.call('listTenantVolumes', { params: { namespace, tenant } })
  // A claim in use stays until its pod is gone.
  expect(pvcs.filter(({ status }) => status !== 'Terminating').map(({ name }) => name)).toEqual(['used'])
})

test('more than ten tenants are listed, and a page of them on request', async () => {
  const made = await Promise.all(Array.from({ length: 12 }, (_, n) => newTenant(`many-${n}`)))
  const namespaces = made.map(({ namespace }) => namespace)
  const all = await o.admin.call('listTenants', { query: {} })
  expect(all.tenants.filter(({ namespace }) => namespaces.includes(namespace ?? ''))).toHaveLength(12)
  const page = await o.admin.call('listTenants', { query: { limit: 5, offset: 2 } })
  expect(page.tenants.map(({ name }) => name)).toEqual(all.tenants.slice(2, 7).map(({ name }) => name))
})

test('the log of the previous run is that of the chosen container', async () => {
  const { ca, cert, key } = await o.sandbox.kubeletCertificate()
  const options = { ca, cert, key, requestCert: true, rejectUnauthorized: true }
  const kubelet = createServer(options, ({ url }, response) => response.end(url)).listen(0, '127.0.0.1')
  await once(kubelet, 'listening')
  const name = o.freshName('kubelet')
  await o.kube.create(resources.nodes, { metadata: { name } })
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: (kubelet.address() as AddressInfo).port } },
  }
  await o.kube.mergePatch(resources.nodes, { name }, { status }, { subresource: 'status' })
  const { namespace, tenant } = await newTenant()
  await o.kube.create(resources.pods, {
    metadata: { name: 'alpha-pool-0-0', namespace, labels: of(tenant) },
    spec: {
      nodeName: name,
      containers: [
        { name: 'sidecar', image: 'a' },
        { name: 'minio', image: 'b' },
      ],
    },
  })
  const params = { namespace, tenant, pod: 'alpha-pool-0-0' }
  const read = async (query: { container?: string; previous?: 'true' }) =>
    await o.admin.call('getPodLog', { params, query })
  expect(await read({})).toMatch(/alpha-pool-0-0\/minio\?(?!.*previous)/)
  expect(await read({ container: 'sidecar', previous: 'true' })).toMatch(/alpha-pool-0-0\/sidecar\?.*previous=true/)
  expect((await callFailure(read({ container: 'other' }))).status).toBe(400)
  kubelet.closeAllConnections()
  kubelet.close()
})

import { resources, tenants } from '@stowage/kube'
import { createAuthority } from '@stowage/sandbox-kube/pki'
import type { StatefulSet } from 'kubernetes-types/apps/v1'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

let o: TestOperator
beforeAll(async () => {
  // Its operator reports certificates.
  o = await startOperator({ release: '7' })
})
afterAll(async () => await o?.[Symbol.asyncDispose]())

const DAY_MS = 86_400_000
const base64 = (text: string) => Buffer.from(text).toString('base64')
const containers = [{ name: 'minio', image: 'minio/minio:old', resources: { requests: { memory: '3Gi' } } }]

/** Creates the StatefulSet of a tenant's pool, whose pods and volume claims the cluster creates; no kubelet runs them. */
async function newSet(namespace: string, name: string, replicas: number) {
  const labels = { 'v1.min.io/tenant': name, 'v1.min.io/pool': 'pool-0' }
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  const set: StatefulSet = {
    metadata: { name: `${name}-pool-0`, namespace, labels },
    spec: {
      replicas,
      serviceName: `${name}-hl`,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
      volumeClaimTemplates: [{ metadata: { name: 'data0' }, spec: claim }],
    },
  }
  await o.kube.create(resources.statefulSets, set)
  const pods = async () => (await o.admin.call('listTenantPods', { params: { namespace, tenant: name } })).length
  await expect.poll(pods, { interval: 50, timeout: 20_000 }).toBe(replicas)
}

const listReadiness = async (namespace: string) =>
  (await o.admin.call('listTenantReadiness', { query: { namespaces: namespace } })).tenants

async function setStatus(namespace: string, name: string, status: object) {
  await o.kube.mergePatch(resources.pods, { namespace, name }, { status }, { subresource: 'status' })
}

const condition = (type: string, status: 'True' | 'False', message = '') => ({
  type,
  status,
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
})

async function warn(
  namespace: string,
  about: { kind: string; name: string; uid: string },
  message: string,
  at: string,
) {
  await o.kube.create(resources.events, {
    metadata: { name: o.freshName('event'), namespace },
    involvedObject: { apiVersion: 'v1', namespace, ...about },
    type: 'Warning',
    reason: 'Failed',
    message,
    lastTimestamp: at,
    source: { component: 'test' },
  })
}

test('ready pods are counted for each tenant, and the first that is not ready is named', async () => {
  const [namespace, other] = [await o.newNamespace(), await o.newNamespace()]
  await newSet(namespace, 'alpha', 2)
  await newSet(other, 'alpha', 1)
  expect(await listReadiness(namespace)).toEqual([
    { namespace, name: 'alpha', pods: 2, pods_ready: 0, pods_outdated: 0, waiting: expect.anything() },
  ])
  await setStatus(namespace, 'alpha-pool-0-0', { phase: 'Running', conditions: [condition('Ready', 'True')] })
  await setStatus(namespace, 'alpha-pool-0-1', {
    phase: 'Pending',
    conditions: [condition('PodScheduled', 'False', '0/4 nodes are available: 4 Insufficient memory.')],
  })
  await expect
    .poll(() => listReadiness(namespace), { interval: 50, timeout: 20_000 })
    .toMatchObject([{ pods: 2, pods_ready: 1 }])
  expect(await listReadiness(namespace)).toMatchObject([
    { waiting: { pod: 'alpha-pool-0-1', message: '0/4 nodes are available: 4 Insufficient memory.' } },
  ])
  const all = (await o.admin.call('listTenantReadiness', { query: {} })).tenants
  expect(all.filter((each) => [namespace, other].includes(each.namespace))).toHaveLength(2)

  // The last pod gets the new image first; while it is not ready, the other one is not replaced.
  const template = { spec: { containers: [{ ...containers[0], image: 'minio/minio:new' }] } }
  await o.kube.mergePatch(resources.statefulSets, { namespace, name: 'alpha-pool-0' }, { spec: { template } })
  await expect
    .poll(() => listReadiness(namespace), { interval: 50, timeout: 20_000 })
    .toMatchObject([{ pods: 2, pods_ready: 1, pods_outdated: 1 }])

  // Without the right to list pods there is only the count.
  const right = (group: string, plural: string) => ({ apiGroups: [group], resources: [plural], verbs: ['list'] })
  const caller = await o.signInWith([right('apps', 'statefulsets')], namespace)
  expect((await caller.call('listTenantReadiness', { query: { namespaces: namespace } })).tenants).toEqual([
    { namespace, name: 'alpha', pods: 2, pods_ready: 1, pods_outdated: 1 },
  ])
})

test('a pod that is not ready is explained by its events and by the claim that is not bound', async () => {
  const namespace = await o.newNamespace()
  await newSet(namespace, 'beta', 2)
  const podMessage = async (name: string) => {
    const pods = await o.admin.call('listTenantPods', { params: { namespace, tenant: 'beta' } })
    return pods.find((pod) => pod.name === name)?.message
  }
  const objectUid = async (kind: 'pods' | 'persistentVolumeClaims', name: string) =>
    (await o.kube.get<object & { metadata?: object }>(resources[kind], { namespace, name })).metadata.uid
  const pod = { kind: 'Pod', name: 'beta-pool-0-0', uid: await objectUid('pods', 'beta-pool-0-0') }
  await setStatus(namespace, pod.name, {
    phase: 'Pending',
    containerStatuses: [
      {
        ...{ name: 'minio', image: 'minio/minio:old', imageID: '', ready: false, restartCount: 0 },
        state: { waiting: { reason: 'ContainerCreating' } },
      },
    ],
  })
  expect(await podMessage(pod.name)).toBe('ContainerCreating')
  await warn(namespace, pod, 'Unable to attach the volume', '2026-01-01T00:00:00Z')
  await warn(namespace, pod, 'MountVolume.SetUp failed', '2026-01-01T00:01:00Z')
  expect(await podMessage(pod.name)).toBe('MountVolume.SetUp failed')

  const claim = { kind: 'PersistentVolumeClaim', name: 'data0-beta-pool-0-1' }
  const unbound = 'pod has unbound immediate PersistentVolumeClaims'
  await setStatus(namespace, 'beta-pool-0-1', {
    phase: 'Pending',
    conditions: [condition('PodScheduled', 'False', unbound)],
  })
  expect(await podMessage('beta-pool-0-1')).toBe(unbound)
  const uid = await objectUid('persistentVolumeClaims', claim.name)
  await warn(namespace, { ...claim, uid }, 'no space left on the array', '2026-01-01T00:00:00Z')
  expect(await podMessage('beta-pool-0-1')).toBe(
    `${unbound} PersistentVolumeClaim/${claim.name}: no space left on the array`,
  )
  await setStatus(namespace, pod.name, { phase: 'Running', conditions: [condition('Ready', 'True')] })
  await o.kube.mergePatch(
    resources.pods,
    { namespace, name: pod.name },
    { status: { containerStatuses: null } },
    {
      subresource: 'status',
    },
  )
  expect(await podMessage(pod.name)).toBe('')
})

test('the certificate of a tenant that ends next is found in its secrets, or reported by its operator', async () => {
  const namespace = await o.newNamespace()
  const authority = await createAuthority('test')
  const secret = async (name: string, days: number, keys: [string, string]) => {
    const pair = await authority.issue({ commonName: name, usage: 'server', validMs: days * DAY_MS })
    const data = { [keys[0]]: base64(pair.cert), [keys[1]]: base64(pair.key) }
    await o.kube.create(resources.secrets, { metadata: { name, namespace }, data })
  }
  await secret('gamma-tls', 200, ['public.crt', 'private.key'])
  await secret('own', 6, ['tls.crt', 'tls.key'])
  const pools = [{ name: 'pool-0', servers: 4, volumesPerServer: 1, volumeClaimTemplate: { spec: {} } }]
  const made = await o.kube.create(tenants, { metadata: { name: 'gamma', namespace }, spec: { pools } })
  const ending = async (caller = o.admin) => {
    const { certificates, complete } = await caller.call('listTenantCertificates', { query: { namespaces: namespace } })
    return [
      certificates.map((each) => [each.secret, Math.round((Date.parse(each.expiry) - Date.now()) / DAY_MS)]),
      complete,
    ]
  }
  expect(await ending()).toEqual([[['gamma-tls', 200]], true])
  const externalCertSecret = [{ name: 'own', type: 'kubernetes.io/tls' }, { name: 'lost' }]
  await o.kube.update(tenants, { ...made, spec: { ...made.spec, pools, externalCertSecret } })
  expect(await ending()).toEqual([[['own', 6]], true])
  const right = { apiGroups: ['minio.min.io'], resources: ['tenants'], verbs: ['list'] }
  const reader = await o.signInWith([right], namespace)
  expect(await ending(reader)).toEqual([[], false])
  const expiry = new Date(Date.now() + 4 * DAY_MS).toISOString()
  const status = {
    ...{ availableReplicas: 0, currentState: 'Initialized', pools: [], revision: 0, syncVersion: '' },
    certificates: {
      customCertificates: {
        minio: [
          { certName: 'seen', expiry },
          { certName: 'odd', expiry: 'soon' },
        ],
      },
    },
  }
  await o.kube.mergePatch(tenants, { namespace, name: 'gamma' }, { status }, { subresource: 'status' })
  expect(await ending(reader)).toEqual([[['seen', 4]], false])
})

test('nodes are listed with the memory that their pods leave, and with what closes them', async () => {
  const namespace = await o.newNamespace()
  const findNode = async (name: string, caller = o.admin) =>
    (await caller.call('listNodes', {})).nodes.find((node) => node.name === name)
  const before = await findNode('node1')
  expect(before).toMatchObject({ closed: '', memory: 16 * 2 ** 30, labels: { disktype: 'nvme' } })
  const spec = { containers, nodeName: 'node1' }
  await o.kube.create(resources.pods, { metadata: { name: 'busy', namespace }, spec })
  expect((await findNode('node1'))?.memory_left).toBe((before?.memory_left ?? 0) - 3 * 2 ** 30)
  const list = { apiGroups: [''], resources: ['nodes'], verbs: ['list'] }
  expect(await findNode('node1', await o.signInWith([list]))).toMatchObject({ memory: 16 * 2 ** 30, memory_left: null })

  const set = (change: object) => o.kube.mergePatch(resources.nodes, { name: 'node2' }, { spec: change })
  await set({ unschedulable: true })
  expect((await findNode('node2'))?.closed).toBe('unschedulable')
  await set({ unschedulable: null, taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] })
  expect((await findNode('node2'))?.closed).toBe('dedicated=gpu:NoSchedule')
  await set({ taints: null })
})

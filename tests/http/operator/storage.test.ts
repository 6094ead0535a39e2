import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineResource, type KubeObject, resources, tenants } from '@stowage/kube'
import { directCsiDefinitions, directPvDefinitions } from '@stowage/sandbox-operator'
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { openLiveClient } from '../../support/console/live-socket.ts'
import {
  startOperator,
  startTenantCluster,
  type TestOperator,
  waitUntilEstablished,
} from '../../support/operator/start-operator.ts'

const program = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url))
const GI = 2 ** 30

let o: TestOperator
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-cluster-'))
  const node = (n: number, memory: string) => ({ name: `node${n}`, memory })
  const drive = (name: string, status: string, filesystem = '') => ({
    node: 'node1',
    name,
    size: 2e12,
    status,
    filesystem,
  })
  o = await startOperator({
    cluster: await startTenantCluster({
      folder,
      program,
      stores: 0,
      scenario: {
        nodes: [node(1, '64Gi'), node(2, '8Gi'), node(3, '32Gi'), node(4, '16Gi'), node(5, '48Gi')],
        drives: {
          manager: 'direct-csi',
          list: [
            drive('sdc', 'Available'),
            drive('sdb', 'InUse'),
            drive('sdd', 'Available', 'ext4'),
            drive('sde', 'Ready'),
            drive('sdf', 'Unavailable'),
          ],
        },
      },
    }),
  })
})
afterAll(async () => {
  await o?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

test('the memory is the minimum among the largest nodes [WIZ-62]', async () => {
  const memory = async (num_nodes: number) => await o.admin.call('getMaxAllocatableMemory', { query: { num_nodes } })
  expect(await memory(4)).toEqual({ max_memory: 16 * GI })
  expect(await memory(5)).toEqual({ max_memory: 8 * GI })
  for (const count of [3, 6]) {
    const failure = await callFailure(o.admin.call('getMaxAllocatableMemory', { query: { num_nodes: count } }))
    expect(failure.status).toBe(507)
  }
})

test('drives are listed with their nodes, sizes and volumes [STO-07] [STO-09]', async () => {
  const volume = defineResource<KubeObject & { status: unknown }>({
    group: 'direct.csi.min.io',
    version: 'v1beta1',
    plural: 'directcsivolumes',
    kind: 'DirectCSIVolume',
    namespaced: false,
  })
  await o.kube.create(volume, {
    metadata: { name: 'volume-1' },
    status: { drive: 'node1-sdb', nodeName: 'node1', totalCapacity: 1e9 },
  })
  const { drives } = await o.admin.call('listDrives', { query: {} })
  expect(drives.map(({ drive }) => drive)).toEqual(['/dev/sdb', '/dev/sdc', '/dev/sdd', '/dev/sde', '/dev/sdf'])
  expect(drives[0]).toEqual({
    node: 'node1',
    drive: '/dev/sdb',
    capacity: 2e12,
    allocated: 0,
    volumes: 1,
    status: 'InUse',
    message: '',
  })
  expect(await o.admin.call('listDriveVolumes', { query: {} })).toEqual({
    volumes: [{ volume: 'volume-1', capacity: 1e9, node: 'node1', drive: '/dev/sdb' }],
  })
})

test('drives are formatted by node:drive; each that cannot be is an issue [STO-10]', async () => {
  const format = async (force: boolean, ...drives: string[]) =>
    (await o.admin.call('formatDrives', { body: { drives, force } })).formatIssuesList
  const all = ['sdb', 'sdc', 'sdd', 'sde', 'sdf', 'sdx'].map((name) => `node1:/dev/${name}`)
  expect(await format(false, ...all)).toEqual([
    { node: 'node1', drive: '/dev/sdb', error: 'Drive in use. Cannot be formatted' },
    { node: 'node1', drive: '/dev/sdd', error: 'Drive already has a fs. Use force to overwrite' },
    { node: 'node1', drive: '/dev/sde', error: 'Drive already owned and managed. Use force to overwrite' },
    { node: 'node1', drive: '/dev/sdf', error: 'Status is unavailable' },
    { node: 'node1', drive: '/dev/sdx', error: 'The drive does not exist' },
  ])
  const drive = defineResource<KubeObject & { spec?: unknown }>({
    group: 'direct.csi.min.io',
    version: 'v1beta1',
    plural: 'directcsidrives',
    kind: 'DirectCSIDrive',
    namespaced: false,
  })
  const read = async (name: string) => (await o.kube.get(drive, { name })).spec
  expect(await read('node1-sdc')).toEqual({
    directCSIOwned: true,
    requestedFormat: { filesystem: 'xfs', force: false },
  })
  expect(await read('node1-sdd')).toBeUndefined()
  expect(await format(true, 'node1:/dev/sdd', 'node1:/dev/sde')).toEqual([])
  expect(await read('node1-sdd')).toMatchObject({ requestedFormat: { force: true } })
})

test.each(['sdb', 'node1', 'node1:sdb', ':/dev/sdb', 'node1:/dev/'])('%j is not a drive', async (text) => {
  const failure = await callFailure(o.admin.call('formatDrives', { body: { drives: [text], force: true } }))
  expect(failure.status).toBe(400)
})

test('without the right to change drives none is formatted, with an issue for each', async () => {
  const rule = (apiGroup: string, ...kinds: string[]) => ({
    apiGroups: [apiGroup],
    resources: kinds,
    verbs: ['get', 'list'],
  })
  const reader = await o.signInWith([rule('direct.csi.min.io', 'directcsidrives', 'directcsivolumes')])
  const { formatIssuesList } = await reader.call('formatDrives', {
    body: { drives: ['node1:/dev/sdc'], force: true },
  })
  expect(formatIssuesList).toEqual([
    { node: 'node1', drive: '/dev/sdc', error: expect.stringContaining('cannot update resource "directcsidrives"') },
  ])
})

test('console certificates are among those of the servers', async () => {
  const namespace = await o.newNamespace()
  const { cert, key } = await o.sandbox.kubeletCertificate()
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const pair = { crt: encoded(cert), key: encoded(key) }
  await o.admin.call('createTenant', {
    body: {
      name: 'alpha',
      namespace,
      pools: [{ servers: 4, volumes_per_server: 1, volume_configuration: { size: GI } }],
      tls: { minio: [pair], console: pair, ca_certificates: [pair.crt], console_ca_certificates: [pair.crt] },
    },
  })
  const { objects } = await o.kube.list(resources.secrets, { namespace, labelSelector: 'v1.min.io/tenant=alpha' })
  expect(objects.map(({ metadata }) => metadata.name)).toEqual(
    expect.arrayContaining([
      'alpha-secret-instance-external-certificates-1',
      'alpha-ca-certificate-0',
      'alpha-ca-certificate-1',
    ]),
  )
})

test('a tenant that the sandbox has no process for says so, and has neither health nor drives', async () => {
  const namespace = await o.newNamespace()
  const pool = { servers: 4, volumes_per_server: 1, volume_configuration: { size: GI } }
  await o.admin.call('createTenant', { body: { name: 'beta', namespace, pools: [pool] } })
  const at = { namespace, name: 'beta' }
  const running = async () => {
    const pods = await o.kube.list(resources.pods, { namespace })
    return pods.objects.filter(({ status }) => status?.phase === 'Running').length
  }
  await expect.poll(running, { interval: 50 }).toBe(4)
  const seen: unknown[] = []
  await expect
    .poll(
      async () => {
        const { status } = await o.kube.get(tenants, at)
        seen.push(status?.drivesOnline ?? 0, status?.availableReplicas ?? 0)
        return status
      },
      { interval: 50 },
    )
    .toMatchObject({ healthStatus: 'red', healthMessage: expect.stringContaining('Not started'), drivesOffline: 4 })
  expect(new Set(seen)).toEqual(new Set([0]))
})

/** Replaces the definitions of kinds, and with them all their objects. */
async function redefine(definitions: CustomResourceDefinition[]) {
  for (const definition of definitions) {
    await undefine(definition.metadata?.name ?? '')
    await define(definition)
  }
}

async function isDefined(name: string) {
  const { objects } = await o.kube.list(resources.customResourceDefinitions)
  return objects.some(({ metadata }) => metadata.name === name)
}

async function define(definition: CustomResourceDefinition) {
  const name = definition.metadata?.name ?? ''
  if (await isDefined(name)) return
  await o.kube.create(resources.customResourceDefinitions, definition)
  await waitUntilEstablished(o.kube, name)
}

async function undefine(name: string) {
  if (!(await isDefined(name))) return
  await o.kube.delete(resources.customResourceDefinitions, { name })
  await expect.poll(async () => await isDefined(name)).toBe(false)
}

const localKind = (group: string, version: string, kind: string) =>
  defineResource<KubeObject & { spec?: unknown; status?: unknown }>({
    group,
    version,
    plural: `${kind.toLowerCase()}s`,
    kind,
    namespaced: false,
  })

test.each(['v1beta2', 'v1beta3', 'v1beta4', 'v1beta5'])(
  'drives of direct-csi are listed and formatted in a cluster that has only %s',
  async (version) => {
    await redefine(directCsiDefinitions(version))
    const drive = localKind('direct.csi.min.io', version, 'DirectCSIDrive')
    await o.kube.create(drive, {
      metadata: { name: 'a' },
      spec: { directCSIOwned: false, driveTaint: { zone: 'a' } },
      status: {
        path: '/var/lib/direct-csi/devices/sdb-part-1',
        nodeName: 'node1',
        driveStatus: 'Available',
        totalCapacity: 2e12,
        conditions: [{ type: 'Owned', status: 'False', message: 'not added\nmore' }],
      },
    })
    await o.kube.create(localKind('direct.csi.min.io', version, 'DirectCSIVolume'), {
      metadata: { name: 'volume-1' },
      status: { drive: 'a', nodeName: 'node1', totalCapacity: 1e9 },
    })
    const place = { node: 'node1', drive: '/dev/sdb1' }
    expect((await o.admin.call('listDrives', { query: {} })).drives).toEqual([
      { ...place, capacity: 2e12, allocated: 0, volumes: 1, status: 'Available*', message: 'not added' },
    ])
    expect((await o.admin.call('listDriveVolumes', { query: {} })).volumes).toEqual([
      { ...place, volume: 'volume-1', capacity: 1e9 },
    ])
    const format = { drives: ['node1:/dev/sdb1'], force: false }
    expect((await o.admin.call('formatDrives', { body: format })).formatIssuesList).toEqual([])
    expect((await o.kube.get(drive, { name: 'a' })).spec).toEqual({
      directCSIOwned: true,
      driveTaint: { zone: 'a' },
      requestedFormat: { filesystem: 'xfs', force: false },
    })
  },
)

test('where DirectPV is installed, its drives are listed, and free devices formatted by a request for each node', async () => {
  await redefine(directPvDefinitions())
  const group = 'directpv.min.io'
  const label = (node: string, name: string) => ({ [`${group}/node`]: node, [`${group}/drive-name`]: name })
  await o.kube.create(localKind(group, 'v1beta1', 'DirectPVDrive'), {
    metadata: {
      name: 'id-1',
      labels: label('node1', 'sda'),
      finalizers: [`${group}/data-protection`, `${group}.volume/pvc-1`],
    },
    status: { totalCapacity: 2e12, allocatedCapacity: 1e9, status: 'Ready' },
  })
  await o.kube.create(localKind(group, 'v1beta1', 'DirectPVVolume'), {
    metadata: { name: 'pvc-1', labels: label('node1', 'sda') },
    status: { totalCapacity: 1e9 },
  })
  const device = (name: string, more: object = {}) => ({ name, id: `id-${name}`, size: 1e12, ...more })
  for (const [node, devices] of [
    ['node1', [device('sdb'), device('sdc', { fsType: 'ext4' })]],
    ['node2', [device('sdb'), device('sdd', { deniedReason: 'Mounted' })]],
  ] as const)
    await o.kube.create(localKind(group, 'v1beta1', 'DirectPVNode'), { metadata: { name: node }, status: { devices } })

  const { drives } = await o.admin.call('listDrives', { query: {} })
  expect(drives.map(({ node, drive, status, volumes }) => [node, drive, status, volumes])).toEqual([
    ['node1', '/dev/sda', 'Ready', 1],
    ['node1', '/dev/sdb', 'Available', 0],
    ['node1', '/dev/sdc', 'Available', 0],
    ['node2', '/dev/sdb', 'Available', 0],
    ['node2', '/dev/sdd', 'Unavailable*', 0],
  ])
  expect((await o.admin.call('listDriveVolumes', { query: {} })).volumes).toEqual([
    { volume: 'pvc-1', capacity: 1e9, node: 'node1', drive: '/dev/sda' },
  ])
  const wanted = ['node1:/dev/sda', 'node1:/dev/sdb', 'node1:/dev/sdc', 'node2:/dev/sdb', 'node2:/dev/sdd']
  const { formatIssuesList } = await o.admin.call('formatDrives', { body: { drives: wanted, force: false } })
  expect(formatIssuesList).toEqual([
    { node: 'node1', drive: '/dev/sda', error: 'The drive does not exist, or is in use' },
    { node: 'node1', drive: '/dev/sdc', error: 'Drive already has a fs. Use force to overwrite' },
    { node: 'node2', drive: '/dev/sdd', error: 'Mounted' },
  ])
  const made = (await o.kube.list(localKind(group, 'v1beta1', 'DirectPVInitRequest'))).objects
  expect(made.map(({ metadata, spec }) => [metadata.labels?.[`${group}/node`], spec]).sort()).toEqual([
    ['node1', { devices: [{ id: 'id-sdb', name: 'sdb', force: false }] }],
    ['node2', { devices: [{ id: 'id-sdb', name: 'sdb', force: false }] }],
  ])
})

test.each(['v1beta1', 'v1beta2', 'v1beta3', 'v1beta4', 'v1beta5'])(
  'changes of drives and volumes of direct-csi %s are reported, in any namespace',
  async (version) => {
    await redefine(directCsiDefinitions(version))
    const kinds = 'directcsidrives,directcsivolumes'
    await using live = await openLiveClient(o.admin, 'followCluster', { query: { kinds, namespaces: 'default,other' } })
    const first = [await live.message(), await live.message()]
    expect(first.map(({ kind, what }) => `${kind} ${what}`).sort()).toEqual([
      'directcsidrives listed',
      'directcsivolumes listed',
    ])
    const changed = async (kind: 'DirectCSIDrive' | 'DirectCSIVolume', name: string) => {
      await o.kube.create(localKind('direct.csi.min.io', version, kind), { metadata: { name } })
      const followed = `${kind.toLowerCase()}s`
      expect(await live.message()).toEqual({ kind: followed, what: 'changed', namespace: '', name })
    }
    await changed('DirectCSIDrive', 'drive-1')
    await changed('DirectCSIVolume', 'volume-1')
  },
)

test('changes of the drives and devices of DirectPV are reported', async () => {
  for (const definition of directPvDefinitions()) await define(definition)
  const kinds = 'directpvdrives,directpvnodes'
  await using live = await openLiveClient(o.admin, 'followCluster', { query: { kinds } })
  const first = [await live.message(), await live.message()]
  expect(first.map(({ kind, what }) => `${kind} ${what}`).sort()).toEqual([
    'directpvdrives listed',
    'directpvnodes listed',
  ])
  for (const kind of ['DirectPVDrive', 'DirectPVNode']) {
    await o.kube.create(localKind('directpv.min.io', 'v1beta1', kind), { metadata: { name: 'late' } })
    expect(await live.message()).toMatchObject({ kind: `${kind.toLowerCase()}s`, what: 'changed', name: 'late' })
  }
})

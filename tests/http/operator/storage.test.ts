import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type KubeObject, resource, resources, tenants } from '@stowage/kube'
import { startSandboxCluster } from '@stowage/sandbox-operator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failureOf } from '../../support/caller.ts'
import { startOperator, type TestOperator } from '../../support/operator.ts'

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
    cluster: await startSandboxCluster({
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
    const failure = await failureOf(o.admin.call('getMaxAllocatableMemory', { query: { num_nodes: count } }))
    expect(failure.status).toBe(507)
  }
})

test('drives are listed with their nodes, sizes and volumes [STO-07] [STO-09]', async () => {
  const volume = resource<KubeObject & { status: unknown }>({
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
  const drive = resource<KubeObject & { spec?: unknown }>({
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
  const failure = await failureOf(o.admin.call('formatDrives', { body: { drives: [text], force: true } }))
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

test('a tenant that the sandbox has no process for says so, and is not green', async () => {
  const namespace = await o.newNamespace()
  const pool = { servers: 4, volumes_per_server: 1, volume_configuration: { size: GI } }
  await o.admin.call('createTenant', { body: { name: 'beta', namespace, pools: [pool] } })
  const at = { namespace, name: 'beta' }
  await expect
    .poll(async () => (await o.kube.get(tenants, at)).status, { interval: 50 })
    .toMatchObject({ healthStatus: 'yellow', healthMessage: expect.stringContaining('Not started') })
})

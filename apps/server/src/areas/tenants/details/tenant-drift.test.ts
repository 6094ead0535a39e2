import type { SavedKubeObject, TenantObject } from '@stowage/kube'
import type { StatefulSet } from 'kubernetes-types/apps/v1'
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import { expect, test } from 'vitest'
import { referencedSecrets, type SecretVariables, type TenantClusterObjects, tenantDrift } from './tenant-drift.ts'

const IMAGE = 'minio/minio:RELEASE.2025-04-22T22-12-26Z'
const claimSpec = { storageClassName: 'standard', resources: { requests: { storage: '10Gi' } } }
const stored = { uid: 'u', resourceVersion: '1' }

const tenant = (spec: Partial<TenantObject['spec']> = {}): TenantObject => ({
  metadata: { name: 'alpha' },
  spec: {
    image: IMAGE,
    pools: [
      {
        name: 'pool-0',
        servers: 2,
        volumesPerServer: 1,
        volumeClaimTemplate: { spec: claimSpec },
        resources: { requests: { memory: '2Gi' } },
      },
    ],
    configuration: { name: 'alpha-env-configuration' },
    ...spec,
  },
})

interface Parts extends TenantClusterObjects {
  sets: SavedKubeObject<StatefulSet>[]
  pods: SavedKubeObject<Pod>[]
  claims: SavedKubeObject<PersistentVolumeClaim>[]
  variables?: readonly SecretVariables[]
}

/** A cluster in the state that the tenant asks for. */
function parts(): Parts {
  const labels = { 'v1.min.io/pool': 'pool-0' }
  const container = { name: 'minio', image: IMAGE, resources: { requests: { memory: '2147483648' } } }
  const sets: SavedKubeObject<StatefulSet>[] = [
    {
      metadata: { ...stored, name: 'alpha-pool-0', labels },
      spec: {
        replicas: 2,
        serviceName: 'alpha-hl',
        selector: {},
        template: { spec: { containers: [container] } },
        volumeClaimTemplates: [{ metadata: { name: 'data0' }, spec: claimSpec }],
      },
      status: { replicas: 2, updateRevision: 'r1' },
    },
  ]
  const pods: SavedKubeObject<Pod>[] = [0, 1].map((n) => ({
    metadata: { ...stored, name: `alpha-pool-0-${n}`, labels: { ...labels, 'controller-revision-hash': 'r1' } },
    spec: { containers: [container] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  }))
  const claims: SavedKubeObject<PersistentVolumeClaim>[] = [0, 1].map((n) => ({
    metadata: { ...stored, name: `data0-alpha-pool-0-${n}` },
    spec: claimSpec,
  }))
  return { sets, pods, claims, secrets: new Map([['alpha-env-configuration', ['config.env']]]) }
}

test('a cluster in the requested state does not differ, in any notation of quantities', () => {
  expect(tenantDrift(tenant(), parts())).toEqual([])
})

const spoilt = (change: (given: Parts) => void) => {
  const given = structuredClone(parts())
  change(given)
  return tenantDrift(tenant(), given).map(({ kind, name, field, wanted, found }) => [kind, name, field, wanted, found])
}
const set = (given: Parts) => given.sets[0]?.spec ?? ({} as NonNullable<StatefulSet['spec']>)

test.each<[string, (given: Parts) => void, string[]]>([
  ['another number of servers', (g) => (set(g).replicas = 3), ['StatefulSet', 'alpha-pool-0', 'replicas', '2', '3']],
  [
    'a larger volume template',
    (g) => (set(g).volumeClaimTemplates = [{ spec: { ...claimSpec, resources: { requests: { storage: '1Ti' } } } }]),
    ['StatefulSet', 'alpha-pool-0', 'size', '10Gi', '1Ti'],
  ],
  [
    'another image of a pod',
    (g) =>
      (g.pods[1] = {
        ...g.pods[1],
        spec: { containers: [{ name: 'minio', image: 'minio:old' }] },
      } as SavedKubeObject<Pod>),
    ['Pod', 'alpha-pool-0-1', 'image', IMAGE, 'minio:old'],
  ],
  [
    'a pod of an older revision',
    (g) => Object.assign(g.pods[0]?.metadata.labels ?? {}, { 'controller-revision-hash': 'r0' }),
    ['Pod', 'alpha-pool-0-0', 'revision', 'r1', 'r0'],
  ],
  [
    'a pod that is not ready',
    (g) => Object.assign(g.pods[0] ?? {}, { status: { phase: 'Pending' } }),
    ['Pod', 'alpha-pool-0-0', 'ready', 'Ready', 'Pending'],
  ],
  ['a pod that is gone', (g) => g.pods.pop(), ['Pod', 'alpha-pool-0-1', 'missing', '', '']],
  [
    'a volume that is gone',
    (g) => g.claims.pop(),
    ['PersistentVolumeClaim', 'data0-alpha-pool-0-1', 'missing', '', ''],
  ],
  [
    'a volume of a removed pool',
    (g) => g.claims.push({ metadata: { ...stored, name: 'data0-alpha-pool-1-0' } }),
    ['PersistentVolumeClaim', 'data0-alpha-pool-1-0', 'surplus', '', ''],
  ],
  [
    'a secret that is gone',
    (g) => (g.secrets = new Map([['alpha-env-configuration', 'missing']])),
    ['Secret', 'alpha-env-configuration', 'missing', '', ''],
  ],
  [
    'a secret without its key',
    (g) => (g.secrets = new Map([['alpha-env-configuration', ['other']]])),
    ['Secret', 'alpha-env-configuration', 'keys', 'config.env', 'other'],
  ],
])('%s is found', (_, change, difference) => {
  expect(spoilt(change)).toContainEqual(difference)
})

test('variables are compared between the tenant, its secrets and its StatefulSets; values are not shown', () => {
  const given = parts()
  const env = [
    { name: 'MINIO_REGION', value: 'planted-1' },
    { name: 'MINIO_SAME', value: 'x' },
    { name: 'MINIO_POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ]
  const server = set(given).template.spec?.containers[0]
  if (server) server.env = [{ name: 'MINIO_REGION', value: 'planted-2' }]
  given.variables = [
    { name: 'creds', variables: { MINIO_ROOT_USER: 'planted-3', MINIO_REGION: 'planted-1' } },
    { name: 'alpha-env-configuration', variables: { MINIO_ROOT_USER: 'planted-4', MINIO_SAME: 'x', MINIO_NEW: 'y' } },
  ]
  const found = tenantDrift(tenant({ env }), given)
  expect(found).toEqual([
    { kind: 'StatefulSet', name: 'alpha-pool-0', field: 'variable', wanted: 'MINIO_REGION', found: 'MINIO_REGION' },
    {
      kind: 'Secret',
      name: 'alpha-env-configuration',
      field: 'variable',
      wanted: 'MINIO_ROOT_USER',
      found: 'MINIO_ROOT_USER',
    },
  ])
})

test('the StatefulSet of a removed pool, and one that is missing', () => {
  const given = parts()
  const renamed = tenant({ pools: [{ name: 'pool-1', servers: 1, volumesPerServer: 1 }] })
  expect(tenantDrift(renamed, given).filter(({ kind }) => kind === 'StatefulSet')).toMatchObject([
    { name: 'alpha-pool-1', field: 'missing' },
    { name: 'alpha-pool-0', field: 'surplus' },
  ])
})

test('objects that the caller may not read are not compared', () => {
  const nothing = { sets: undefined, pods: undefined, claims: undefined, secrets: new Map() }
  expect(tenantDrift(tenant(), nothing)).toEqual([])
})

test('the secrets of a tenant, each once, with the keys that its operator reads', () => {
  const spec = tenant({
    externalCertSecret: [{ name: 'own' }, { name: 'cm', type: 'cert-manager.io/v1' }],
    externalCaCertSecret: [{ name: 'ca' }, { name: 'ca' }],
    kes: { kesSecret: { name: 'kes' } },
  }).spec
  expect(spec && referencedSecrets(spec)).toEqual([
    { name: 'alpha-env-configuration', keys: ['config.env'] },
    { name: 'own', keys: ['public.crt', 'private.key'] },
    { name: 'cm', keys: ['tls.crt', 'tls.key'] },
    { name: 'ca', keys: [] },
    { name: 'kes', keys: ['server-config.yaml'] },
  ])
})

import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
} from '@stowage/contract/values/quantity'
import type { PersistentVolumeClaim, Pod, ResourceQuota, Service } from 'kubernetes-types/core/v1'
import type { KubeKind } from '../kinds/kind.ts'
import { podResource } from '../kinds/pod-spec.ts'
import { kubeErrors } from '../object/kube-api-error.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import type { KubeObjectStore } from '../store/store.ts'

type Amounts = ReadonlyMap<string, Quantity>

const ZERO: Quantity = { digits: 0n, scale: 0, format: 'DecimalSI' }
const ONE: Quantity = { digits: 1n, scale: 0, format: 'DecimalSI' }
/** Resources of a pod by their names in quotas, and where its containers declare them. */
const POD_RESOURCES: Readonly<Record<string, readonly ['requests' | 'limits', string]>> = {
  cpu: ['requests', 'cpu'],
  memory: ['requests', 'memory'],
  'requests.cpu': ['requests', 'cpu'],
  'requests.memory': ['requests', 'memory'],
  'limits.cpu': ['limits', 'cpu'],
  'limits.memory': ['limits', 'memory'],
}
const PLAIN_COUNTS = new Set(['configmaps', 'persistentvolumeclaims', 'resourcequotas', 'secrets', 'services'])

/** Returns what an object uses of a quota. */
function objectUsage(key: string, object: SandboxObject): Amounts {
  const usage = new Map<string, Quantity>([[`count/${key}`, ONE]])
  if (PLAIN_COUNTS.has(key)) usage.set(key, ONE)
  if (key === 'pods') addPod(usage, object as Pod)
  if (key === 'persistentvolumeclaims') addClaim(usage, object as PersistentVolumeClaim)
  if (key === 'services') addService(usage, object as Service)
  return usage
}

function addPod(usage: Map<string, Quantity>, { spec, status }: Pod): void {
  if (!spec || status?.phase === 'Succeeded' || status?.phase === 'Failed') return
  usage.set('pods', ONE)
  for (const [name, [part, resource]] of Object.entries(POD_RESOURCES))
    usage.set(name, sum(podResource(spec, part, resource)))
}

function addClaim(usage: Map<string, Quantity>, { spec }: PersistentVolumeClaim): void {
  const size = parseQuantity(spec?.resources?.requests?.storage ?? '') ?? ZERO
  usage.set('requests.storage', size)
  if (!spec?.storageClassName) return
  usage.set(`${spec.storageClassName}.storageclass.storage.k8s.io/requests.storage`, size)
  usage.set(`${spec.storageClassName}.storageclass.storage.k8s.io/persistentvolumeclaims`, ONE)
}

function addService(usage: Map<string, Quantity>, { spec }: Service): void {
  if (spec?.type === 'LoadBalancer') usage.set('services.loadbalancers', ONE)
  const ports = spec?.ports?.filter(({ nodePort }) => nodePort !== undefined).length ?? 0
  usage.set('services.nodeports', { ...ONE, digits: BigInt(ports) })
}

function sum(texts: string[]): Quantity {
  return texts.reduce((total, text) => addQuantities(total, parseQuantity(text) ?? ZERO), ZERO)
}

/** Returns how much is used of each resource that a quota limits. */
export function quotaUsage(quota: ResourceQuota, namespace: string, store: KubeObjectStore): Record<string, string> {
  const used = new Map(Object.keys(quota.spec?.hard ?? {}).map((name) => [name, ZERO]))
  for (const key of store.kinds()) {
    if (![...used.keys()].some((name) => mayCount(key, name))) continue
    for (const object of store.list(key, namespace))
      for (const [name, amount] of objectUsage(key, object)) {
        const before = used.get(name)
        if (before) used.set(name, addQuantities(before, amount))
      }
  }
  return Object.fromEntries([...used].map(([name, amount]) => [name, formatQuantity(amount)]))
}

function mayCount(key: string, name: string): boolean {
  if (name === `count/${key}` || name === key) return true
  if (key === 'pods') return name in POD_RESOURCES
  if (key === 'persistentvolumeclaims') return name.includes('storage')
  return key === 'services' && name.startsWith('services.')
}

/**
 * Refuses an object that exceeds a quota of its namespace.
 * @throws ApiError Forbidden
 */
export function checkResourceQuota(
  kind: KubeKind,
  object: SandboxObject,
  previous: SandboxObject | undefined,
  store: KubeObjectStore,
): void {
  const { namespace, name } = object.metadata
  if (namespace === undefined) return
  for (const stored of store.list('resourcequotas', namespace)) {
    const quota = stored as ResourceQuota
    const hard = quota.spec?.hard ?? {}
    const limited = Object.keys(hard)
      .filter((resource) => mayCount(kind.key, resource))
      .sort()
    if (limited.length === 0) continue
    if (kind.key === 'pods' && !previous) requireResources(kind, object as Pod, stored.metadata.name, limited)
    const used = quotaUsage(quota, namespace, store)
    const [after, before] = [
      objectUsage(kind.key, object),
      previous ? objectUsage(kind.key, previous) : new Map<string, Quantity>(),
    ]
    const exceeded = limited.flatMap((resource) => {
      const wanted = addQuantities(after.get(resource) ?? ZERO, negateQuantity(before.get(resource) ?? ZERO))
      if (wanted.digits <= 0n) return []
      const total = addQuantities(parseQuantity(used[resource] ?? '0') ?? ZERO, wanted)
      const limit = parseQuantity(hard[resource] ?? '0') ?? ZERO
      return compareQuantities(total, limit) > 0 ? [{ resource, wanted: formatQuantity(wanted) }] : []
    })
    if (exceeded.length === 0) continue
    const list = (value: (each: { resource: string; wanted: string }) => string | undefined) =>
      exceeded.map((each) => `${each.resource}=${value(each)}`).join(',')
    const requested = `requested: ${list(({ wanted }) => wanted)}`
    const taken = `used: ${list(({ resource }) => used[resource])}`
    const most = `limited: ${list(({ resource }) => hard[resource])}`
    throw kubeErrors.forbidden(kind, name, `exceeded quota: ${stored.metadata.name}, ${requested}, ${taken}, ${most}`)
  }
}

const negateQuantity = (quantity: Quantity): Quantity => ({
  digits: -quantity.digits,
  scale: quantity.scale,
  format: quantity.format,
})

/** Refuses a pod that does not declare its resources, because it cannot be counted. */
function requireResources(kind: KubeKind, pod: Pod, quota: string, limited: string[]): void {
  const missing = limited.flatMap((resource) => {
    const [part, name] = POD_RESOURCES[resource] ?? []
    if (part === undefined || name === undefined) return []
    const silent = (pod.spec?.containers ?? []).filter(({ resources }) => resources?.[part]?.[name] === undefined)
    return silent.length === 0 ? [] : [`${resource} for: ${silent.map((each) => each.name).join(',')}`]
  })
  if (missing.length > 0)
    throw kubeErrors.forbidden(
      kind,
      pod.metadata?.name ?? '',
      `failed quota: ${quota}: must specify ${missing.join('; ')}`,
    )
}

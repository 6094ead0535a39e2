import { type Pool, reason } from '@stowage/contract'
import type { PoolInput } from '@stowage/contract/tenants/pools'
import { nextPoolName } from '@stowage/contract/tenants/sizing'
import type { TenantPool } from '@stowage/kube'
import { isDnsLabel } from '@stowage/kube/names'
import { HttpError } from '../../lib/http/errors.ts'
import { amountOf, quantityOf } from '../../lib/kube/quantities.ts'

/** Maximum length of a label, and therefore of a part of a host name. */
const MAX_LABEL = 63

/**
 * Returns a pool in the form of the tenant's object.
 * @param taken names of the tenant's other pools
 */
export function poolObject(tenant: string, pool: PoolInput, taken: readonly string[]): TenantPool {
  const name = pool.name || nextPoolName(taken)
  if (!isDnsLabel(name)) throw new HttpError(400, reason('wrong-format'), { field: 'pools.name' })
  if (taken.includes(name)) throw new HttpError(409, reason('pool-name-taken', { pool: name }))
  // A StatefulSet adds the pod number to the names of its pods, and ten more characters for a revision.
  const length = `${tenant}-${name}-${pool.servers - 1}`.length
  if (length > MAX_LABEL) throw new HttpError(400, reason('tenant-name-long', { length }), { field: 'name' })
  const { size, storage_class_name, labels, annotations } = pool.volume_configuration
  return {
    name,
    servers: pool.servers,
    volumesPerServer: pool.volumes_per_server,
    volumeClaimTemplate: {
      metadata: { name: 'data', ...given('labels', labels), ...given('annotations', annotations) },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: String(size) } },
        ...(storage_class_name ? { storageClassName: storage_class_name } : {}),
      },
    },
    ...resourcesOf(pool.resources),
    ...given('nodeSelector', pool.node_selector),
    ...affinityOf(pool.affinity),
    ...(pool.tolerations?.length
      ? {
          tolerations: pool.tolerations.map(({ tolerationSeconds, ...toleration }) => ({
            ...toleration,
            ...(tolerationSeconds ? { tolerationSeconds: tolerationSeconds.seconds } : {}),
          })),
        }
      : {}),
    ...securityContextOf(pool.securityContext),
  } as TenantPool
}

export function securityContextOf(context: PoolInput['securityContext']) {
  if (!context) return {}
  const { runAsUser, runAsGroup, fsGroup, runAsNonRoot } = context
  return {
    securityContext: {
      runAsUser: Number(runAsUser),
      runAsGroup: Number(runAsGroup),
      ...(fsGroup ? { fsGroup: Number(fsGroup) } : {}),
      runAsNonRoot,
    },
  }
}

/** Returns a member, or nothing if its value is empty. */
function given<K extends string, T extends object>(name: K, value: T | null | undefined): { [P in K]?: T } {
  return value && Object.keys(value).length > 0 ? ({ [name]: value } as { [P in K]?: T }) : {}
}

function resourcesOf(resources: PoolInput['resources']) {
  const quantities = (amounts: Record<string, number> | null | undefined) =>
    amounts && Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, quantityOf(amount)]))
  const requests = quantities(resources?.requests)
  const limits = quantities(resources?.limits)
  const both = { ...given('requests', requests), ...given('limits', limits) }
  return Object.keys(both).length > 0 ? { resources: both } : {}
}

/** Kubernetes refuses empty lists in required fields, so empty values are removed at every depth. */
function affinityOf(affinity: PoolInput['affinity']) {
  const full = withoutEmpty(affinity)
  return full === undefined ? {} : { affinity: full }
}

function withoutEmpty(value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter((item) => item !== undefined)
    return items.length > 0 ? items : undefined
  }
  if (typeof value !== 'object') return value
  const members = Object.entries(value)
    .map(([name, member]) => [name, withoutEmpty(member)] as const)
    .filter(([, member]) => member !== undefined)
  return members.length > 0 ? Object.fromEntries(members) : undefined
}

/** Returns a pool in the form of the contract. */
export function poolOf(pool: TenantPool, index: number): Pool {
  const { metadata, spec } = pool.volumeClaimTemplate ?? {}
  const amounts = (quantities: object | undefined) =>
    quantities && Object.fromEntries(Object.entries(quantities).map(([name, text]) => [name, amountOf(text)]))
  const requests = amounts(pool.resources?.requests)
  const limits = amounts(pool.resources?.limits)
  return {
    // The operator uses this name for a pool without a name.
    name: pool.name || `ss-${index}`,
    servers: pool.servers,
    volumes_per_server: pool.volumesPerServer,
    volume_configuration: {
      size: amountOf(spec?.resources?.requests?.storage),
      storage_class_name: spec?.storageClassName ?? '',
      ...given('labels', metadata?.labels),
      ...given('annotations', metadata?.annotations),
    },
    resources: { ...(requests ? { requests } : {}), ...(limits ? { limits } : {}) },
    ...given('node_selector', pool.nodeSelector),
    ...(pool.affinity ? { affinity: { ...pool.affinity } } : {}),
    tolerations: (pool.tolerations ?? []).map((toleration) => ({ ...toleration })),
    ...(pool.securityContext ? { securityContext: { ...pool.securityContext } } : {}),
  }
}

/** Returns the size of all volumes of a pool in bytes. */
export function sizeOf({ servers, volumesPerServer, volumeClaimTemplate }: TenantPool): number {
  const each = amountOf(volumeClaimTemplate?.spec?.resources?.requests?.storage)
  return Math.min(Number.MAX_SAFE_INTEGER, servers * volumesPerServer * each)
}

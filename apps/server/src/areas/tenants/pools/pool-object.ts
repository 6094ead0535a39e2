import { type Pool, reason } from '@stowage/contract'
import type { PoolInput } from '@stowage/contract/tenants/pools'
import { longestLabel, MAX_LABEL_LENGTH, nextPoolName } from '@stowage/contract/tenants/sizing'
import { formatAmount, quantityAmount } from '@stowage/contract/values/quantity'
import type { TenantPool } from '@stowage/kube'
import { isDnsLabel } from '@stowage/kube/names'
import { HttpError } from '../../../lib/errors/http-errors.ts'

/**
 * Returns a pool in the form of the tenant's object.
 * @param taken names of the tenant's other pools
 */
export function poolObject(tenant: string, pool: PoolInput, taken: readonly string[]): TenantPool {
  const name = pool.name || nextPoolName(taken)
  if (!isDnsLabel(name)) throw new HttpError(400, reason('wrong-format'), { field: 'pools.name' })
  if (taken.includes(name)) throw new HttpError(409, reason('pool-name-taken', { pool: name }))
  const length = longestLabel(tenant, name, pool.servers)
  if (length > MAX_LABEL_LENGTH) throw new HttpError(400, reason('tenant-name-long', { length }), { field: 'name' })
  const { size, storage_class_name, labels, annotations } = pool.volume_configuration
  return {
    name,
    servers: pool.servers,
    volumesPerServer: pool.volumes_per_server,
    volumeClaimTemplate: {
      metadata: { name: 'data', ...unlessEmpty('labels', labels), ...unlessEmpty('annotations', annotations) },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: String(size) } },
        ...(storage_class_name ? { storageClassName: storage_class_name } : {}),
      },
    },
    ...poolSettings(pool),
  } as TenantPool
}

/** The optional fields of a pool: their names in the contract and in the tenant's object. */
const SETTINGS = [
  ['resources', 'resources'],
  ['node_selector', 'nodeSelector'],
  ['affinity', 'affinity'],
  ['tolerations', 'tolerations'],
  ['securityContext', 'securityContext'],
  ['runtimeClassName', 'runtimeClassName'],
] as const

/**
 * Returns an existing pool with the values of an input. Optional fields that are not given keep their values, and so does
 * everything that the contract does not have; null or an empty value removes a field.
 */
function changedPool(before: TenantPool, index: number, input: PoolInput): TenantPool {
  const was = wirePool(before, index)
  // The CRD forbids it since operator 5.0.15. Earlier operators stop working on the tenant.
  if (input.servers !== was.servers || input.volumes_per_server !== was.volumes_per_server)
    throw new HttpError(422, reason('pool-servers-fixed', { pool: was.name }), { field: 'servers' })
  // The volumes that exist keep their class, and never shrink.
  const { size, storage_class_name: name } = input.volume_configuration
  if (size < was.volume_configuration.size || (name && name !== was.volume_configuration.storage_class_name))
    throw new HttpError(422, reason('pool-servers-fixed', { pool: was.name }), { field: 'volume_configuration' })
  const changed: TenantPool = structuredClone(before)
  changeClaim(changed, was.volume_configuration, input.volume_configuration)
  const next = poolSettings(input, before)
  for (const [name, member] of SETTINGS) {
    if (input[name] === undefined) continue
    if (next[member] === undefined) delete changed[member]
    else Object.assign(changed, { [member]: next[member] })
  }
  return changed
}

/**
 * Returns the pools of a tenant after a replacement. Existing pools are found by name. None can be left out, because its objects
 * would be lost; `removeTenantPool` removes a drained pool.
 * @throws HttpError 409 for a pool that is left out or given twice
 */
export function replacePools(tenant: string, pools: readonly TenantPool[], inputs: readonly PoolInput[]): TenantPool[] {
  const existing = new Map(pools.map((pool, index) => [poolName(pool, index), { pool, index }]))
  const wanted = new Set(inputs.map(({ name }) => name))
  for (const name of existing.keys())
    if (!wanted.has(name)) throw new HttpError(409, reason('pool-left-out', { pool: name }), { field: 'pools' })
  const taken = new Set<string>()
  return inputs.map((input, position) => {
    const found = existing.get(input.name ?? '')
    if (!found) {
      const made = poolObject(tenant, input, [...existing.keys(), ...taken])
      taken.add(poolName(made, position))
      return made
    }
    const name = poolName(found.pool, found.index)
    if (taken.has(name)) throw new HttpError(409, reason('pool-name-taken', { pool: name }))
    taken.add(name)
    if (!found.pool.name && found.index !== position) throw new HttpError(409, reason('pools-unnamed'))
    return changedPool(found.pool, found.index, input)
  })
}

/** The operator uses the position as the name of a pool without a name. */
const poolName = ({ name }: TenantPool, index: number) => name || `ss-${index}`

/** Changes what differs of the claim of a pool's volumes, because a quantity can be written in several ways. */
function changeClaim(
  pool: TenantPool,
  was: Pool['volume_configuration'],
  { size, labels, annotations }: PoolInput['volume_configuration'],
): void {
  const claim = pool.volumeClaimTemplate ?? {}
  const { metadata = {}, spec = {} } = claim
  if (size !== was.size) spec.resources = { ...spec.resources, requests: { storage: String(size) } }
  if (labels !== undefined) metadata.labels = labels ?? {}
  if (annotations !== undefined) metadata.annotations = annotations ?? {}
  pool.volumeClaimTemplate = { ...claim, metadata, spec }
}

function poolSettings(pool: PoolInput, before?: TenantPool): Partial<TenantPool> {
  return {
    ...resourcesField(pool.resources, before?.resources),
    ...unlessEmpty('nodeSelector', pool.node_selector),
    ...affinityField(pool.affinity),
    ...(pool.tolerations?.length
      ? {
          tolerations: pool.tolerations.map(({ tolerationSeconds, ...toleration }) => ({
            ...toleration,
            ...(tolerationSeconds ? { tolerationSeconds: tolerationSeconds.seconds } : {}),
          })),
        }
      : {}),
    ...securityContextField(pool.securityContext, before?.securityContext),
    ...(pool.runtimeClassName ? { runtimeClassName: pool.runtimeClassName } : {}),
  } as Partial<TenantPool>
}

/** @param before its members that the contract does not have are kept */
export function securityContextField(context: PoolInput['securityContext'], before?: TenantPool['securityContext']) {
  if (!context) return {}
  const { runAsUser, runAsGroup, fsGroup, runAsNonRoot, fsGroupChangePolicy } = context
  const { fsGroup: _, fsGroupChangePolicy: __, ...kept } = before ?? {}
  return {
    securityContext: {
      ...kept,
      runAsUser: Number(runAsUser),
      runAsGroup: Number(runAsGroup),
      ...(fsGroup ? { fsGroup: Number(fsGroup) } : {}),
      runAsNonRoot,
      ...(fsGroupChangePolicy ? { fsGroupChangePolicy } : {}),
    },
  }
}

/** Returns a member, or nothing if its value is empty. */
function unlessEmpty<K extends string, T extends object>(name: K, value: T | null | undefined): { [P in K]?: T } {
  return value && Object.keys(value).length > 0 ? ({ [name]: value } as { [P in K]?: T }) : {}
}

/** @param before its quantities are kept as they are written, where the amount is the same */
function resourcesField(resources: PoolInput['resources'], before?: TenantPool['resources']) {
  const quantities = (
    amounts: Record<string, number> | null | undefined,
    old: Readonly<Record<string, unknown>> = {},
  ) =>
    amounts &&
    Object.fromEntries(
      Object.entries(amounts).map(([name, amount]) => {
        const kept = Object.hasOwn(old, name) && quantityAmount(old[name]) === amount
        return [name, kept ? old[name] : formatAmount(amount)]
      }),
    )
  const requests = quantities(resources?.requests, before?.requests)
  const limits = quantities(resources?.limits, before?.limits)
  const both = {
    ...unlessEmpty('requests', requests),
    ...unlessEmpty('limits', limits),
    ...unlessEmpty('claims', before?.claims),
  }
  return resources && Object.keys(both).length > 0 ? { resources: both } : {}
}

/** Kubernetes refuses empty lists in required fields, so empty values are removed at every depth. */
function affinityField(affinity: PoolInput['affinity']) {
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
export function wirePool(pool: TenantPool, index: number): Pool {
  const { metadata, spec } = pool.volumeClaimTemplate ?? {}
  const amounts = (quantities: object | undefined) =>
    quantities && Object.fromEntries(Object.entries(quantities).map(([name, text]) => [name, quantityAmount(text)]))
  const requests = amounts(pool.resources?.requests)
  const limits = amounts(pool.resources?.limits)
  return {
    name: poolName(pool, index),
    servers: pool.servers,
    volumes_per_server: pool.volumesPerServer,
    volume_configuration: {
      size: quantityAmount(spec?.resources?.requests?.storage),
      storage_class_name: spec?.storageClassName ?? '',
      ...unlessEmpty('labels', metadata?.labels),
      ...unlessEmpty('annotations', metadata?.annotations),
    },
    resources: { ...(requests ? { requests } : {}), ...(limits ? { limits } : {}) },
    ...unlessEmpty('node_selector', pool.nodeSelector),
    ...(pool.affinity ? { affinity: { ...pool.affinity } } : {}),
    tolerations: (pool.tolerations ?? []).map((toleration) => ({ ...toleration })),
    ...(pool.securityContext ? { securityContext: { ...pool.securityContext } } : {}),
    ...(pool.runtimeClassName ? { runtimeClassName: pool.runtimeClassName } : {}),
  }
}

/** Returns the size of all volumes of a pool in bytes. */
export function poolSize({ servers, volumesPerServer, volumeClaimTemplate }: TenantPool): number {
  const each = quantityAmount(volumeClaimTemplate?.spec?.resources?.requests?.storage)
  return Math.min(Number.MAX_SAFE_INTEGER, servers * volumesPerServer * each)
}

import type { PoolState } from '@stowage/contract'
import type { TenantObject } from '@stowage/kube'
import type { Decommission, ServerPool } from '@stowage/madmin'

/** Returns the name of a pool; operators number pools without one. */
export const tenantPoolName = (pool: { name?: string }, index: number) => pool.name || `ss-${index}`

/**
 * Returns the server's pool that corresponds to a pool of a tenant; undefined unless exactly one matches. The order is not
 * used, because a mistake would drain the wrong pool.
 */
export function findServerPool(
  tenant: TenantObject,
  name: string,
  pools: readonly ServerPool[],
): ServerPool | undefined {
  const set = `${tenant.metadata?.name}-${name}-`
  // As in https://alpha-pool-0-{0...3}.alpha-hl.namespace.svc.cluster.local/export{0...1}
  const found = pools.filter(({ cmdline }) =>
    cmdline
      .split(/[/\s]/)
      .some((part) => part.startsWith(set) && /^(\d+|\{\d+\.\.\.\d+\})(\.|$)/.test(part.slice(set.length))),
  )
  return found.length === 1 ? found[0] : undefined
}

export function describePoolState(name: string, pool: ServerPool | undefined): PoolState {
  const info = pool?.decommission
  return {
    name,
    state: pool ? decommissionState(info) : 'unknown',
    share: info ? drainedShare(info) : 0,
    moved_objects: info?.objects ?? 0,
    moved_size: info?.bytes ?? 0,
    failed_objects: info?.failedObjects ?? 0,
    started: info?.startTime ?? '',
  }
}

function decommissionState(info: Decommission | undefined): PoolState['state'] {
  if (!info) return 'active'
  if (info.complete) return 'drained'
  if (info.failed) return 'failed'
  return info.canceled ? 'canceled' : 'draining'
}

/** Returns the fraction of the initially used space that is free now. */
function drainedShare({ complete, totalSize, startSize, currentSize }: Decommission): number {
  if (complete) return 1
  const used = totalSize - startSize
  return used <= 0 ? 0 : Math.min(1, Math.max(0, (currentSize - startSize) / used))
}

import { type Kube, KubeError, type Stored, type TenantObject, tenants } from '@stowage/kube'

/** How often a change is retried after a conflict with another change. */
const ATTEMPTS = 4

export interface TenantAt {
  namespace: string
  tenant: string
}

export function readTenant(kube: Kube, { namespace, tenant }: TenantAt, signal?: AbortSignal) {
  return kube.get(tenants, { namespace, name: tenant }, signal ? { signal } : {})
}

/**
 * Changes a tenant as it is at that moment; fields that nobody here knows stay. When somebody else was faster, the change
 * is made again on top of theirs.
 * @param change works on a copy
 */
export async function changeTenant(
  kube: Kube,
  at: TenantAt,
  change: (tenant: Stored<TenantObject>) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<Stored<TenantObject>> {
  for (let attempt = 1; ; attempt++) {
    const tenant = structuredClone(await readTenant(kube, at, signal))
    await change(tenant)
    try {
      return await kube.update(tenants, tenant, signal ? { signal } : {})
    } catch (error) {
      if (!(error instanceof KubeError) || error.code !== 'Conflict' || attempt === ATTEMPTS) throw error
    }
  }
}

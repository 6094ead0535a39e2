import { type Kube, KubeError, type Stored, type TenantObject, tenants } from '@stowage/kube'

/** Number of attempts if other changes conflict. */
const ATTEMPTS = 4

/**
 * Refuses fields that the cluster's definition of a tenant does not have. Otherwise the API server would drop them, and the
 * caller would believe that the change was made.
 */
export const STRICT = { fieldValidation: 'Strict' } as const

export interface TenantAt {
  namespace: string
  tenant: string
}

export function readTenant(kube: Kube, { namespace, tenant }: TenantAt, signal?: AbortSignal) {
  return kube.get(tenants, { namespace, name: tenant }, signal ? { signal } : {})
}

/**
 * Changes the present state of a tenant and keeps unknown fields. After a conflict with another change, it is applied again to
 * the new state.
 * @param change modifies a copy of the tenant
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
      return await kube.update(tenants, tenant, { ...STRICT, ...(signal ? { signal } : {}) })
    } catch (error) {
      if (!(error instanceof KubeError) || error.code !== 'Conflict' || attempt === ATTEMPTS) throw error
    }
  }
}

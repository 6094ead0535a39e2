import { isDeepStrictEqual } from 'node:util'
import { type Kube, KubeError, type SavedKubeObject, type TenantObject, tenants } from '@stowage/kube'
import { makeVerifiedChange } from '../../../lib/kube/verified-change.ts'

/** Number of attempts if other changes conflict. */
const ATTEMPTS = 4

/** Reads and changes an object; after a conflict with another change, it reads the object again. */
export async function retryConflicts<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (!(error instanceof KubeError) || error.code !== 'Conflict' || attempt === ATTEMPTS) throw error
    }
  }
}

/**
 * Refuses fields that the cluster's definition of a tenant does not have. Otherwise the API server would drop them, and the
 * caller would believe that the change was made.
 */
export const STRICT_FIELDS = { fieldValidation: 'Strict' } as const

export interface TenantReference {
  namespace: string
  tenant: string
}

export function readTenant(kube: Kube, { namespace, tenant }: TenantReference, signal?: AbortSignal) {
  return kube.get(tenants, { namespace, name: tenant }, signal ? { signal } : {})
}

/**
 * Changes the present state of a tenant and keeps unknown fields. After a conflict with another change, it is applied again to
 * the new state.
 * @param change modifies a copy of the tenant
 * @param signal absent if the change must continue after the caller has disconnected
 */
export async function changeTenant(
  kube: Kube,
  at: TenantReference,
  change: (tenant: SavedKubeObject<TenantObject>) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<SavedKubeObject<TenantObject>> {
  return await retryConflicts(async () => {
    const tenant = structuredClone(await readTenant(kube, at, signal))
    await change(tenant)
    return await makeVerifiedChange(
      () => kube.update(tenants, tenant, { ...STRICT_FIELDS, ...(signal ? { signal } : {}) }),
      () => ifAlreadyChanged(kube, at, change),
    )
  })
}

/** Returns the tenant if a change would not change it any more. */
async function ifAlreadyChanged(
  kube: Kube,
  at: TenantReference,
  change: (tenant: SavedKubeObject<TenantObject>) => void | Promise<void>,
): Promise<SavedKubeObject<TenantObject> | undefined> {
  const current = await readTenant(kube, at)
  const changed = structuredClone(current)
  try {
    await change(changed)
  } catch {
    // The change refuses this state, so it cannot tell.
    return undefined
  }
  return isDeepStrictEqual(changed, current) ? current : undefined
}

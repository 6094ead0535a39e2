import { type Kube, KubeError, tenants } from '@stowage/kube'
import type { TenantReference } from '../kube-objects/change-tenant.ts'
import { deleteLeftovers, listLeftovers } from './tenant-leftovers.ts'

/**
 * Deletes a tenant and the objects that it owns; volumes and secrets only on request.
 * @throws KubeError NotFound if it does not exist, unless its volumes or secrets are to be deleted too
 */
export async function deleteTenant(
  kube: Kube,
  { namespace, tenant }: TenantReference,
  what: { volumes: boolean; secrets: boolean },
  signal: AbortSignal,
): Promise<void> {
  try {
    await kube.delete(tenants, { namespace, name: tenant }, { signal })
  } catch (error) {
    const isGone = error instanceof KubeError && error.code === 'NotFound'
    if (!isGone || !(await hasLeftovers(kube, { namespace, tenant }, what, signal))) throw error
  }
  await deleteLeftovers(kube, { namespace, tenant }, what, signal)
}

async function hasLeftovers(
  kube: Kube,
  at: TenantReference,
  what: { volumes: boolean; secrets: boolean },
  signal: AbortSignal,
) {
  if (!what.volumes && !what.secrets) return false
  const left = await listLeftovers(kube, at, signal)
  return (what.volumes && left.volumes.length > 0) || (what.secrets && left.secrets.length > 0)
}

import { type Kube, KubeError, resources, TENANT_LABEL, tenants } from '@stowage/kube'
import { amountOf } from '../../lib/kube/quantities.ts'
import type { TenantAt } from './change.ts'

/** Labels of the volumes of a tenant: of its servers, its log search and its Prometheus. */
const volumeLabels = (tenant: string) => [
  `${TENANT_LABEL}=${tenant}`,
  `v1.min.io/log-pg=${tenant}-log`,
  `v1.min.io/prometheus=${tenant}-prometheus`,
]

/**
 * Deletes a tenant and the objects that it owns; volumes and secrets only on request.
 * @throws KubeError NotFound if it does not exist, unless its volumes or secrets are to be deleted too
 */
export async function deleteTenant(
  kube: Kube,
  { namespace, tenant }: TenantAt,
  what: { volumes: boolean; secrets: boolean },
  signal: AbortSignal,
): Promise<void> {
  try {
    await kube.delete(tenants, { namespace, name: tenant }, { signal })
  } catch (error) {
    const isGone = error instanceof KubeError && error.code === 'NotFound'
    if (!isGone || !(await hasLeftovers(kube, { namespace, tenant }, what, signal))) throw error
  }
  if (what.volumes)
    for (const labelSelector of volumeLabels(tenant))
      await kube.deleteCollection(resources.persistentVolumeClaims, { namespace, labelSelector }, { signal })
  if (what.secrets)
    await kube.deleteCollection(
      resources.secrets,
      { namespace, labelSelector: `${TENANT_LABEL}=${tenant}` },
      { signal },
    )
}

async function hasLeftovers(
  kube: Kube,
  at: TenantAt,
  what: { volumes: boolean; secrets: boolean },
  signal: AbortSignal,
) {
  if (!what.volumes && !what.secrets) return false
  const left = await leftovers(kube, at, signal)
  return (what.volumes && left.volumes.length > 0) || (what.secrets && left.secrets.length > 0)
}

/** Returns what remains after a tenant is deleted: volumes, and secrets without an owner. */
export async function leftovers(kube: Kube, { namespace, tenant }: TenantAt, signal: AbortSignal) {
  const labelSelector = `${TENANT_LABEL}=${tenant}`
  const [claims, secrets] = await Promise.all([
    Promise.all(
      volumeLabels(tenant).map((label) =>
        kube.list(resources.persistentVolumeClaims, { namespace, labelSelector: label, signal }),
      ),
    ),
    kube.list(resources.secrets, { namespace, labelSelector, signal }),
  ])
  return {
    volumes: claims
      .flatMap(({ objects }) => objects)
      .map(({ metadata, spec, status }) => ({
        name: metadata.name,
        size: amountOf(status?.capacity?.storage ?? spec?.resources?.requests?.storage),
        status: status?.phase ?? '',
      })),
    secrets: secrets.objects
      .filter(({ metadata }) => !metadata.ownerReferences?.length)
      .map(({ metadata, type }) => ({ name: metadata.name, type: type ?? '' })),
  }
}

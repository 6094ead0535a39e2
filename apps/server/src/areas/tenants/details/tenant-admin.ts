import { reason } from '@stowage/contract'
import { type Kube, KubeError, type SavedKubeObject, type TenantObject } from '@stowage/kube'
import { createMadmin, type Madmin } from '@stowage/madmin'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import type { TenantLinks } from '../../../lib/kube/tenant-links.ts'
import { effectiveConfiguration } from '../configuration/tenant-configuration.ts'
import { tenantHasTls } from './describe-tenant.ts'

/**
 * Returns a client of a tenant's admin API, with the administrator's keys from the tenant's secret.
 * @throws HttpError 403 if the caller has no right to read these keys; KubeError
 */
export async function tenantAdmin(
  kube: Kube,
  tenant: SavedKubeObject<TenantObject>,
  links: TenantLinks,
  signal: AbortSignal,
): Promise<Madmin> {
  const { rootUser, rootPassword } = await effectiveConfiguration(kube, tenant, signal)
  if (!rootUser || !rootPassword) throw new HttpError(403, reason('tenant-keys'))
  const { origin, egress } = await links.to('minio', tenant, tenantHasTls(tenant), kube, signal)
  return createMadmin({
    endpoint: origin,
    credentials: { accessKey: rootUser, secretKey: rootPassword },
    dispatcher: egress.dispatcher,
    signal,
  })
}

/** Calls a tenant and converts its errors: a refusal by the tenant must not end the caller's session. */
export async function askTenant<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof KubeError || cause instanceof HttpError) throw cause
    throw new HttpError(502, reason('tenant-unreachable'), { detail: errorMessage(cause), cause })
  }
}

export const errorMessage = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

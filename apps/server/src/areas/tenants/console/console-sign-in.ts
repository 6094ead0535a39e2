import { reason } from '@stowage/contract'
import { EgressError } from '@stowage/egress'
import { type Kube, resources, type SavedKubeObject, type TenantObject } from '@stowage/kube'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import type { TenantLink, TenantService } from '../../../lib/kube/tenant-links.ts'
import { effectiveConfiguration } from '../configuration/tenant-configuration.ts'

const SIGN_IN_MS = 10_000

/**
 * Signs in at the console of a tenant with the tenant's own credentials, if the caller may read them.
 * @returns a `Cookie` header
 * @throws HttpError 403 without the credentials, 502 if the console cannot be reached or refuses them
 */
export async function signInAtTenant(
  kube: Kube,
  tenant: SavedKubeObject<TenantObject>,
  link: TenantLink,
): Promise<string> {
  const { rootUser, rootPassword } = await effectiveConfiguration(kube, tenant)
  if (!rootUser || !rootPassword) throw new HttpError(403, reason('tenant-credentials'))
  try {
    const { headers } = await link.egress.request(`${link.origin}/api/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ accessKey: rootUser, secretKey: rootPassword }),
      timeoutMs: SIGN_IN_MS,
    })
    const cookies = [headers['set-cookie'] ?? []]
      .flat()
      .flatMap((line) => /^(token(?:\.\d+)?=[^;]+)/.exec(line)?.[1] ?? [])
    if (cookies.length === 0) throw new HttpError(502, reason('tenant-console-refused'))
    return cookies.join('; ')
  } catch (cause) {
    if (!(cause instanceof EgressError)) throw cause
    const refused = cause.status !== undefined && cause.status < 500
    const why = reason(refused ? 'tenant-console-refused' : 'tenant-console-unreachable')
    throw new HttpError(502, why, { detail: cause.message, cause })
  }
}

/**
 * Refuses a service of a tenant that is an alias of another host, because that host would receive the tenant's credentials.
 * @throws HttpError 502; KubeError if the service does not exist, or the caller has no right to read it
 */
export async function refuseExternalService(
  kube: Kube,
  { metadata: { namespace, name } }: SavedKubeObject<TenantObject>,
  of: TenantService,
  signal: AbortSignal,
): Promise<void> {
  const service = of === 'minio' ? 'minio' : `${name}-console`
  const { spec } = await kube.get(resources.services, { namespace, name: service }, { signal })
  if (spec?.type === 'ExternalName') throw new HttpError(502, reason('tenant-console-elsewhere', { service }))
}

/** Whether credentials would be sent unencrypted over a network. */
export function isUnencrypted({ origin }: TenantLink): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && !/^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(hostname)
}

import { reason } from '@stowage/contract'
import type { CreateTenant } from '@stowage/contract/tenants/create-tenant'
import { type Kube, resources, tenants } from '@stowage/kube'
import { stringify } from 'yaml'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { refusalMessage } from '../../../lib/kube/refusal-message.ts'
import { makeVerifiedChange } from '../../../lib/kube/verified-change.ts'
import { SecretChanges } from '../kube-objects/secret-changes.ts'
import type { NewTenantObjects } from './new-tenant-objects.ts'

/**
 * Creates the objects of a tenant. If one of them fails, deletes those that this call has created, and restores the secrets of a
 * former tenant that it has replaced.
 * @throws HttpError 409 if the tenant exists, or its namespace has one; KubeError
 */
export async function createTenant(
  kube: Kube,
  { secrets, tenant }: NewTenantObjects,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '', name = '' } = tenant.metadata ?? {}
  await refuseExisting(kube, namespace, name, signal)
  const changes = new SecretChanges(kube, { namespace, tenant: name })
  try {
    for (const secret of secrets) {
      signal.throwIfAborted()
      await changes.put(secret)
    }
    signal.throwIfAborted()
    await makeVerifiedChange(
      () => kube.create(tenants, tenant),
      async () => {
        const { objects } = await kube.list(tenants, { namespace, fieldSelector: `metadata.name=${name}` })
        return objects[0]
      },
    )
  } catch (error) {
    await changes.undoAfter(error)
    throw error
  }
}

/** Refuses a tenant that exists, because its secrets must not be changed. */
async function refuseExisting(kube: Kube, namespace: string, name: string, signal: AbortSignal): Promise<void> {
  const { objects } = await kube.list(tenants, { namespace, signal })
  if (objects.some(({ metadata }) => metadata.name === name))
    throw new HttpError(409, reason('tenant-exists', { tenant: name }), { field: 'name' })
  if (objects.length > 0) throw new HttpError(409, reason('tenant-in-namespace'), { field: 'namespace' })
}

export interface TenantPreviewObject {
  kind: string
  name: string
  yaml: string
  problem: string
}

/** Lets the API server validate each object without storing it. Values of secrets are not shown. */
export async function previewTenant(
  kube: Kube,
  { secrets, tenant }: NewTenantObjects,
  signal: AbortSignal,
): Promise<TenantPreviewObject[]> {
  const checked = secrets.map(async (secret) => ({
    kind: 'Secret',
    name: secret.metadata?.name ?? '',
    yaml: stringify({ apiVersion: 'v1', kind: 'Secret', ...secret, data: hiddenValues(secret.data) }),
    problem: await refusalMessage(() => kube.create(resources.secrets, secret, { dryRun: true, signal })),
  }))
  const own = async () => ({
    kind: 'Tenant',
    name: tenant.metadata?.name ?? '',
    yaml: stringify(tenant),
    problem: await refusalMessage(() => kube.create(tenants, tenant, { dryRun: true, signal })),
  })
  return await Promise.all([...checked, own()])
}

const hiddenValues = (data: Record<string, string> = {}) =>
  Object.fromEntries(Object.keys(data).map((key) => [key, '(not shown)']))

/** Returns what the answer says about sign-in: the keys of the new users, or that the provider is external. */
export function createdTenantAnswer({ idp }: CreateTenant) {
  const externalIDP = Boolean(idp?.oidc || idp?.active_directory)
  return { externalIDP, console: externalIDP ? [] : (idp?.keys ?? []) }
}

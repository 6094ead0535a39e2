import { reason } from '@stowage/contract'
import type { CreateTenant } from '@stowage/contract/tenants/create'
import { type Kube, KubeError, resources, TENANT_LABEL, tenants } from '@stowage/kube'
import type { Secret } from 'kubernetes-types/core/v1'
import { stringify } from 'yaml'
import { HttpError } from '../../lib/http/errors.ts'
import { refusalOf } from '../../lib/kube/refusal.ts'
import type { TenantObjects } from './create-objects.ts'

/**
 * Creates the objects of a tenant. If one of them fails, deletes those that this call has created, and no others.
 * @throws HttpError 409 if the tenant exists, or its namespace has one; KubeError
 */
export async function createTenant(kube: Kube, { secrets, tenant }: TenantObjects, signal: AbortSignal): Promise<void> {
  const { namespace, name = '' } = tenant.metadata ?? {}
  await refuseExisting(kube, namespace, name, signal)
  const made: { name: string; uid: string }[] = []
  try {
    for (const secret of secrets) {
      const { metadata } = await createSecret(kube, secret, name, signal)
      made.push(metadata)
    }
    await kube.create(tenants, tenant, { signal })
  } catch (error) {
    // Without the caller's signal: a caller who disconnects must not leave an incomplete tenant.
    await Promise.all(made.map(({ name, uid }) => takeBack(kube, namespace, name, uid)))
    throw error
  }
}

/** Refuses a tenant that exists, because its secrets must not be changed. */
async function refuseExisting(
  kube: Kube,
  namespace: string | undefined,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const { objects } = await kube.list(tenants, { namespace, signal })
  if (objects.some(({ metadata }) => metadata.name === name))
    throw new HttpError(409, reason('tenant-exists', { tenant: name }), { field: 'name' })
  if (objects.length > 0) throw new HttpError(409, reason('tenant-in-namespace'), { field: 'namespace' })
}

/** Replaces a secret of a former tenant of the same name; refuses any other existing secret. */
async function createSecret(kube: Kube, secret: Secret, tenant: string, signal: AbortSignal) {
  try {
    return await kube.create(resources.secrets, secret, { signal })
  } catch (error) {
    if (!(error instanceof KubeError) || error.code !== 'AlreadyExists') throw error
    const at = { namespace: secret.metadata?.namespace, name: secret.metadata?.name ?? '' }
    const stale = await kube.get(resources.secrets, at, { signal })
    if (stale.metadata.labels?.[TENANT_LABEL] !== tenant)
      throw new HttpError(409, reason('tenant-secret-exists', { secret: at.name }), { cause: error })
    await kube.delete(resources.secrets, at, { preconditions: { uid: stale.metadata.uid }, signal })
    return await kube.create(resources.secrets, secret, { signal })
  }
}

async function takeBack(kube: Kube, namespace: string | undefined, name: string, uid: string): Promise<void> {
  try {
    await kube.delete(resources.secrets, { namespace, name }, { preconditions: { uid } })
  } catch (error) {
    // Already deleted, or not allowed: the caller gets the first error.
    if (!(error instanceof KubeError)) throw error
  }
}

export interface PreviewObject {
  kind: string
  name: string
  yaml: string
  problem: string
}

/** Lets the API server validate each object without storing it. Values of secrets are not shown. */
export async function previewTenant(
  kube: Kube,
  { secrets, tenant }: TenantObjects,
  signal: AbortSignal,
): Promise<PreviewObject[]> {
  const checked = secrets.map(async (secret) => ({
    kind: 'Secret',
    name: secret.metadata?.name ?? '',
    yaml: stringify({ apiVersion: 'v1', kind: 'Secret', ...secret, data: hidden(secret.data) }),
    problem: await refusalOf(() => kube.create(resources.secrets, secret, { dryRun: true, signal })),
  }))
  const own = async () => ({
    kind: 'Tenant',
    name: tenant.metadata?.name ?? '',
    yaml: stringify(tenant),
    problem: await refusalOf(() => kube.create(tenants, tenant, { dryRun: true, signal })),
  })
  return await Promise.all([...checked, own()])
}

const hidden = (data: Record<string, string> = {}) =>
  Object.fromEntries(Object.keys(data).map((key) => [key, '(not shown)']))

/** Returns what the answer says about sign-in: the keys of the new users, or that the provider is external. */
export function answerOf({ idp }: CreateTenant) {
  const externalIDP = Boolean(idp?.oidc || idp?.active_directory)
  return { externalIDP, console: externalIDP ? [] : (idp?.keys ?? []) }
}

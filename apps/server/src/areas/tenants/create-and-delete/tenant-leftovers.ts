import { type FormerTenant, reason } from '@stowage/contract'
import { leftoverCalls } from '@stowage/contract/tenants/leftovers'
import { SubdomainName } from '@stowage/contract/tenants/tenant-params'
import { quantityAmount } from '@stowage/contract/values/quantity'
import { type Kube, KubeError, resources, type SavedKubeObject, TENANT_LABEL, tenants } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import type { PersistentVolumeClaim, Secret } from 'kubernetes-types/core/v1'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { serveOperator } from '../../../lib/http/serve.ts'
import type { TenantReference } from '../kube-objects/change-tenant.ts'
import { listInNamespaces } from '../kube-objects/list-in-namespaces.ts'

/** Labels of the volumes of a tenant: of its servers, its log search and its Prometheus. Values are its name and the suffix. */
const VOLUME_LABELS = [
  { label: TENANT_LABEL, suffix: '' },
  { label: 'v1.min.io/log-pg', suffix: '-log' },
  { label: 'v1.min.io/prometheus', suffix: '-prometheus' },
] as const

interface LeftoverKinds {
  volumes: boolean
  secrets: boolean
}

/** @param isCreating whether a tenant is being created in a namespace; its secrets exist before the tenant does */
export function tenantLeftoverRoutes(app: FastifyInstance, isCreating: (namespace: string) => boolean): void {
  serveOperator(app, leftoverCalls.listFormerTenants, async ({ query }, { kube, signal }) => {
    return { tenants: await formerTenants(kube, query.namespaces, signal) }
  })

  serveOperator(app, leftoverCalls.getTenantLeftovers, async ({ params }, { kube, signal }) => {
    return await listLeftovers(kube, params, signal)
  })

  serveOperator(app, leftoverCalls.deleteTenantLeftovers, async ({ params, body }, { kube, signal }) => {
    const { namespace, tenant } = params
    const { objects } = await kube.list(tenants, { namespace, fieldSelector: `metadata.name=${tenant}`, signal })
    if (objects.length > 0 || isCreating(namespace)) throw new HttpError(409, reason('tenant-not-former', { tenant }))
    await deleteLeftovers(kube, params, body, signal)
  })
}

async function formerTenants(
  kube: Kube,
  namespaces: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<FormerTenant[]> {
  const [claims, secrets] = await Promise.all([
    Promise.all(
      VOLUME_LABELS.map(async ({ label, suffix }) =>
        (
          await listInNamespaces(kube, resources.persistentVolumeClaims, namespaces, { labelSelector: label, signal })
        ).map((claim) => ({ claim, tenant: withoutSuffix(claim.metadata.labels?.[label] ?? '', suffix) })),
      ),
    ),
    readableSecrets(kube, namespaces, signal),
  ])
  // Listed last: a tenant that has been created since is not a former one.
  const existing = await listInNamespaces(kube, tenants, namespaces, { signal })
  const taken = new Set(existing.map(({ metadata }) => tenantKey(metadata.namespace, metadata.name)))
  const found = new Map<string, FormerTenant>()
  const at = (namespace = '', tenant: string): FormerTenant | undefined => {
    const key = tenantKey(namespace, tenant)
    // A tenant cannot have every name that a label can have.
    if (taken.has(key) || !SubdomainName.safeParse(tenant).success) return undefined
    const known = found.get(key) ?? { namespace, tenant, volumes: 0, size: 0, secrets: secrets ? 0 : null }
    found.set(key, known)
    return known
  }
  for (const { claim, tenant } of claims.flat()) {
    const former = at(claim.metadata.namespace, tenant)
    if (!former) continue
    former.volumes++
    former.size += claimSize(claim)
  }
  for (const { metadata } of secrets ?? []) {
    const former = at(metadata.namespace, metadata.labels?.[TENANT_LABEL] ?? '')
    if (former) former.secrets = (former.secrets ?? 0) + 1
  }
  return [...found.values()].sort((a, b) =>
    tenantKey(a.namespace, a.tenant) < tenantKey(b.namespace, b.tenant) ? -1 : 1,
  )
}

const tenantKey = (namespace = '', tenant: string) => `${namespace}/${tenant}`

const withoutSuffix = (text: string, suffix: string) =>
  text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : ''

/** Returns the secrets of all tenants that have no owner; undefined without the right to list them. */
async function readableSecrets(
  kube: Kube,
  namespaces: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<SavedKubeObject<Secret>[] | undefined> {
  try {
    const all = await listInNamespaces(kube, resources.secrets, namespaces, { labelSelector: TENANT_LABEL, signal })
    return all.filter(isWithoutOwner)
  } catch (error) {
    if (error instanceof KubeError && error.code === 'Forbidden') return undefined
    throw error
  }
}

/** The cluster itself deletes a secret with its owner. */
const isWithoutOwner = ({ metadata }: SavedKubeObject<Secret>) => !metadata.ownerReferences?.length

const claimSize = ({ spec, status }: SavedKubeObject<PersistentVolumeClaim>): number =>
  quantityAmount(status?.capacity?.storage ?? spec?.resources?.requests?.storage)

const volumeLabels = (tenant: string) => VOLUME_LABELS.map(({ label, suffix }) => `${label}=${tenant}${suffix}`)

/** Returns what remains after a tenant is deleted: volumes, and secrets without an owner. */
export async function listLeftovers(kube: Kube, { namespace, tenant }: TenantReference, signal: AbortSignal) {
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
      .map((claim) => ({ name: claim.metadata.name, size: claimSize(claim), status: claim.status?.phase ?? '' })),
    secrets: secrets.objects
      .filter(isWithoutOwner)
      .map(({ metadata, type }) => ({ name: metadata.name, type: type ?? '' })),
  }
}

/** Deletes volumes or secrets of a tenant, as requested. Roles of the operator allow this only for whole collections. */
export async function deleteLeftovers(
  kube: Kube,
  { namespace, tenant }: TenantReference,
  what: LeftoverKinds,
  signal: AbortSignal,
): Promise<void> {
  if (what.volumes)
    for (const labelSelector of volumeLabels(tenant))
      await kube.deleteCollection(resources.persistentVolumeClaims, { namespace, labelSelector }, { signal })
  if (what.secrets) {
    const labelSelector = `${TENANT_LABEL}=${tenant}`
    await kube.deleteCollection(resources.secrets, { namespace, labelSelector }, { signal })
  }
}

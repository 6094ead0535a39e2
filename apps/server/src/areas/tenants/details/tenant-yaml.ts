import { reason } from '@stowage/contract'
import { type Kube, type SavedKubeObject, type TenantObject, tenants } from '@stowage/kube'
import { parseDocument, stringify } from 'yaml'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { readTenant, STRICT_FIELDS, type TenantReference } from '../kube-objects/change-tenant.ts'

/** Maximum number of aliases that a text may resolve, against "billion laughs" attacks. */
const MAX_ALIASES = 100

export function tenantYaml(tenant: SavedKubeObject<TenantObject>): string {
  const { managedFields: _, ...metadata } = tenant.metadata
  return stringify({ ...tenant, metadata }, { sortMapEntries: true })
}

interface EditedTenant {
  apiVersion?: unknown
  kind?: unknown
  metadata?: {
    name?: unknown
    namespace?: unknown
    uid?: unknown
    labels?: Record<string, string>
    annotations?: Record<string, string>
    finalizers?: string[]
  }
  spec?: TenantObject['spec']
}

/** @throws HttpError 400 with the parser's message */
export function parseTenantYaml(text: string): EditedTenant {
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: true })
  const [problem] = document.errors
  if (problem) throw new HttpError(400, reason('yaml-invalid'), { message: problem.message, field: 'yaml' })
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    throw new HttpError(400, reason('yaml-invalid'), { message: (error as Error).message, field: 'yaml' })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new HttpError(400, reason('yaml-invalid'), { field: 'yaml' })
  return withoutPrototypes(value) as EditedTenant
}

/** Removes `__proto__`: JSON.parse turns it into a member that a later assignment would treat as the prototype. */
function withoutPrototypes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, member) => (key === '__proto__' ? undefined : member))
}

/**
 * Replaces labels, annotations, finalizers and specification with those in a YAML text.
 * @throws HttpError 400, 409 if the tenant is not the one that was edited; KubeError
 */
export async function updateTenantYaml(
  kube: Kube,
  at: TenantReference,
  {
    yaml,
    resourceVersion,
    dryRun,
  }: { yaml: string; resourceVersion?: string | undefined; dryRun?: boolean | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { apiVersion, kind, metadata, spec } = parseTenantYaml(yaml)
  const current = await readTenant(kube, at, signal)
  for (const [field, value, own] of [
    ['apiVersion', apiVersion, current.apiVersion],
    ['kind', kind, current.kind],
  ])
    if (value !== undefined && value !== own)
      throw new HttpError(400, reason('yaml-other-kind', { field: String(field), value: String(value) }), {
        field: String(field),
      })
  const own = { name: at.tenant, namespace: at.namespace, uid: current.metadata.uid }
  for (const [field, value] of Object.entries(own)) {
    const said = metadata?.[field as keyof typeof own]
    if (said !== undefined && said !== value)
      throw new HttpError(400, reason('yaml-other-tenant', { field, value: String(said) }), {
        field: `metadata.${field}`,
      })
  }
  const { labels, annotations, finalizers } = metadata ?? {}
  const kept = { ...current.metadata, ...(resourceVersion ? { resourceVersion } : {}) }
  delete kept.labels
  delete kept.annotations
  delete kept.finalizers
  const edited: SavedKubeObject<TenantObject> = {
    ...current,
    metadata: {
      ...kept,
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ...(finalizers ? { finalizers } : {}),
    },
    ...(spec ? { spec } : {}),
  }
  await kube.update(tenants, edited, { ...STRICT_FIELDS, signal, ...(dryRun ? { dryRun: true } : {}) })
}

import { reason } from '@stowage/contract'
import { type Kube, type SavedKubeObject, type TenantObject, tenants } from '@stowage/kube'
import { stringify } from 'yaml'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import type { ParserThreads } from '../../../lib/threads/parser-threads.ts'
import { readTenant, STRICT_FIELDS, type TenantReference } from '../kube-objects/change-tenant.ts'
import { type EditedTenant, readTenantYaml } from './parse-tenant-yaml.ts'

export function tenantYaml(tenant: SavedKubeObject<TenantObject>): string {
  const { managedFields: _, ...metadata } = tenant.metadata
  return stringify({ ...tenant, metadata }, { sortMapEntries: true })
}

/** @throws HttpError 400 with the parser's message, 413 if reading takes too long */
async function parseTenantYaml(
  text: string,
  { threads, owner }: YamlReader,
  signal: AbortSignal,
): Promise<EditedTenant> {
  const answer = await threads.run(owner, readTenantYaml, async () => ({ input: text }), signal)
  if (!('problem' in answer)) return answer.tenant
  const { problem } = answer
  if ('duplicate' in problem)
    throw new HttpError(400, reason('yaml-duplicate-key', problem.duplicate), { field: 'yaml' })
  const { message } = problem
  throw new HttpError(400, reason('yaml-invalid'), { ...(message === undefined ? {} : { message }), field: 'yaml' })
}

/** The threads that read a text, and for whom. */
interface YamlReader {
  threads: ParserThreads
  owner: string
}

/** @throws KubeError Forbidden if the caller may not change the tenant */
async function requireChangeRight(kube: Kube, { namespace, tenant }: TenantReference, signal: AbortSignal) {
  const review = await kube.can({ verb: 'update', resource: tenants, namespace, name: tenant }, { signal })
  if (!review.allowed)
    throw new HttpError(403, reason('kube-forbidden'), review.reason ? { detail: review.reason } : {})
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
  reader: YamlReader,
  signal: AbortSignal,
): Promise<void> {
  const current = await readTenant(kube, at, signal)
  await requireChangeRight(kube, at, signal)
  const { apiVersion, kind, metadata, spec } = await parseTenantYaml(yaml, reader, signal)
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

import { driftCalls } from '@stowage/contract/tenants/drift'
import { type Kube, KubeError, type KubeObject, type Resource, resources } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import { serveOperator } from '../../lib/http/serve.ts'
import { readTenant } from './change.ts'
import { driftOf, referencedSecrets, type TenantParts } from './drift.ts'
import { labelOf } from './tenant-pods.ts'

export function driftRoutes(app: FastifyInstance): void {
  serveOperator(app, driftCalls.getTenantDrift, async ({ params }, { kube, signal }) => {
    const tenant = await readTenant(kube, params, signal)
    const selection = { namespace: params.namespace, labelSelector: labelOf(params.tenant), signal }
    const unread = new Set<string>()
    const list = async <T extends KubeObject>(kind: Resource<T>) => {
      const found = await ifAllowed(kube.list(kind, selection))
      if (found === 'forbidden') unread.add(kind.plural)
      return found === 'forbidden' ? undefined : found.objects
    }
    const names = tenant.spec ? referencedSecrets(tenant.spec).map(({ name }) => name) : []
    const [sets, pods, claims, secrets] = await Promise.all([
      list(resources.statefulSets),
      list(resources.pods),
      list(resources.persistentVolumeClaims),
      Promise.all(names.map(async (name) => [name, await keysOf(kube, params.namespace, name, signal)] as const)),
    ])
    if (secrets.some(([, keys]) => keys === 'forbidden')) unread.add(resources.secrets.plural)
    const known: TenantParts['secrets'] = new Map(
      secrets.flatMap(([name, keys]) => (keys === 'forbidden' ? [] : [[name, keys] as const])),
    )
    return { differences: driftOf(tenant, { sets, pods, claims, secrets: known }), unread: [...unread].sort() }
  })
}

async function ifAllowed<T>(run: Promise<T>): Promise<T | 'forbidden'> {
  try {
    return await run
  } catch (error) {
    if (error instanceof KubeError && error.code === 'Forbidden') return 'forbidden'
    throw error
  }
}

/** The names of a secret's values. */
async function keysOf(kube: Kube, namespace: string, name: string, signal: AbortSignal) {
  try {
    const secret = await ifAllowed(kube.get(resources.secrets, { namespace, name }, { signal }))
    return secret === 'forbidden' ? secret : Object.keys(secret.data ?? {}).sort()
  } catch (error) {
    if (error instanceof KubeError && error.code === 'NotFound') return 'missing'
    throw error
  }
}

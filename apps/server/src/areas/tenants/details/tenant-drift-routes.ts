import { driftCalls } from '@stowage/contract/tenants/drift'
import { type Kube, KubeError, type KubeObject, type KubeResource, resources, type TenantObject } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import { serveOperator } from '../../../lib/http/serve.ts'
import { ifAllowed } from '../../../lib/kube/if-allowed.ts'
import { configVariables, readSecretData } from '../configuration/tenant-configuration.ts'
import { readTenant } from '../kube-objects/change-tenant.ts'
import { tenantLabelSelector } from '../kube-objects/tenant-pods.ts'
import { referencedSecrets, type SecretVariables, type TenantClusterObjects, tenantDrift } from './tenant-drift.ts'

export function tenantDriftRoutes(app: FastifyInstance): void {
  serveOperator(app, driftCalls.getTenantDrift, async ({ params }, { kube, signal }) => {
    const tenant = await readTenant(kube, params, signal)
    const selection = { namespace: params.namespace, labelSelector: tenantLabelSelector(params.tenant), signal }
    const unread = new Set<string>()
    const list = async <T extends KubeObject>(kind: KubeResource<T>) => {
      const found = await ifAllowed(kube.list(kind, selection))
      if (found === 'forbidden') unread.add(kind.plural)
      return found === 'forbidden' ? undefined : found.objects
    }
    const names = tenant.spec ? referencedSecrets(tenant.spec).map(({ name }) => name) : []
    const [sets, pods, claims, secrets] = await Promise.all([
      list(resources.statefulSets),
      list(resources.pods),
      list(resources.persistentVolumeClaims),
      Promise.all(
        names.map(async (name) => [name, await readSecretIfAllowed(kube, params.namespace, name, signal)] as const),
      ),
    ])
    if (secrets.some(([, data]) => data === 'forbidden')) unread.add(resources.secrets.plural)
    const known: TenantClusterObjects['secrets'] = new Map(
      secrets.flatMap(([name, data]) => {
        if (data === 'forbidden') return []
        return [[name, data === 'missing' ? data : Object.keys(data).sort()] as const]
      }),
    )
    const variables = secretVariables(tenant, new Map(secrets))
    return {
      differences: tenantDrift(tenant, { sets, pods, claims, secrets: known, variables }),
      unread: [...unread].sort(),
    }
  })
}

type SecretReadResult = Readonly<Record<string, string>> | 'missing' | 'forbidden'

/** The variables that the secrets of a tenant set, in the order in which they count. */
function secretVariables(tenant: TenantObject, secrets: ReadonlyMap<string, SecretReadResult>): SecretVariables[] {
  const { spec } = tenant
  const read = (name: string | undefined) => {
    const data = name === undefined ? undefined : secrets.get(name)
    return typeof data === 'object' && name !== undefined ? [{ name, data }] : []
  }
  return [
    ...read(spec?.credsSecret?.name).map(({ name, data: { accesskey, secretkey } }) => ({
      name,
      variables: {
        // Newer operators need the secret with empty keys.
        ...(accesskey ? { MINIO_ROOT_USER: accesskey } : {}),
        ...(secretkey ? { MINIO_ROOT_PASSWORD: secretkey } : {}),
      },
    })),
    ...read(spec?.configuration?.name).map(({ name, data }) => ({
      name,
      variables: configVariables(tenant, data['config.env']),
    })),
  ]
}

async function readSecretIfAllowed(
  kube: Kube,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<SecretReadResult> {
  try {
    return await ifAllowed(readSecretData(kube, namespace, name, signal))
  } catch (error) {
    if (error instanceof KubeError && error.code === 'NotFound') return 'missing'
    throw error
  }
}

import { reason } from '@stowage/contract'
import { type Kube, resources, TENANT_LABEL } from '@stowage/kube'
import { HttpError } from '../../../lib/errors/http-errors.ts'

/** Returns the label selector of a tenant's objects. */
export const tenantLabelSelector = (tenant: string) => `${TENANT_LABEL}=${tenant}`

/** Returns a pod of a tenant. @throws HttpError 404 for any other pod */
export async function tenantPod(
  kube: Kube,
  params: { namespace: string; tenant: string; pod: string },
  signal: AbortSignal,
) {
  const pod = await kube.get(resources.pods, { namespace: params.namespace, name: params.pod }, { signal })
  if (pod.metadata.labels?.[TENANT_LABEL] !== params.tenant)
    throw new HttpError(404, reason('kube-not-found'), { detail: reason('pod-of-other-tenant') })
  return pod
}

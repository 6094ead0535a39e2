import { reason, type TenantPod, type TenantVolume } from '@stowage/contract'
import { tenantPodCalls } from '@stowage/contract/tenants/pods'
import { type Kube, POOL_LABEL, resources, type SavedKubeObject, TENANT_LABEL } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import type { PersistentVolumeClaim, Pod as PodObject } from 'kubernetes-types/core/v1'
import { stringify } from 'yaml'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { serveOperator } from '../../../lib/http/serve.ts'
import { deleteKubeObject } from '../../../lib/kube/delete-kube-object.ts'
import { readTenant } from '../kube-objects/change-tenant.ts'
import { annotationsForDisplay, objectForDisplay } from '../kube-objects/hide-secrets.ts'
import { listObjectEvents, unixSeconds } from '../kube-objects/object-events.ts'
import { tenantLabelSelector, tenantPod } from '../kube-objects/tenant-pods.ts'
import { createLogReport } from './log-report.ts'
import { podLogRoutes } from './pod-logs.ts'
import {
  isPodAwaited,
  isPodReady,
  type PodContext,
  podOwnReason,
  podWaitReason,
  readPodContext,
} from './pod-wait-reasons.ts'

export function tenantPodRoutes(app: FastifyInstance): void {
  podLogRoutes(app)

  serveOperator(app, tenantPodCalls.listTenantPods, async ({ params: { namespace, tenant } }, { kube, signal }) => {
    const selection = { namespace, labelSelector: tenantLabelSelector(tenant) }
    const { objects } = await kube.list(resources.pods, { ...selection, signal })
    const surroundings = objects.some(isPodAwaited)
      ? await readPodContext(kube, selection, signal)
      : { claims: [], warnings: [] }
    return objects.map((pod) => wirePod(pod, surroundings))
  })

  serveOperator(app, tenantPodCalls.deletePod, async ({ params }, { kube, signal }) => {
    const { metadata } = await tenantPod(kube, params, signal)
    const at = { namespace: params.namespace, name: params.pod }
    await deleteKubeObject(kube, resources.pods, at, { uid: metadata.uid, signal })
  })

  serveOperator(app, tenantPodCalls.listPodEvents, async ({ params }, { kube, signal }) => {
    const { metadata } = await tenantPod(kube, params, signal)
    return await listObjectEvents(kube, params.namespace, metadata.uid, signal)
  })

  serveOperator(app, tenantPodCalls.describePod, async ({ params }, { kube, signal }) => {
    return { yaml: stringify(objectForDisplay(await tenantPod(kube, params, signal))) }
  })

  serveOperator(app, tenantPodCalls.listTenantVolumes, async ({ params: { namespace, tenant } }, { kube, signal }) => {
    const labelSelector = tenantLabelSelector(tenant)
    const { objects } = await kube.list(resources.persistentVolumeClaims, { namespace, labelSelector, signal })
    return { pvcs: objects.map(wireVolume) }
  })

  serveOperator(app, tenantPodCalls.deleteTenantVolume, async ({ params }, { kube, signal }) => {
    const claim = await tenantVolume(kube, params, signal)
    const { objects } = await kube.list(resources.pods, { namespace: params.namespace, signal })
    const user = objects.find(({ spec }) =>
      spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === params.volume),
    )
    if (user) throw new HttpError(409, reason('volume-in-use', { pod: user.metadata.name }))
    const at = { namespace: params.namespace, name: params.volume }
    await deleteKubeObject(kube, resources.persistentVolumeClaims, at, { uid: claim.metadata.uid, signal })
  })

  serveOperator(app, tenantPodCalls.listVolumeEvents, async ({ params }, { kube, signal }) => {
    const { metadata } = await tenantVolume(kube, params, signal)
    return await listObjectEvents(kube, params.namespace, metadata.uid, signal)
  })

  serveOperator(app, tenantPodCalls.describeVolume, async ({ params }, { kube, signal }) => {
    return { yaml: stringify(objectForDisplay(await tenantVolume(kube, params, signal))) }
  })

  serveOperator(app, tenantPodCalls.listTenantEvents, async ({ params }, { kube, signal }) => {
    const { metadata } = await readTenant(kube, params, signal)
    return await listObjectEvents(kube, params.namespace, metadata.uid, signal)
  })

  serveOperator(app, tenantPodCalls.listTenantCsrs, async ({ params: { namespace, tenant } }, { kube, signal }) => {
    const selectors = [tenantLabelSelector(tenant), `v1.min.io/kes=${tenant}-kes`]
    const lists = await Promise.all(
      selectors.map((labelSelector) => kube.list(resources.certificateSigningRequests, { labelSelector, signal })),
    )
    return {
      csrElement: lists
        .flatMap(({ objects }) => objects)
        .filter(({ metadata }) => isRequestIn(metadata.name, tenant, namespace))
        .map(({ metadata, spec, status }) => ({
          name: metadata.name,
          status: status?.conditions?.map(({ type }) => type).join(', ') || 'Pending',
          signer: spec?.signerName ?? '',
          created: metadata.creationTimestamp ?? '',
          annotations: annotationsForDisplay(metadata.annotations),
        })),
    }
  })

  serveOperator(app, tenantPodCalls.getTenantLogReport, async ({ params }, { kube, signal }) => {
    const tenant = await readTenant(kube, params, signal)
    const labelSelector = tenantLabelSelector(params.tenant)
    const { objects } = await kube.list(resources.pods, { namespace: params.namespace, labelSelector, signal })
    return { filename: `${params.tenant}-report.zip`, blob: await createLogReport(kube, tenant, objects, signal) }
  })
}

/**
 * Whether a request for a certificate belongs to a tenant in this namespace. Requests have no namespace, and their labels have the
 * tenant only, but the operator's names have both.
 */
function isRequestIn(name: string, tenant: string, namespace: string): boolean {
  const isOperators = name.startsWith(`${tenant}-`) && name.endsWith('-csr')
  return (
    !isOperators || ['', '-client', '-kes', '-console'].some((part) => name === `${tenant}${part}-${namespace}-csr`)
  )
}

async function tenantVolume(
  kube: Kube,
  params: { namespace: string; tenant: string; volume: string },
  signal: AbortSignal,
) {
  const at = { namespace: params.namespace, name: params.volume }
  const claim = await kube.get(resources.persistentVolumeClaims, at, { signal })
  if (claim.metadata.labels?.[TENANT_LABEL] !== params.tenant)
    throw new HttpError(404, reason('kube-not-found'), { detail: reason('volume-of-other-tenant') })
  return claim
}

/** The container of the storage server: newer pods contain others too. */
const serverContainer = (spec: PodObject['spec']) =>
  spec?.containers.find(({ name }) => name === 'minio') ?? spec?.containers[0]

export function wirePod(pod: SavedKubeObject<PodObject>, surroundings: PodContext): TenantPod {
  const { metadata, spec, status } = pod
  const containers = status?.containerStatuses ?? []
  return {
    name: metadata.name,
    status: metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? 'Unknown'),
    timeCreated: unixSeconds(metadata.creationTimestamp),
    podIP: status?.podIP ?? '',
    restarts: containers[0]?.restartCount ?? 0,
    node: spec?.nodeName ?? '',
    containers: (spec?.containers ?? []).map(({ name }) => name),
    image: metadata.labels?.[POOL_LABEL] ? (serverContainer(spec)?.image ?? '') : '',
    ready: isPodReady(pod),
    message: isPodAwaited(pod) ? podWaitReason(pod, surroundings) : podOwnReason(pod),
  }
}

export function wireVolume({ metadata, spec, status }: SavedKubeObject<PersistentVolumeClaim>): TenantVolume {
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    status: metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    volume: spec?.volumeName ?? '',
    tenant: metadata.labels?.[TENANT_LABEL] ?? '',
    capacity: status?.capacity?.storage ?? '0',
    storageClass: spec?.storageClassName ?? '',
    age: metadata.creationTimestamp ?? '',
  }
}

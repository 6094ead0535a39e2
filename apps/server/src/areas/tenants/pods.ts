import { type Pod, reason, type Volume } from '@stowage/contract'
import { podCalls } from '@stowage/contract/tenants/pods'
import { type Kube, POOL_LABEL, resources, type Stored, TENANT_LABEL } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import type { PersistentVolumeClaim, Pod as PodObject } from 'kubernetes-types/core/v1'
import { stringify } from 'yaml'
import { HttpError } from '../../lib/http/errors.ts'
import { serveOperator } from '../../lib/http/serve.ts'
import { deleteObject } from '../../lib/kube/delete-object.ts'
import { readTenant } from './change.ts'
import { eventsOf, seconds } from './events.ts'
import { annotationsForDisplay, forDisplay } from './hide-secrets.ts'
import { logReport } from './log-report.ts'
import { podLogRoutes } from './pod-logs.ts'
import { isAwaited, isReady, ownReason, type Surroundings, surroundingsOf, waitOf } from './pod-waits.ts'
import { labelOf, tenantPod } from './tenant-pods.ts'

export function podRoutes(app: FastifyInstance): void {
  podLogRoutes(app)

  serveOperator(app, podCalls.listTenantPods, async ({ params: { namespace, tenant } }, { kube, signal }) => {
    const selection = { namespace, labelSelector: labelOf(tenant) }
    const { objects } = await kube.list(resources.pods, { ...selection, signal })
    const surroundings = objects.some(isAwaited)
      ? await surroundingsOf(kube, selection, signal)
      : { claims: [], warnings: [] }
    return objects.map((pod) => podOf(pod, surroundings))
  })

  serveOperator(app, podCalls.deletePod, async ({ params }, { kube, signal }) => {
    const { metadata } = await tenantPod(kube, params, signal)
    const at = { namespace: params.namespace, name: params.pod }
    await deleteObject(kube, resources.pods, at, { uid: metadata.uid, signal })
  })

  serveOperator(app, podCalls.listPodEvents, async ({ params }, { kube, signal }) => {
    const { metadata } = await tenantPod(kube, params, signal)
    return await eventsOf(kube, params.namespace, metadata.uid, signal)
  })

  serveOperator(app, podCalls.describePod, async ({ params }, { kube, signal }) => {
    return { yaml: stringify(forDisplay(await tenantPod(kube, params, signal))) }
  })

  serveOperator(app, podCalls.listTenantVolumes, async ({ params: { namespace, tenant } }, { kube, signal }) => {
    const labelSelector = labelOf(tenant)
    const { objects } = await kube.list(resources.persistentVolumeClaims, { namespace, labelSelector, signal })
    return { pvcs: objects.map(volumeOf) }
  })

  serveOperator(app, podCalls.deleteTenantVolume, async ({ params }, { kube, signal }) => {
    const claim = await tenantVolume(kube, params, signal)
    const { objects } = await kube.list(resources.pods, { namespace: params.namespace, signal })
    const user = objects.find(({ spec }) =>
      spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === params.volume),
    )
    if (user) throw new HttpError(409, reason('volume-in-use', { pod: user.metadata.name }))
    const at = { namespace: params.namespace, name: params.volume }
    await deleteObject(kube, resources.persistentVolumeClaims, at, { uid: claim.metadata.uid, signal })
  })

  serveOperator(app, podCalls.listVolumeEvents, async ({ params }, { kube, signal }) => {
    const { metadata } = await tenantVolume(kube, params, signal)
    return await eventsOf(kube, params.namespace, metadata.uid, signal)
  })

  serveOperator(app, podCalls.describeVolume, async ({ params }, { kube, signal }) => {
    return { yaml: stringify(forDisplay(await tenantVolume(kube, params, signal))) }
  })

  serveOperator(app, podCalls.listTenantEvents, async ({ params }, { kube, signal }) => {
    const { metadata } = await readTenant(kube, params, signal)
    return await eventsOf(kube, params.namespace, metadata.uid, signal)
  })

  serveOperator(app, podCalls.listTenantCsrs, async ({ params: { namespace, tenant } }, { kube, signal }) => {
    const selectors = [labelOf(tenant), `v1.min.io/kes=${tenant}-kes`]
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

  serveOperator(app, podCalls.getTenantLogReport, async ({ params }, { kube, signal }) => {
    const tenant = await readTenant(kube, params, signal)
    const labelSelector = labelOf(params.tenant)
    const { objects } = await kube.list(resources.pods, { namespace: params.namespace, labelSelector, signal })
    return { filename: `${params.tenant}-report.zip`, blob: await logReport(kube, tenant, objects, signal) }
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
const serverOf = (spec: PodObject['spec']) =>
  spec?.containers.find(({ name }) => name === 'minio') ?? spec?.containers[0]

export function podOf(pod: Stored<PodObject>, surroundings: Surroundings): Pod {
  const { metadata, spec, status } = pod
  const containers = status?.containerStatuses ?? []
  return {
    name: metadata.name,
    status: metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? 'Unknown'),
    timeCreated: seconds(metadata.creationTimestamp),
    podIP: status?.podIP ?? '',
    restarts: containers[0]?.restartCount ?? 0,
    node: spec?.nodeName ?? '',
    containers: (spec?.containers ?? []).map(({ name }) => name),
    image: metadata.labels?.[POOL_LABEL] ? (serverOf(spec)?.image ?? '') : '',
    ready: isReady(pod),
    message: isAwaited(pod) ? waitOf(pod, surroundings) : ownReason(pod),
  }
}

export function volumeOf({ metadata, spec, status }: Stored<PersistentVolumeClaim>): Volume {
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

import type { NextExpiry, TenantReadiness } from '@stowage/contract'
import { tenantOverviewCalls } from '@stowage/contract/tenants/overview'
import {
  type CertificateReference,
  type Kube,
  KubeError,
  resources,
  type SavedKubeObject,
  TENANT_LABEL,
  type TenantObject,
  tenants,
} from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import type { StatefulSet } from 'kubernetes-types/apps/v1'
import pMap from 'p-map'
import { serveOperator } from '../../lib/http/serve.ts'
import { safeSum } from '../../lib/kube/quantities.ts'
import { describeCertificate } from './certificates/pem-certificates.ts'
import { readSecretData } from './configuration/tenant-configuration.ts'
import { listInNamespaces } from './kube-objects/list-in-namespaces.ts'
import { tenantLabelSelector } from './kube-objects/tenant-pods.ts'
import { isPodAwaited, listIfAllowed, podWaitReason, readPodContext } from './pods/pod-wait-reasons.ts'

/** Maximum number of tenants whose pods are explained: each takes three calls. */
const EXPLAINED = 20
/** Number of tenants whose secrets are read at the same time. */
const TENANTS_AT_ONCE = 16

/** The calls of the list of tenants that need more than the tenants themselves. */
export function tenantOverviewRoutes(app: FastifyInstance): void {
  serveOperator(app, tenantOverviewCalls.listTenantReadiness, async ({ query }, { kube, signal }) => {
    const sets = await listInNamespaces(kube, resources.statefulSets, query.namespaces, {
      labelSelector: TENANT_LABEL,
      signal,
    })
    const counted = countReadiness(sets)
    const behind = counted.filter(({ pods, pods_ready }) => pods_ready < pods).slice(0, EXPLAINED)
    const waits = await Promise.all(behind.map((each) => findWaitingPod(kube, each, signal)))
    const waiting = new Map(behind.map((each, index) => [each, waits[index]]))
    return {
      tenants: counted.map((each) => {
        const found = waiting.get(each)
        return found ? { ...each, waiting: found } : each
      }),
    }
  })

  serveOperator(app, tenantOverviewCalls.listTenantCertificates, async ({ query }, { kube, signal }) => {
    const all = await listInNamespaces(kube, tenants, query.namespaces, { signal })
    let complete = true
    const readNext = async (tenant: SavedKubeObject<TenantObject>) => {
      const found = await nextExpiry(kube, tenant, signal)
      complete &&= found.complete
      return found.next
    }
    const certificates = await pMap(all, readNext, { concurrency: TENANTS_AT_ONCE })
    return { certificates: certificates.filter((each) => each !== undefined), complete }
  })
}

/** Counts the pods of each tenant. */
function countReadiness(sets: readonly SavedKubeObject<StatefulSet>[]): TenantReadiness[] {
  const found = new Map<string, TenantReadiness>()
  for (const { metadata, spec, status = { replicas: 0 } } of sets) {
    const [namespace, name] = [metadata.namespace ?? '', metadata.labels?.[TENANT_LABEL] ?? '']
    const key = `${namespace}/${name}`
    const before = found.get(key) ?? { namespace, name, pods: 0, pods_ready: 0, pods_outdated: 0 }
    const isUpdating = status.updateRevision !== undefined && status.currentRevision !== status.updateRevision
    found.set(key, {
      ...before,
      pods: safeSum([before.pods, spec?.replicas ?? 1]),
      pods_ready: safeSum([before.pods_ready, status.readyReplicas ?? 0]),
      pods_outdated: before.pods_outdated + (isUpdating ? status.replicas - (status.updatedReplicas ?? 0) : 0),
    })
  }
  return [...found.values()]
}

/** Returns the first pod of a tenant that is not ready, with what it waits for. */
async function findWaitingPod(kube: Kube, { namespace, name }: TenantReadiness, signal: AbortSignal) {
  const labelSelector = tenantLabelSelector(name)
  const [pods, surroundings] = await Promise.all([
    listIfAllowed(kube, resources.pods, { namespace, labelSelector }, signal),
    readPodContext(kube, { namespace, labelSelector }, signal),
  ])
  const waits = pods
    .filter(isPodAwaited)
    .map((pod) => ({ pod: pod.metadata.name, message: podWaitReason(pod, surroundings) }))
  return waits.find(({ message }) => message !== '') ?? waits[0]
}

async function nextExpiry(kube: Kube, { metadata, spec, status }: SavedKubeObject<TenantObject>, signal: AbortSignal) {
  const { namespace = '', name } = metadata
  const references: CertificateReference[] = [
    ...((spec?.requestAutoCert ?? true) ? [{ name: `${name}-tls` }] : []),
    ...(spec?.externalCertSecret ?? []),
    ...(spec?.externalCaCertSecret ?? []),
    ...(spec?.externalClientCertSecret ? [spec.externalClientCertSecret] : []),
    ...(spec?.externalClientCertSecrets ?? []),
    ...(spec?.kes?.externalCertSecret ? [spec.kes.externalCertSecret] : []),
  ]
  const names = [...new Set(references.map((each) => each.name))]
  const read = await Promise.all(
    names.map((secret) => readCertificateExpiry(kube, { namespace, name: secret }, signal)),
  )
  // Newer operators report the certificates that a tenant does not get from them.
  const reported = Object.values(status?.certificates?.customCertificates ?? {}).flatMap((list) => list ?? [])
  const found = [
    ...read.filter((each) => typeof each === 'object'),
    ...reported.map(({ certName = '', expiry = '' }) => ({ secret: certName, expiry })),
  ].filter(({ expiry }) => !Number.isNaN(Date.parse(expiry)))
  const [first] = found.sort((a, b) => Date.parse(a.expiry) - Date.parse(b.expiry))
  const next: NextExpiry | undefined = first && {
    namespace,
    name,
    secret: first.secret,
    expiry: new Date(first.expiry).toISOString(),
  }
  return { next, complete: !read.includes('forbidden') }
}

async function readCertificateExpiry(
  kube: Kube,
  { namespace, name }: { namespace: string; name: string },
  signal: AbortSignal,
) {
  try {
    const data = await readSecretData(kube, namespace, name, signal)
    return { secret: name, expiry: describeCertificate(name, data['tls.crt'] ?? data['public.crt']).expiry }
  } catch (error) {
    if (error instanceof KubeError && error.code === 'NotFound') return 'missing'
    if (error instanceof KubeError && error.code === 'Forbidden') return 'forbidden'
    throw error
  }
}

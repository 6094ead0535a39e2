import { randomBytes } from 'node:crypto'
import { compareQuantities, parseQuantity } from '@stowage/contract/values/quantity'
import type { Namespace, PersistentVolumeClaim, Pod, ServiceAccount } from 'kubernetes-types/core/v1'
import type { KubeCaller, KubeKind } from '../kinds/kind.ts'
import { defaultPodSpec } from '../kinds/pod-spec.ts'
import { kubeErrors } from '../object/kube-api-error.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import type { KubeObjectStore } from '../store/store.ts'

/** A change before admission. */
export interface AdmissionRequest {
  readonly operation: 'create' | 'update' | 'delete'
  readonly kind: KubeKind
  readonly namespace: string | undefined
  readonly name: string
  readonly subresource: string | undefined
  /** May be modified in place. */
  readonly object: SandboxObject
  readonly previous: SandboxObject | undefined
  readonly caller: KubeCaller
}

const NAMESPACES = { group: '', plural: 'namespaces' }
/** Namespaces of the cluster itself. */
const KEPT_NAMESPACES = new Set(['default', 'kube-system', 'kube-public'])

/**
 * Adds what the server derives from other objects, and refuses changes that conflict with them.
 * @throws ApiError
 */
export function admitObject(request: AdmissionRequest, store: KubeObjectStore): void {
  namespaceLifecycle(request, store)
  if (request.subresource !== undefined) return
  const { key } = request.kind
  if (key === 'pods' && request.operation === 'create') {
    serviceAccount(request, store)
    podDefaults(request.object as Pod)
  }
  if (key === 'persistentvolumeclaims') {
    if (request.operation === 'create') {
      defaultStorageClass(request.object as PersistentVolumeClaim, store)
      protectInUse(request.object, 'kubernetes.io/pvc-protection')
    }
    if (request.operation === 'update') checkResize(request, store)
  }
  if (key === 'persistentvolumes' && request.operation === 'create')
    protectInUse(request.object, 'kubernetes.io/pv-protection')
}

function namespaceLifecycle({ operation, kind, namespace, name }: AdmissionRequest, store: KubeObjectStore): void {
  if (kind.key === 'namespaces' && operation === 'delete' && KEPT_NAMESPACES.has(name))
    throw kubeErrors.forbidden(NAMESPACES, name, 'this namespace may not be deleted')
  if (operation !== 'create' || namespace === undefined) return
  const found = store.get('namespaces', undefined, namespace) as Namespace | undefined
  if (!found) throw kubeErrors.notFound(NAMESPACES, namespace)
  if (found.metadata?.deletionTimestamp === undefined) return
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const message = `namespace ${namespace} is being terminated`
  throw kubeErrors.forbidden(kind, name, why, [
    { reason: 'NamespaceTerminating', message, field: 'metadata.namespace' },
  ])
}

const MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Runs pods as an account of their namespace, with its token in a volume. */
function serviceAccount({ object, kind, namespace, name }: AdmissionRequest, store: KubeObjectStore): void {
  const { spec } = object as Pod
  if (!spec) return
  spec.serviceAccountName ||= 'default'
  spec.serviceAccount = spec.serviceAccountName
  const account = store.get('serviceaccounts', namespace, spec.serviceAccountName) as ServiceAccount | undefined
  if (!account) {
    const which = `${namespace}/${spec.serviceAccountName}`
    const why = `error looking up service account ${which}: serviceaccount "${spec.serviceAccountName}" not found`
    throw kubeErrors.forbidden(kind, name, why)
  }
  if (account.imagePullSecrets?.length) spec.imagePullSecrets ??= account.imagePullSecrets
  if ((spec.automountServiceAccountToken ?? account.automountServiceAccountToken) === false) return
  const volume = `kube-api-access-${randomName()}`
  let mounted = false
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.volumeMounts?.some(({ mountPath }) => mountPath === MOUNT)) continue
    container.volumeMounts = [...(container.volumeMounts ?? []), { name: volume, readOnly: true, mountPath: MOUNT }]
    mounted = true
  }
  if (!mounted) return
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
  ]
  spec.volumes = [...(spec.volumes ?? []), { name: volume, projected: { sources } }]
  defaultPodSpec(spec)
}

function podDefaults({ spec }: Pod): void {
  if (!spec) return
  spec.priority ??= 0
  spec.preemptionPolicy ??= 'PreemptLowerPriority'
  const tolerations = spec.tolerations ?? []
  for (const condition of ['not-ready', 'unreachable']) {
    const key = `node.kubernetes.io/${condition}`
    const has = tolerations.some(
      (each) => (each.key === key || !each.key) && (each.effect === 'NoExecute' || !each.effect),
    )
    if (!has) tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 })
  }
  spec.tolerations = tolerations
}

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class'

function defaultStorageClass({ spec }: PersistentVolumeClaim, store: KubeObjectStore): void {
  if (!spec || spec.storageClassName !== undefined) return
  const classes = store
    .list('storageclasses.storage.k8s.io')
    .filter(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true')
    // If there are several, the newest one.
    .sort((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? 1 : -1))
  const [first] = classes
  if (first) spec.storageClassName = first.metadata.name
}

function protectInUse({ metadata }: SandboxObject, finalizer: string): void {
  if (!metadata.finalizers?.includes(finalizer)) metadata.finalizers = [...(metadata.finalizers ?? []), finalizer]
}

function checkResize({ object, previous, kind, name }: AdmissionRequest, store: KubeObjectStore): void {
  const asked = (each: SandboxObject | undefined) =>
    parseQuantity((each as PersistentVolumeClaim | undefined)?.spec?.resources?.requests?.storage ?? '')
  const [is, was] = [asked(object), asked(previous)]
  const before = previous as PersistentVolumeClaim | undefined
  if (!is || !was || compareQuantities(is, was) <= 0 || before?.status?.phase !== 'Bound') return
  const className = before.spec?.storageClassName ?? ''
  const storageClass = store.get('storageclasses.storage.k8s.io', undefined, className)
  if (storageClass?.allowVolumeExpansion === true) return
  const why =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'
  throw kubeErrors.forbidden(kind, name, why)
}

/** Letters and digits that form no words. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/** Returns the random suffix of a generated name. */
export function randomName(length = 5): string {
  return [...randomBytes(length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

import type { KubeKind } from '../kinds/kind.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import {
  type Controller,
  type ControllerContext,
  createAsController,
  deleteAsController,
  kubeTime,
  putAsController,
  setStatusAsController,
} from './controller.ts'

const ACCOUNT = 'default'
const AUTHORITY = 'kube-root-ca.crt'

/** Gives every namespace its account and the cluster's authority, and empties namespaces that are being deleted. */
export function namespaceController(context: ControllerContext): Controller {
  const { store, registry, authority, now } = context
  const namespaced = () => [
    ...new Map(
      registry
        .all()
        .filter((kind) => kind.namespaced)
        .map((kind) => [kind.key, kind]),
    ).values(),
  ]
  return {
    name: 'namespaces',
    all: () => store.list('namespaces').map(({ metadata }) => metadata.name),
    affected({ kind, object, type }) {
      if (kind === 'namespaces') return [object.metadata.name]
      const { namespace, name } = object.metadata
      if (namespace === undefined) return []
      const isOwn =
        type === 'DELETED' &&
        ((kind === 'serviceaccounts' && name === ACCOUNT) || (kind === 'configmaps' && name === AUTHORITY))
      const going = store.get('namespaces', undefined, namespace)?.metadata.deletionTimestamp !== undefined
      return isOwn || going ? [namespace] : []
    },
    reconcile(name) {
      const namespace = store.get('namespaces', undefined, name)
      if (!namespace) return
      if (!namespace.metadata.deletionTimestamp) {
        if (!store.get('serviceaccounts', name, ACCOUNT))
          createAsController(context, 'serviceaccounts', name, { metadata: { name: ACCOUNT } })
        if (!store.get('configmaps', name, AUTHORITY))
          createAsController(context, 'configmaps', name, {
            metadata: { name: AUTHORITY },
            data: { 'ca.crt': authority.cert },
          })
        return
      }
      for (const kind of namespaced())
        for (const object of store.list(kind.key, name))
          if (!object.metadata.deletionTimestamp) deleteAsController(context, kind.key, object)
      const left = namespaced().flatMap((kind) => {
        const objects = store.list(kind.key, name)
        return objects.length > 0 ? [{ kind, objects }] : []
      })
      if (left.length > 0)
        return setStatusAsController(context, 'namespaces', namespace, {
          phase: 'Terminating',
          conditions: conditions(left, kubeTime(now())),
        })
      putAsController(context, 'namespaces', { ...namespace, spec: { ...(namespace.spec as object), finalizers: [] } })
    },
  }
}

function conditions(left: { kind: KubeKind; objects: SandboxObject[] }[], time: string): object[] {
  const condition = (type: string, status: 'True' | 'False', reason: string, message: string) => ({
    type,
    status,
    lastTransitionTime: time,
    reason,
    message,
  })
  const remaining = left.map(
    ({ kind, objects }) => `${kind.plural}.${kind.group} has ${objects.length} resource instances`,
  )
  const held = new Map<string, number>()
  for (const { objects } of left)
    for (const { metadata } of objects)
      for (const finalizer of metadata.finalizers ?? []) held.set(finalizer, (held.get(finalizer) ?? 0) + 1)
  const finalizers = [...held].sort().map(([finalizer, count]) => `${finalizer} in ${count} resource instances`)
  return [
    condition(
      'NamespaceDeletionDiscoveryFailure',
      'False',
      'ResourcesDiscovered',
      'All resources successfully discovered',
    ),
    condition(
      'NamespaceDeletionGroupVersionParsingFailure',
      'False',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    condition(
      'NamespaceDeletionContentFailure',
      'False',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    condition(
      'NamespaceContentRemaining',
      'True',
      'SomeResourcesRemain',
      `Some resources are remaining: ${remaining.join(', ')}`,
    ),
    finalizers.length > 0
      ? condition(
          'NamespaceFinalizersRemaining',
          'True',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${finalizers.join(', ')}`,
        )
      : condition(
          'NamespaceFinalizersRemaining',
          'False',
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        ),
  ]
}

import type { KubeKind } from '../kinds/kind.ts'
import { quoteLikeGo } from '../object/json.ts'
import { fieldErrors, kubeErrors } from '../object/kube-api-error.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import type { ObjectDeleteOptions } from './types.ts'

/** Whether a namespace must remain until its controller has emptied it. */
export function hasNamespaceFinalizers(object: SandboxObject): boolean {
  if (object.kind !== 'Namespace' || object.apiVersion !== 'v1') return false
  return !!(object.spec as { finalizers?: string[] } | undefined)?.finalizers?.length
}

/** Returns the finalizers that a deletion waits for. */
export function deletionFinalizers({ metadata }: SandboxObject, propagation: string | undefined): string[] {
  const current = metadata.finalizers ?? []
  if (propagation === undefined) return current
  const others = current.filter((each) => each !== 'orphan' && each !== 'foregroundDeletion')
  if (propagation === 'Orphan') return [...others, 'orphan']
  return propagation === 'Foreground' ? [...others, 'foregroundDeletion'] : others
}

/** @throws ApiError Invalid */
export function checkPropagation(propagation: string | undefined): void {
  if (propagation === undefined || ['Foreground', 'Background', 'Orphan'].includes(propagation)) return
  const cause = fieldErrors.notSupported('propagationPolicy', quoteLikeGo(propagation), [
    'Foreground',
    'Background',
    'Orphan',
    'nil',
  ])
  throw kubeErrors.invalid({ kind: 'DeleteOptions', group: 'meta.k8s.io' }, '', [cause])
}

/** @throws ApiError Conflict */
export function checkDeletePreconditions(
  kind: KubeKind,
  object: SandboxObject,
  preconditions: ObjectDeleteOptions['preconditions'],
): void {
  const { name } = object.metadata
  const { uid, resourceVersion } = preconditions ?? {}
  const named = { group: kind.group, plural: kind.kind }
  if (uid !== undefined && uid !== object.metadata.uid)
    throw kubeErrors.conflict(
      named,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${object.metadata.uid}). The object might have been deleted and then recreated`,
    )
  if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion)
    throw kubeErrors.conflict(
      named,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${object.metadata.resourceVersion}). The object might have been modified`,
    )
}

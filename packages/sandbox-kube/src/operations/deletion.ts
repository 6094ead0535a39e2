import { fail, field } from '../errors.ts'
import { quoted } from '../json.ts'
import type { Kind } from '../kinds/kind.ts'
import type { StoredObject } from '../object.ts'
import type { DeleteOptions } from './types.ts'

/** Whether a namespace must remain until its controller has emptied it. */
export function isHeldNamespace(object: StoredObject): boolean {
  if (object.kind !== 'Namespace' || object.apiVersion !== 'v1') return false
  return !!(object.spec as { finalizers?: string[] } | undefined)?.finalizers?.length
}

/** Returns the finalizers that a deletion waits for. */
export function finalizersFor({ metadata }: StoredObject, propagation: string | undefined): string[] {
  const current = metadata.finalizers ?? []
  if (propagation === undefined) return current
  const others = current.filter((each) => each !== 'orphan' && each !== 'foregroundDeletion')
  if (propagation === 'Orphan') return [...others, 'orphan']
  return propagation === 'Foreground' ? [...others, 'foregroundDeletion'] : others
}

/** @throws ApiError Invalid */
export function checkPropagation(propagation: string | undefined): void {
  if (propagation === undefined || ['Foreground', 'Background', 'Orphan'].includes(propagation)) return
  const cause = field.notSupported('propagationPolicy', quoted(propagation), [
    'Foreground',
    'Background',
    'Orphan',
    'nil',
  ])
  throw fail.invalid({ kind: 'DeleteOptions', group: 'meta.k8s.io' }, '', [cause])
}

/** @throws ApiError Conflict */
export function checkPreconditions(
  kind: Kind,
  object: StoredObject,
  preconditions: DeleteOptions['preconditions'],
): void {
  const { name } = object.metadata
  const { uid, resourceVersion } = preconditions ?? {}
  const named = { group: kind.group, plural: kind.kind }
  if (uid !== undefined && uid !== object.metadata.uid)
    throw fail.conflict(
      named,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${object.metadata.uid}). The object might have been deleted and then recreated`,
    )
  if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion)
    throw fail.conflict(
      named,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${object.metadata.resourceVersion}). The object might have been modified`,
    )
}

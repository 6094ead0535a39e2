import type { SandboxObject } from '../object/stored-object.ts'
import { kubeObjectKey } from '../store/store.ts'
import {
  type Controller,
  type ControllerContext,
  deleteAsController,
  putAsController,
  withoutFinalizer,
} from './controller.ts'

/** The garbage collector: deletes objects without an owner, and deletes owners before, after or without their dependents. */
export function garbageController(context: ControllerContext): Controller {
  const { store } = context
  /** The owned objects, by the owner's uid. */
  const owned = new Map<string, Map<string, { kind: string; namespace: string | undefined; name: string }>>()
  /** All existing objects, by uid. */
  const uids = new Map<string, { kind: string; namespace: string | undefined; name: string }>()
  const note = (kind: string, object: SandboxObject, isThere: boolean) => {
    const { namespace, name, uid, ownerReferences = [] } = object.metadata
    const at = { kind, namespace, name }
    const key = `${kind}\0${kubeObjectKey(object)}`
    if (isThere) uids.set(uid, at)
    else uids.delete(uid)
    for (const owner of ownerReferences) {
      const all = owned.get(owner.uid) ?? new Map()
      if (isThere) all.set(key, at)
      else all.delete(key)
      if (all.size > 0) owned.set(owner.uid, all)
      else owned.delete(owner.uid)
    }
  }
  for (const kind of store.kinds()) for (const object of store.list(kind)) note(kind, object, true)

  const dependents = (uid: string) =>
    [...(owned.get(uid)?.values() ?? [])].flatMap(({ kind, namespace, name }) => {
      const object = store.get(kind, namespace, name)
      return object ? [{ kind, object }] : []
    })
  const find = (uid: string) => {
    const at = uids.get(uid)
    const object = at && store.get(at.kind, at.namespace, at.name)
    return at && object ? { kind: at.kind, object } : undefined
  }

  /** Deletes an object whose owners have all been deleted; otherwise removes deleted owners from it. */
  const check = (kind: string, object: SandboxObject) => {
    const owners = object.metadata.ownerReferences ?? []
    const [there, gone] = [owners.filter(({ uid }) => uids.has(uid)), owners.filter(({ uid }) => !uids.has(uid))]
    if (gone.length === 0) return
    if (there.length === 0) {
      if (!object.metadata.deletionTimestamp) deleteAsController(context, kind, object, 'Background')
    } else putAsController(context, kind, { ...object, metadata: { ...object.metadata, ownerReferences: there } })
  }

  return {
    name: 'garbage',
    all: () => [...new Set([...owned.keys(), ...uids.keys()])],
    affected({ kind, object, previous, type }) {
      if (previous) note(kind, previous, false)
      note(kind, object, type !== 'DELETED')
      const owners = (object.metadata.ownerReferences ?? []).map(({ uid }) => uid)
      return [object.metadata.uid, ...owners]
    },
    reconcile(uid) {
      const owner = find(uid)
      if (!owner) {
        for (const { kind, object } of dependents(uid)) check(kind, object)
        return
      }
      const { kind, object } = owner
      check(kind, object)
      if (!object.metadata.deletionTimestamp) return
      const finalizers = object.metadata.finalizers ?? []
      if (finalizers.includes('orphan')) {
        for (const each of dependents(uid)) {
          const { ownerReferences = [], ...metadata } = each.object.metadata
          const left = ownerReferences.filter((reference) => reference.uid !== uid)
          const kept = { ...metadata, ...(left.length > 0 ? { ownerReferences: left } : {}) }
          putAsController(context, each.kind, { ...each.object, metadata: kept })
        }
        putAsController(context, kind, withoutFinalizer(object, 'orphan'))
      } else if (finalizers.includes('foregroundDeletion')) {
        const blocking = dependents(uid).filter((each) =>
          each.object.metadata.ownerReferences?.some(
            (reference) => reference.uid === uid && reference.blockOwnerDeletion,
          ),
        )
        for (const each of blocking)
          if (!each.object.metadata.deletionTimestamp) deleteAsController(context, each.kind, each.object, 'Foreground')
        if (blocking.every((each) => !find(each.object.metadata.uid)))
          putAsController(context, kind, withoutFinalizer(object, 'foregroundDeletion'))
      }
    },
  }
}

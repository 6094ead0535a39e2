import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1'
import { CLEANUP_FINALIZER, isEstablished } from '../kinds/definitions.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import {
  type Controller,
  type ControllerContext,
  deleteAsController,
  kubeTime,
  putAsController,
  withoutFinalizer,
} from './controller.ts'

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io'

/** Establishes definitions, and deletes the objects of deleted ones. */
export function definitionController(context: ControllerContext): Controller {
  const { store, now } = context
  return {
    name: 'definitions',
    all: () => store.list(DEFINITIONS).map(({ metadata }) => metadata.name),
    affected({ kind, object, type }) {
      if (kind === DEFINITIONS) return [object.metadata.name]
      // The last object of a kind that is being deleted.
      const definition = type === 'DELETED' ? store.get(DEFINITIONS, undefined, kind) : undefined
      return definition?.metadata.deletionTimestamp ? [definition.metadata.name] : []
    },
    reconcile(name) {
      const object = store.get(DEFINITIONS, undefined, name)
      if (!object) return
      if (!object.metadata.deletionTimestamp) {
        if (!isEstablished(object)) putAsController(context, DEFINITIONS, established(object, kubeTime(now())))
        return
      }
      const left = store.list(name)
      for (const each of left) if (!each.metadata.deletionTimestamp) deleteAsController(context, name, each)
      if (left.length === 0 || store.list(name).length === 0)
        putAsController(context, DEFINITIONS, withoutFinalizer(object, CLEANUP_FINALIZER))
    },
  }
}

function established(object: SandboxObject, time: string): SandboxObject {
  const { spec, status } = object as unknown as CustomResourceDefinition
  const condition = (type: string, reason: string, message: string) => ({
    type,
    status: 'True',
    lastTransitionTime: time,
    reason,
    message,
  })
  const conditions = [
    condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
    condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
  ]
  return {
    ...object,
    metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), CLEANUP_FINALIZER] },
    status: { ...status, acceptedNames: spec.names, conditions },
  }
}

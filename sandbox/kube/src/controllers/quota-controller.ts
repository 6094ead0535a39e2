import type { ResourceQuota } from 'kubernetes-types/core/v1'
import { quotaUsage } from '../admission/resource-quota.ts'
import { type Controller, type ControllerContext, setStatusAsController } from './controller.ts'

/** Computes the usage of each quota. */
export function quotaController(context: ControllerContext): Controller {
  const { store } = context
  return {
    name: 'quotas',
    all: () => store.list('resourcequotas').map(({ metadata }) => metadata.namespace ?? ''),
    affected: ({ object, kind, type }) =>
      object.metadata.namespace !== undefined && (type !== 'MODIFIED' || COUNTED_CHANGES.has(kind))
        ? [object.metadata.namespace]
        : [],
    reconcile(namespace) {
      for (const object of store.list('resourcequotas', namespace)) {
        const quota = object as ResourceQuota
        setStatusAsController(context, 'resourcequotas', object, {
          hard: quota.spec?.hard,
          used: quotaUsage(quota, namespace, store),
        })
      }
    },
  }
}

/** Kinds for which more than the number of objects counts. */
const COUNTED_CHANGES = new Set(['pods', 'persistentvolumeclaims', 'services', 'resourcequotas'])

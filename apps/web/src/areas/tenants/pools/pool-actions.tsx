import { change } from '../../../lib/changes/change.ts'
import { confirm, confirmDelete } from '../../../lib/feedback/confirm.ts'
import { t } from '../../../lib/text/i18n.ts'

interface PoolName {
  namespace: string
  tenant: string
  pool: string
}

/** Drains a pool after confirmation: its objects are moved to the other pools. */
export function askDrainPool(params: PoolName) {
  const { pool } = params
  confirm({
    title: t('Drain Pool'),
    subject: pool,
    body: t(
      'All objects of this pool move to the other pools of the tenant. Until then it takes no new objects. You can cancel it; what was moved stays moved.',
    ),
    action: t('Drain Pool'),
    run: () => change('drainPool', { params }, { message: () => t('Pool {{pool}} is being drained', { pool }) }),
  })
}

/** Stops draining after confirmation. */
export function askCancelDrain(params: PoolName) {
  const { pool } = params
  confirm({
    title: t('Stop Draining'),
    subject: pool,
    body: t('The pool takes new objects again. Objects that were moved stay where they are.'),
    action: t('Stop Draining'),
    run: () =>
      change('cancelPoolDrain', { params }, { message: () => t('Draining of pool {{pool}} stopped', { pool }) }),
  })
}

/** Removes a drained pool from its tenant after confirmation. */
export function askRemovePool(params: PoolName) {
  const { pool } = params
  confirmDelete({
    title: t('Remove Pool'),
    name: pool,
    body: t(
      'The operator deletes the pods of this pool and restarts the others. Its volumes stay until you delete them.',
    ),
    mustType: pool,
    run: () => change('removeTenantPool', { params }, { message: () => t('Pool {{pool}} removed', { pool }) }),
  })
}

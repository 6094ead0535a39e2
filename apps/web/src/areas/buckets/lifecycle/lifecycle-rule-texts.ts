import type { LifecycleRule, LifecycleSimulation } from '@stowage/contract'
import { type Message, msg, plural, t } from '../../../lib/text/i18n.ts'
import { toDay } from './lifecycle-rule-values.ts'

export const LIFECYCLE_ACTION_TEXTS: Readonly<Record<LifecycleSimulation['first'][number]['action'], Message>> = {
  expire: msg('expires'),
  remove: msg('is deleted'),
  'remove-all': msg('is deleted with all versions'),
  transition: msg('moves to the tier'),
}

/** Returns on one line when objects expire; empty if the rule expires nothing. */
export function expirationText({ expiration }: LifecycleRule): string {
  const parts = [timeText(expiration)]
  if (expiration.delete_marker) parts.push(t('expired delete markers'))
  if (expiration.noncurrent_expiration_days > 0) {
    parts.push(
      t(plural('noncurrent versions: {{count}} day', 'noncurrent versions: {{count}} days'), {
        count: expiration.noncurrent_expiration_days,
      }),
    )
  } else if (expiration.newer_noncurrent_expiration_versions > 0) {
    parts.push(
      t('noncurrent versions, except the newest {{count}}', {
        count: expiration.newer_noncurrent_expiration_versions,
      }),
    )
  }
  if (expiration.delete_marker_days > 0) {
    parts.push(
      t(plural('deleted objects: {{count}} day', 'deleted objects: {{count}} days'), {
        count: expiration.delete_marker_days,
      }),
    )
  }
  if (expiration.abort_upload_days > 0) {
    parts.push(
      t(plural('unfinished uploads: {{count}} day', 'unfinished uploads: {{count}} days'), {
        count: expiration.abort_upload_days,
      }),
    )
  }
  return parts.filter((part) => part !== '').join(', ')
}

export function transitionText({ transition }: LifecycleRule): string {
  const parts = transition.storage_class === '' ? [] : [timeText(transition) || t('at once')]
  if (transition.noncurrent_storage_class !== '') {
    parts.push(
      t(plural('noncurrent versions: {{count}} day', 'noncurrent versions: {{count}} days'), {
        count: transition.noncurrent_transition_days,
      }),
    )
  }
  return parts.join(', ')
}

export function storageClassText({ transition }: LifecycleRule): string {
  const { storage_class: tier, noncurrent_storage_class: noncurrent } = transition
  return [...new Set([tier, noncurrent])].filter((name) => name !== '').join(', ')
}

/** Returns on one line when objects expire and when they move to which tier. */
export function lifecycleActionText(rule: LifecycleRule): string {
  const moves = transitionText(rule)
  return [expirationText(rule), moves && `${moves} → ${storageClassText(rule)}`]
    .filter((part) => part !== '')
    .join(', ')
}

function timeText({ days, date }: { days: number; date: string }): string {
  return days > 0 ? t(plural('{{count}} day', '{{count}} days'), { count: days }) : toDay(date)
}

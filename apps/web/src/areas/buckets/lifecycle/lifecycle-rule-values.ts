import type { LifecycleBody, LifecycleRule } from '@stowage/contract'

/** The value of an unset date on the wire. */
const NO_DATE = '0001-01-01T00:00:00Z'

/** A rule as the form holds it. Numbers are strings, as typed. */
export interface LifecycleRuleValues extends Record<string, unknown> {
  enabled: boolean
  kind: 'expiry' | 'transition'
  time: 'days' | 'date'
  days: string
  /** `2030-03-31`; empty if no valid day is selected. */
  date: string
  /** Instead of after a time: delete markers are removed when no other versions of the object are left. */
  deleteMarkers: boolean
  noncurrentDays: string
  newerVersions: string
  /** Age in days at which an unfinished upload is deleted; 0 for never. */
  abortUploadDays: string
  tier: string
  noncurrentTier: string
  prefix: string
  tags: [key: string, value: string][]
}

export const NEW_LIFECYCLE_RULE: LifecycleRuleValues = {
  enabled: true,
  kind: 'expiry',
  time: 'days',
  days: '0',
  date: '',
  deleteMarkers: false,
  noncurrentDays: '0',
  newerVersions: '0',
  abortUploadDays: '0',
  tier: '',
  noncurrentTier: '',
  prefix: '',
  tags: [],
}

export function lifecycleRuleValues({ expiration, transition, ...rule }: LifecycleRule): LifecycleRuleValues {
  const moves = transition.storage_class !== '' || transition.noncurrent_storage_class !== ''
  const { days, date } = moves ? transition : expiration
  return {
    enabled: rule.status === 'Enabled',
    kind: moves ? 'transition' : 'expiry',
    time: toDay(date) === '' ? 'days' : 'date',
    days: String(days),
    date: toDay(date),
    deleteMarkers: !moves && expiration.delete_marker,
    noncurrentDays: String(moves ? transition.noncurrent_transition_days : expiration.noncurrent_expiration_days),
    newerVersions: String(expiration.newer_noncurrent_expiration_versions),
    abortUploadDays: String(expiration.abort_upload_days),
    tier: transition.storage_class,
    noncurrentTier: transition.noncurrent_storage_class,
    prefix: rule.prefix,
    tags: rule.tags.map(({ key, value }) => [key, value]),
  }
}

/** Returns the day of a date; empty for the unset date. */
export function toDay(date: string): string {
  return date === NO_DATE ? '' : date.slice(0, 10)
}

export function parseWholeNumber(text: string): number {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN
}

/**
 * Reports whether the rule can be saved: it needs a date or at least 1 day, and a transition needs a tier.
 * @param stored the rule to edit. It may have an action that the form does not show, such as a transition after 0 days.
 */
export function isLifecycleRuleReady(values: LifecycleRuleValues, stored?: LifecycleRuleValues): boolean {
  const { kind, time, days, date, deleteMarkers, tier } = values
  const noncurrent = parseWholeNumber(values.noncurrentDays)
  const newer = parseWholeNumber(values.newerVersions)
  const abortDays = parseWholeNumber(values.abortUploadDays)
  if ([noncurrent, newer, abortDays].some((number) => Number.isNaN(number))) return false
  const areTagsStored = stored && JSON.stringify(values.tags) === JSON.stringify(stored.tags)
  if (!areTagsStored && values.tags.some(([key, value]) => isInvalidTagKey(key) || isInvalidTagValue(value)))
    return false
  if (stored && !isLifecycleRuleReady(stored))
    return time === 'date' ? date !== '' : !Number.isNaN(parseWholeNumber(days))
  const isTimed = time === 'date' ? date !== '' : parseWholeNumber(days) >= 1
  // A rule may also apply to noncurrent versions or unfinished uploads only.
  const isUntimed = time === 'days' && parseWholeNumber(days) === 0
  if (kind === 'expiry') {
    if (deleteMarkers) return true
    return isTimed || (isUntimed && Math.max(noncurrent, newer, abortDays) >= 1)
  }
  if (noncurrent >= 1 && values.noncurrentTier === '') return false
  return (isTimed && tier !== '') || (isUntimed && noncurrent >= 1)
}

/** The request separates tags by `&`, and key and value by the first `=`. */
export const isInvalidTagKey = (key: string) => /[=&]/.test(key)
export const isInvalidTagValue = (value: string) => value.includes('&')

/** Returns the request body. The rule acts at the end of the selected day. */
export function lifecycleRuleBody(values: LifecycleRuleValues): LifecycleBody {
  const { kind, time, days, date, deleteMarkers, tier, noncurrentTier } = values
  const isDate = time === 'date'
  const noncurrentDays = parseWholeNumber(values.noncurrentDays)
  const common = {
    type: kind,
    prefix: values.prefix,
    tags: values.tags
      .filter(([key, value]) => key.trim() !== '' && value.trim() !== '')
      .map(([key, value]) => `${key.trim()}=${value.trim()}`)
      .join('&'),
    disable: !values.enabled,
  }
  if (kind === 'expiry') {
    const when = deleteMarkers
      ? {}
      : isDate
        ? { expiry_date: `${date}T23:59:59Z` }
        : { expiry_days: parseWholeNumber(days) }
    return {
      ...common,
      expired_object_delete_marker: deleteMarkers,
      ...when,
      noncurrentversion_expiration_days: noncurrentDays,
      newer_noncurrentversion_expiration_versions: parseWholeNumber(values.newerVersions),
      abort_upload_days: parseWholeNumber(values.abortUploadDays),
    }
  }
  return {
    ...common,
    ...(isDate ? { transition_date: `${date}T23:59:59Z` } : { transition_days: parseWholeNumber(days) }),
    storage_class: tier,
    noncurrentversion_transition_days: noncurrentDays,
    ...(noncurrentDays > 0 && { noncurrentversion_transition_storage_class: noncurrentTier }),
  }
}

/** Returns the request body that changes a rule: only what differs, because the form does not show all parts of a rule. */
export function lifecycleRuleChanges(values: LifecycleRuleValues, stored: LifecycleRuleValues): LifecycleBody {
  const before: Readonly<Record<string, unknown>> = lifecycleRuleBody(stored)
  return Object.fromEntries(Object.entries(lifecycleRuleBody(values)).filter(([name, value]) => value !== before[name]))
}

/** Formats a date: `2030-02-28`. Returns undefined if there is no such day, such as 31 February. */
export function formatDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : undefined
}

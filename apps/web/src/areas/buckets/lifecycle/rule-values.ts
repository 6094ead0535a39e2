import type { LifecycleBody, LifecycleRule } from '@stowage/contract'

/** The value of an unset date on the wire. */
const NO_DATE = '0001-01-01T00:00:00Z'

/** A rule as the form holds it. Numbers are strings, as typed. */
export interface RuleValues extends Record<string, unknown> {
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

export const NEW_RULE: RuleValues = {
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

export function valuesOf({ expiration, transition, ...rule }: LifecycleRule): RuleValues {
  const moves = transition.storage_class !== '' || transition.noncurrent_storage_class !== ''
  const { days, date } = moves ? transition : expiration
  return {
    enabled: rule.status === 'Enabled',
    kind: moves ? 'transition' : 'expiry',
    time: dayOf(date) === '' ? 'days' : 'date',
    days: String(days),
    date: dayOf(date),
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
export function dayOf(date: string): string {
  return date === NO_DATE ? '' : date.slice(0, 10)
}

export function numberOf(text: string): number {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN
}

/**
 * Reports whether the rule can be saved: it needs a date or at least 1 day, and a transition needs a tier.
 * @param stored the rule to edit. It may have an action that the form does not show, such as a transition after 0 days.
 */
export function isReady(values: RuleValues, stored?: RuleValues): boolean {
  const { kind, time, days, date, deleteMarkers, tier } = values
  const noncurrent = numberOf(values.noncurrentDays)
  const newer = numberOf(values.newerVersions)
  const abortDays = numberOf(values.abortUploadDays)
  if ([noncurrent, newer, abortDays].some((number) => Number.isNaN(number))) return false
  const areTagsStored = stored && JSON.stringify(values.tags) === JSON.stringify(stored.tags)
  if (!areTagsStored && values.tags.some(([key, value]) => isWrongKey(key) || isWrongValue(value))) return false
  if (stored && !isReady(stored)) return time === 'date' ? date !== '' : !Number.isNaN(numberOf(days))
  const isTimed = time === 'date' ? date !== '' : numberOf(days) >= 1
  // A rule may also apply to noncurrent versions or unfinished uploads only.
  const isUntimed = time === 'days' && numberOf(days) === 0
  if (kind === 'expiry') {
    if (deleteMarkers) return true
    return isTimed || (isUntimed && Math.max(noncurrent, newer, abortDays) >= 1)
  }
  if (noncurrent >= 1 && values.noncurrentTier === '') return false
  return (isTimed && tier !== '') || (isUntimed && noncurrent >= 1)
}

/** The request separates tags by `&`, and key and value by the first `=`. */
export const isWrongKey = (key: string) => /[=&]/.test(key)
export const isWrongValue = (value: string) => value.includes('&')

/** Returns the request body. The rule acts at the end of the selected day. */
export function bodyOf(values: RuleValues): LifecycleBody {
  const { kind, time, days, date, deleteMarkers, tier, noncurrentTier } = values
  const isDate = time === 'date'
  const noncurrentDays = numberOf(values.noncurrentDays)
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
    const when = deleteMarkers ? {} : isDate ? { expiry_date: `${date}T23:59:59Z` } : { expiry_days: numberOf(days) }
    return {
      ...common,
      expired_object_delete_marker: deleteMarkers,
      ...when,
      noncurrentversion_expiration_days: noncurrentDays,
      newer_noncurrentversion_expiration_versions: numberOf(values.newerVersions),
      abort_upload_days: numberOf(values.abortUploadDays),
    }
  }
  return {
    ...common,
    ...(isDate ? { transition_date: `${date}T23:59:59Z` } : { transition_days: numberOf(days) }),
    storage_class: tier,
    noncurrentversion_transition_days: noncurrentDays,
    ...(noncurrentDays > 0 && { noncurrentversion_transition_storage_class: noncurrentTier }),
  }
}

/** Returns the request body that changes a rule: only what differs, because the form does not show all parts of a rule. */
export function changesOf(values: RuleValues, stored: RuleValues): LifecycleBody {
  const before: Readonly<Record<string, unknown>> = bodyOf(stored)
  return Object.fromEntries(Object.entries(bodyOf(values)).filter(([name, value]) => value !== before[name]))
}

/** Formats a date: `2030-02-28`. Returns undefined if there is no such day, such as 31 February. */
export function realDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : undefined
}

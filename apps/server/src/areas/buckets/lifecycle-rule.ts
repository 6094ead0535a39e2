import { isDeepStrictEqual } from 'node:util'
import { type LifecycleBody, reason, type LifecycleRule as WireRule } from '@stowage/contract'
import { NO_LIFECYCLE_DATE } from '@stowage/contract/buckets/lifecycle'
import type { LifecycleTransition, S3LifecycleRule } from '@stowage/madmin/lifecycle'
import { HttpError } from '../../lib/errors/http-errors.ts'

/* Converts lifecycle rules between the forms of the contract and the XML document of the bucket. */

const DAY_MS = 24 * 60 * 60 * 1000

/** Converts a rule to the form of the contract. */
export function wireLifecycleRule(rule: S3LifecycleRule): WireRule {
  const { expiration, noncurrentExpiration, filter } = rule
  const [transition] = rule.transitions
  const [noncurrentTransition] = rule.noncurrentTransitions
  return {
    id: rule.id,
    prefix: filter.prefix,
    status: rule.enabled ? 'Enabled' : 'Disabled',
    tags: Object.entries(filter.tags).map(([key, value]) => ({ key, value })),
    expiration: {
      date: lastDay(expiration?.date),
      days: expiration?.days ?? 0,
      delete_marker: expiration?.deleteMarkers ?? false,
      delete_all: expiration?.allVersions ?? false,
      noncurrent_expiration_days: noncurrentExpiration?.days ?? 0,
      newer_noncurrent_expiration_versions: noncurrentExpiration?.newerVersions ?? 0,
      delete_marker_days: rule.deleteMarkerDays ?? 0,
      abort_upload_days: rule.abortUploadsDays ?? 0,
    },
    transition: {
      date: lastDay(transition?.date),
      days: transition?.days ?? 0,
      storage_class: transition?.storageClass ?? '',
      noncurrent_transition_days: noncurrentTransition?.days ?? 0,
      noncurrent_storage_class: noncurrentTransition?.storageClass ?? '',
    },
    size_greater_than: filter.sizeGreaterThan ?? 0,
    size_less_than: filter.sizeLessThan ?? 0,
  }
}

/** Whether two rules do the same to the same objects, whatever their names and whether they are on. */
export function isSameLifecycleRule(a: S3LifecycleRule, b: S3LifecycleRule): boolean {
  const [one, other] = [a, b].map((rule) => ({ ...wireLifecycleRule(rule), id: '', status: '', others: rule.others }))
  return isDeepStrictEqual(one, other)
}

/** Returns the day before `date`: the rule acts at midnight, which ends that day. */
function lastDay(date: number | undefined): string {
  if (date === undefined) return NO_LIFECYCLE_DATE
  return new Date(date - 1000).toISOString().replace('.000Z', 'Z')
}

/** Returns the midnight at the end of the chosen day; undefined if none was chosen. */
function midnightAfter(text: string | undefined): number | undefined {
  if (!text || text === NO_LIFECYCLE_DATE) return undefined
  return Date.parse(`${text.slice(0, 10)}T00:00:00Z`) + DAY_MS
}

/** @throws HttpError 400 for a combination that no rule can have */
export function newLifecycleRule(id: string, body: LifecycleBody, today: number): S3LifecycleRule {
  const empty: S3LifecycleRule = {
    id,
    enabled: true,
    filter: { prefix: '', tags: {}, others: {} },
    hasOldPrefix: false,
    transitions: [],
    noncurrentTransitions: [],
    others: {},
  }
  return changedLifecycleRule(empty, body, today)
}

/**
 * Returns a rule changed by the body. Fields that the body leaves out stay, also those that no form has.
 * @throws HttpError 400
 */
export function changedLifecycleRule(rule: S3LifecycleRule, body: LifecycleBody, today: number): S3LifecycleRule {
  refuseMixed(body)
  const expiration = changedExpiration(rule, body, today)
  const transitions = changedTransitions(rule, body, today)
  const { noncurrentversion_expiration_days: noncurrentDays, newer_noncurrentversion_expiration_versions: newer } = body
  const days = noncurrentDays ?? rule.noncurrentExpiration?.days
  const newerVersions = newer ?? rule.noncurrentExpiration?.newerVersions
  const deleteMarkerDays = (body.delete_marker_days ?? rule.deleteMarkerDays) || undefined
  const abortUploadsDays = (body.abort_upload_days ?? rule.abortUploadsDays) || undefined
  const { expiration: _, noncurrentExpiration: __, deleteMarkerDays: ___, abortUploadsDays: ____, ...kept } = rule
  const changed: S3LifecycleRule = {
    ...kept,
    enabled: body.disable === undefined ? rule.enabled : !body.disable,
    ...changedFilter(rule, body),
    ...(expiration && { expiration }),
    ...((days || newerVersions) && {
      noncurrentExpiration: { ...(days && { days }), ...(newerVersions && { newerVersions }) },
    }),
    ...(deleteMarkerDays && { deleteMarkerDays }),
    ...(abortUploadsDays && { abortUploadsDays }),
    transitions,
    noncurrentTransitions: changedNoncurrent(rule, body),
  }
  requireAction(changed)
  return changed
}

function requireAction(rule: S3LifecycleRule): void {
  const { expiration, noncurrentExpiration, deleteMarkerDays, abortUploadsDays, others } = rule
  const actions = [expiration, noncurrentExpiration, deleteMarkerDays, abortUploadsDays]
  const hasAction =
    actions.some((action) => action !== undefined) ||
    rule.transitions.length + rule.noncurrentTransitions.length + Object.keys(others).length > 0
  if (!hasAction) throw new HttpError(400, reason('lifecycle-needs-action'), { field: 'expiry_days' })
}

/** Refuses a rule that both expires and moves objects: the forms of the original allow only one of them. */
function refuseMixed(body: LifecycleBody): void {
  const expires = Boolean(body.expiry_days || body.expiry_date)
  const moves = Boolean(body.transition_days || body.transition_date)
  if (expires && moves) throw new HttpError(400, reason('lifecycle-expiry-or-transition'), { field: 'type' })
}

function changedFilter({ filter, hasOldPrefix }: S3LifecycleRule, body: LifecycleBody) {
  const { sizeGreaterThan, sizeLessThan, ...rest } = filter
  const larger = body.size_greater_than ?? sizeGreaterThan
  const smaller = body.size_less_than ?? sizeLessThan
  const changed = {
    ...rest,
    prefix: body.prefix ?? filter.prefix,
    tags: body.tags === undefined ? filter.tags : parseTagPairs(body.tags),
    ...(larger && { sizeGreaterThan: larger }),
    ...(smaller && { sizeLessThan: smaller }),
  }
  const isPlain = Object.keys(changed.tags).length === 0 && !larger && !smaller
  return { filter: changed, hasOldPrefix: hasOldPrefix && isPlain }
}

function parseTagPairs(text: string): Record<string, string> {
  const pairs = text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const at = pair.indexOf('=')
      return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
    })
  if (pairs.some(([key]) => key === '')) throw new HttpError(400, reason('lifecycle-tags'), { field: 'tags' })
  return Object.fromEntries(pairs)
}

function changedExpiration(
  { expiration }: S3LifecycleRule,
  body: LifecycleBody,
  today: number,
): S3LifecycleRule['expiration'] {
  const { expiry_days, expiry_date, expired_object_delete_marker, expired_object_delete_all } = body
  const isStated = [expiry_days, expiry_date, expired_object_delete_marker].some((value) => value !== undefined)
  const allVersions = expired_object_delete_all ?? expiration?.allVersions
  if (!isStated) {
    if (!expiration) return undefined
    const { allVersions: _, ...rest } = expiration
    return { ...rest, ...(allVersions && { allVersions }) }
  }
  const days = expiry_days || undefined
  const date = futureDate(expiry_date, 'expiry_date', today, expiration?.date)
  const deleteMarkers = expired_object_delete_marker || undefined
  const stated = [days, date, deleteMarkers].filter((value) => value !== undefined)
  if (stated.length > 1) throw new HttpError(400, reason('lifecycle-one-expiration'), { field: 'expiry_days' })
  if (stated.length === 0) return undefined
  return {
    ...(days !== undefined && { days }),
    ...(date !== undefined && { date }),
    ...(deleteMarkers && { deleteMarkers }),
    ...(allVersions && !deleteMarkers && { allVersions }),
  }
}

function changedTransitions({ transitions }: S3LifecycleRule, body: LifecycleBody, today: number) {
  const { transition_days, transition_date, storage_class } = body
  const [first, ...others] = transitions
  if (transition_days === undefined && transition_date === undefined) {
    if (!first || !storage_class) return transitions
    return [{ ...first, storageClass: storage_class.toUpperCase() }, ...others]
  }
  const date = futureDate(transition_date, 'transition_date', today, first?.date)
  if (!transition_days && date === undefined) return []
  const storageClass = (storage_class || first?.storageClass || '').toUpperCase()
  if (storageClass === '') throw new HttpError(400, reason('lifecycle-needs-tier'), { field: 'storage_class' })
  const changed: LifecycleTransition = {
    ...(date === undefined ? { days: transition_days ?? 0 } : { date }),
    storageClass,
  }
  return [changed, ...others]
}

function changedNoncurrent({ noncurrentTransitions }: S3LifecycleRule, body: LifecycleBody) {
  const { noncurrentversion_transition_days: days, noncurrentversion_transition_storage_class: tier } = body
  const [first, ...others] = noncurrentTransitions
  if (days === undefined) {
    return first && tier ? [{ ...first, storageClass: tier.toUpperCase() }, ...others] : noncurrentTransitions
  }
  if (!days) return []
  const storageClass = (tier || first?.storageClass || '').toUpperCase()
  if (storageClass === '') {
    throw new HttpError(400, reason('lifecycle-needs-tier'), { field: 'noncurrentversion_transition_storage_class' })
  }
  return [{ ...first, days, storageClass }, ...others]
}

/** Returns the midnight after a date. Only the date that is stored may be in the past. */
function futureDate(text: string | undefined, field: string, today: number, stored?: number): number | undefined {
  const date = midnightAfter(text)
  if (date !== undefined && date <= today && date !== stored)
    throw new HttpError(400, reason('lifecycle-past-date'), { field })
  return date
}

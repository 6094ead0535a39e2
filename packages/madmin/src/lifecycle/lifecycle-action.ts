import type { LifecycleFilter, S3LifecycleRule } from './lifecycle-rule.ts'

/** The facts about a version that rules depend on. */
export interface VersionFacts {
  versionId: string
  /** Whether it is a delete marker. */
  marker: boolean
  /** Bytes. */
  size: number
  /** ms since 1970. */
  lastModified: number
  tags: Readonly<Record<string, string>>
  /** The tier that contains its bytes. */
  tier?: string | undefined
}

/** The action of a rule on a version or a key, and its time. */
export interface LifecycleAction {
  kind: /** The latest version is hidden by a delete marker or, without versioning, deleted. */
    | 'expire'
    /** The version is deleted. */
    | 'remove'
    /** All versions of the key are deleted. */
    | 'remove-all'
    | 'transition'
  versionId: string
  ruleId: string
  /** ms since 1970. */
  due: number
  /** The storage class of a transition. */
  storageClass?: string
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Returns the midnight (UTC) after the end of `days` after `from`, ms since 1970. */
export function midnightAfter(from: number, days: number): number {
  return Math.floor(from / DAY_MS + days + 1) * DAY_MS
}

/**
 * Returns the action of the rules on the version at `index` of a key: of due actions, removal comes before transition; of
 * future ones, the earliest. Undefined if no rule applies.
 * @param versions of the key, newest first
 */
export function findLifecycleAction(
  rules: readonly S3LifecycleRule[],
  key: string,
  versions: readonly VersionFacts[],
  index: number,
  now: number,
): LifecycleAction | undefined {
  const version = versions[index]
  if (!version) return undefined
  let best: LifecycleAction | undefined
  for (const rule of rules) {
    if (!rule.enabled || !key.startsWith(rule.filter.prefix) || !matchesFilter(rule.filter, version)) continue
    const found =
      index === 0
        ? latestVersionActions(rule, version, versions.length)
        : noncurrentVersionActions(rule, versions, version, index)
    for (const action of found) if (!best || goesBefore(action, best, now)) best = action
  }
  return best
}

function goesBefore(a: LifecycleAction, b: LifecycleAction, now: number): boolean {
  const rank = ({ kind, due }: LifecycleAction) =>
    due > now ? 3 : kind === 'transition' ? 2 : kind === 'remove-all' ? 0 : 1
  return rank(a) === rank(b) ? a.due < b.due : rank(a) < rank(b)
}

/** Delete markers have no size and no tags. */
function matchesFilter(
  { tags, sizeGreaterThan, sizeLessThan, others }: LifecycleFilter,
  version: VersionFacts,
): boolean {
  // An unknown element may narrow the rule, so it does not apply.
  if (Object.keys(others).length > 0) return false
  for (const name in tags) if (!Object.hasOwn(version.tags, name) || version.tags[name] !== tags[name]) return false
  if (version.marker) return true
  if (sizeGreaterThan !== undefined && version.size <= sizeGreaterThan) return false
  return sizeLessThan === undefined || version.size < sizeLessThan
}

function* latestVersionActions(
  rule: S3LifecycleRule,
  version: VersionFacts,
  count: number,
): Generator<LifecycleAction> {
  const { expiration } = rule
  const action = { versionId: version.versionId, ruleId: rule.id }
  const { lastModified } = version
  // A transition after 0 days is due at once.
  const at = ({ days, date }: { days?: number; date?: number }) =>
    days === undefined ? date : days === 0 ? lastModified : midnightAfter(lastModified, days)
  if (version.marker) {
    if (rule.deleteMarkerDays !== undefined) {
      yield { ...action, kind: 'remove-all', due: midnightAfter(lastModified, rule.deleteMarkerDays) }
    }
    if (count > 1 || !expiration) return
    if (expiration.deleteMarkers) yield { ...action, kind: 'remove', due: lastModified }
    else if (expiration.days !== undefined) {
      yield { ...action, kind: 'remove', due: midnightAfter(lastModified, expiration.days) }
    }
    return
  }
  const due = expiration && at(expiration)
  if (due !== undefined) yield { ...action, kind: expiration?.allVersions ? 'remove-all' : 'expire', due }
  if (version.tier !== undefined) return
  for (const transition of rule.transitions) {
    const { storageClass } = transition
    const moment = at(transition)
    if (moment !== undefined) yield { ...action, kind: 'transition', due: moment, storageClass }
  }
}

function* noncurrentVersionActions(
  rule: S3LifecycleRule,
  versions: readonly VersionFacts[],
  version: VersionFacts,
  index: number,
): Generator<LifecycleAction> {
  const since = versions[index - 1]?.lastModified ?? version.lastModified
  const action = { versionId: version.versionId, ruleId: rule.id }
  const at = ({ days, newerVersions }: { days?: number; newerVersions?: number }) => {
    if (days === undefined && newerVersions === undefined) return undefined
    // After the latest version there are `index - 1` newer noncurrent versions.
    if (newerVersions !== undefined && index - 1 < newerVersions) return undefined
    return days === undefined || days === 0 ? since : midnightAfter(since, days)
  }
  const due = rule.noncurrentExpiration && at(rule.noncurrentExpiration)
  if (due !== undefined) yield { ...action, kind: 'remove', due }
  if (version.marker || version.tier !== undefined) return
  for (const transition of rule.noncurrentTransitions) {
    const { storageClass } = transition
    const moment = at(transition)
    if (moment !== undefined) yield { ...action, kind: 'transition', due: moment, storageClass }
  }
}

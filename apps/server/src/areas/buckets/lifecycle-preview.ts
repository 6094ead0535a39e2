import { type LifecycleForecast, type LifecycleSimulation, type ObjectItem, reason } from '@stowage/contract'
import {
  findLifecycleAction,
  type LifecycleAction,
  type S3LifecycleRule,
  type VersionFacts,
} from '@stowage/madmin/lifecycle'
import pMap from 'p-map'
import { HttpError } from '../../lib/errors/http-errors.ts'
import type { S3Stream } from '../../lib/storage/s3-stream.ts'
import { readListingPage } from '../objects/listing/listing-page.ts'

/** Maximum number of versions to check; of a larger bucket only a sample is checked. */
const MAX_VERSIONS = 10_000
const PAGE = 1000
/** Number of keys shown. */
const FIRST = 10
/** Storage classes of versions whose bytes are on the drives of the server. */
const LOCAL_CLASSES = new Set(['STANDARD', 'REDUCED_REDUNDANCY'])
/** Maximum number of due versions whose locks are read, and how many at the same time. */
const LOCKS = 50
const CONCURRENCY = 10

interface PlannedAction {
  item: ObjectItem
  action: LifecycleAction
}

interface LifecycleScan {
  planned: PlannedAction[]
  scanned: number
  complete: boolean
}

/**
 * Computes what these rules do to the versions of a bucket, from a listing of limited length.
 * @throws HttpError 501 if a rule has tags, and the server lists none (MinIO of 2021)
 */
async function scanVersions(
  s3Stream: S3Stream,
  bucket: string,
  rules: readonly S3LifecycleRule[],
  now: number,
): Promise<LifecycleScan> {
  const prefix = commonPrefix(rules.map(({ filter }) => filter.prefix))
  const needsTags = rules.some(({ filter }) => Object.keys(filter.tags).length > 0)
  const planned: PlannedAction[] = []
  let scanned = 0
  let ofKey: ObjectItem[] = []
  const planKey = () => {
    const facts = ofKey.map(versionFacts)
    for (const [index, item] of ofKey.entries()) {
      const action = findLifecycleAction(rules, item.name, facts, index, now)
      if (!action) continue
      if (action.kind === 'remove-all') {
        // With the latest version all others of the key are deleted.
        for (const each of ofKey) planned.push({ item: each, action: { ...action, versionId: itemVersionId(each) } })
        break
      }
      planned.push({ item, action })
    }
    ofKey = []
  }
  let continuation: string | undefined
  do {
    const page = await readListingPage(s3Stream, bucket, {
      prefix,
      recursive: true,
      versions: true,
      metadata: needsTags,
      limit: PAGE,
      continuation,
    })
    // Without tags, a rule that removes objects would seem to do nothing.
    if (needsTags && !page.listsTags && page.items.some((item) => item.is_delete_marker !== true))
      throw new HttpError(501, reason('lifecycle-listing-without-tags'))
    for (const item of page.items) {
      if (ofKey.length > 0 && ofKey[0]?.name !== item.name) planKey()
      ofKey.push(item)
      scanned++
    }
    continuation = page.next
  } while (continuation !== undefined && scanned < MAX_VERSIONS)
  // The last key may have more versions after the end of the sample; the newest ones are judged correctly.
  planKey()
  return { planned, scanned, complete: continuation === undefined }
}

function versionFacts(item: ObjectItem): VersionFacts {
  return {
    versionId: itemVersionId(item),
    marker: item.is_delete_marker ?? false,
    size: item.size,
    lastModified: Date.parse(item.last_modified),
    tags: item.user_tags ?? {},
    ...(isOnTier(item) && { tier: item.storage_class }),
  }
}

function itemVersionId({ version_id }: ObjectItem): string {
  return version_id ?? 'null'
}

/** The storage class of a version on a tier is the tier's name. */
function isOnTier({ storage_class }: ObjectItem): boolean {
  return storage_class !== undefined && !LOCAL_CLASSES.has(storage_class)
}

function commonPrefix(prefixes: readonly string[]): string {
  const [first = '', ...rest] = prefixes
  let length = first.length
  for (const prefix of rest) while (!prefix.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

export async function simulateLifecycle(
  s3Stream: S3Stream,
  bucket: string,
  rule: S3LifecycleRule,
  { now, isLocking }: { now: number; isLocking: boolean },
): Promise<LifecycleSimulation> {
  const { planned, scanned, complete } = await scanVersions(s3Stream, bucket, [rule], now)
  const due = planned.filter(({ action }) => action.due <= now)
  const later = planned.filter(({ action }) => action.due > now).sort((a, b) => a.action.due - b.action.due)
  const removals = isLocking
    ? due.filter(({ action, item }) => /^remove/.test(action.kind) && !item.is_delete_marker)
    : []
  const locked = await findLocked(s3Stream, bucket, removals.slice(0, LOCKS), now)
  return {
    due: countVersions(due),
    matched: countVersions(planned),
    first: [...due, ...later].slice(0, FIRST).map((entry) => ({
      key: entry.item.name,
      version_id: entry.action.versionId,
      bytes: entry.item.size,
      action: entry.action.kind,
      due: new Date(entry.action.due).toISOString(),
      locked: locked.has(entry),
    })),
    locked: locked.size,
    locks_unchecked: Math.max(0, removals.length - LOCKS),
    scanned,
    complete,
  }
}

/** Returns those that a retention or a legal hold protects now. */
async function findLocked(
  s3Stream: S3Stream,
  bucket: string,
  entries: PlannedAction[],
  now: number,
): Promise<Set<PlannedAction>> {
  const locked = new Set<PlannedAction>()
  const check = async (entry: PlannedAction) => {
    const query = { versionId: entry.action.versionId }
    const headers = await s3Stream.headers({ method: 'HEAD', bucket, key: entry.item.name, query })
    const until = Date.parse(String(headers['x-amz-object-lock-retain-until-date'] ?? ''))
    if (headers['x-amz-object-lock-legal-hold'] === 'ON' || until > now) locked.add(entry)
  }
  await pMap(entries, check, { concurrency: CONCURRENCY })
  return locked
}

export async function forecastLifecycle(
  s3Stream: S3Stream,
  bucket: string,
  rules: readonly S3LifecycleRule[],
  now: number,
): Promise<Omit<LifecycleForecast, 'waiting'>> {
  if (!rules.some(({ enabled }) => enabled)) return { next: null, scanned: 0, complete: true }
  const enabled = rules.filter((rule) => rule.enabled)
  const { planned, scanned, complete } = await scanVersions(s3Stream, bucket, enabled, now)
  const [first] = planned.toSorted((a, b) => a.action.due - b.action.due)
  if (!first) return { next: null, scanned, complete }
  const { ruleId, kind, due } = first.action
  // Actions that are already due are grouped with the first one.
  const at = Math.max(due, now)
  const together = planned.filter(({ action }) => action.ruleId === ruleId && action.kind === kind && action.due <= at)
  return {
    next: { rule_id: ruleId, action: kind, due: new Date(due).toISOString(), ...countVersions(together) },
    scanned,
    complete,
  }
}

function countVersions(planned: readonly PlannedAction[]): { versions: number; bytes: number } {
  return { versions: planned.length, bytes: planned.reduce((sum, { item }) => sum + item.size, 0) }
}

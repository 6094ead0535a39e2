import type { AuditField } from '@stowage/contract/logs/audit'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { TOOL_AGENT } from '../records/audit-record.ts'
import { groupPatterns } from '../search/audit-match.ts'
import type { AuditPosition, AuditSelection } from '../search/audit-source.ts'
import { findExactText, toLikePattern } from '../search/filter-pattern.ts'
import { hasAnyValue } from './audit-tables.ts'

type Condition = RawBuilder<SqlBool>

/** What each filter compares, as `audit-match.ts` does for other sources. */
const VALUES: Readonly<Record<AuditField, readonly RawBuilder<string>[]>> = {
  bucket: [sql.ref('bucket')],
  object: [sql.ref('object')],
  api_name: [sql.ref('api_name')],
  request_id: [sql.ref('request_id')],
  user_agent: [sql.ref('user_agent')],
  response_status: [sql.ref('response_status'), sql`response_status_code::text`],
  user: [sql.ref('user_name'), sql.ref('access_key')],
  source: [sql.ref('source')],
}

/** Returns the conditions of a selection except those about its place in the order. */
export function recordConditions({ filters, tools, requests }: AuditSelection): Condition[] {
  const conditions = [...groupPatterns(filters)].map(([field, patterns]) =>
    joinOr(VALUES[field].flatMap((value) => patterns.map((pattern) => isLike(value, toLikePattern(pattern))))),
  )
  if (!tools) conditions.push(sql`not ${isLike(sql.ref('user_agent'), toLikePattern(`${TOOL_AGENT}*`))}`)
  if (requests) {
    const ids = [...requests].map(withoutZeroBytes)
    conditions.push(sql`(request_id = any(${ids}) or console_request = any(${ids}))`)
  }
  return conditions
}

/**
 * Returns conditions that each use an index; every record of the selection fulfills exactly one of them. Without a filter for
 * which there is an index, it is one condition that all records fulfill.
 */
export function indexConditions({ filters, requests }: AuditSelection): Condition[] {
  if (requests) {
    const ids = [...requests].map(withoutZeroBytes).filter((id) => id !== '')
    return excludeEarlier([hasAnyValue('request_id', ids), hasAnyValue('console_request', ids)])
  }
  const patterns = groupPatterns(filters)
  for (const field of INDEXED_FIELDS) {
    const branches = [...new Set(patterns.get(field))].map((pattern) =>
      valueIndexConditions(field, findExactText(pattern)),
    )
    const all = branches.flatMap((each) => each ?? [])
    if (all.length > 0 && all.length <= MAX_BRANCHES && !branches.includes(undefined)) return excludeEarlier(all)
  }
  return [sql`true`]
}

/** The fields of which an index is used, those first that usually have the fewest records. */
const INDEXED_FIELDS = ['request_id', 'user', 'bucket', 'response_status', 'api_name'] as const
const MAX_BRANCHES = 8

/** Returns undefined if the indexes do not have all records with this value. */
function valueIndexConditions(
  field: (typeof INDEXED_FIELDS)[number],
  exact: string | undefined,
): readonly Condition[] | undefined {
  if (exact === undefined || exact === '') return undefined
  const value = withoutZeroBytes(exact)
  if (field === 'user') return [hasAnyValue('user_name', [value]), hasAnyValue('access_key', [value])]
  if (field !== 'response_status') return [hasAnyValue(field, [value])]
  if (value === 'OK') return undefined
  const text = hasAnyValue('response_status', [value])
  if (Number.isNaN(Number(value))) return [text]
  return /^[4-9]\d\d$/.test(value) ? [text, hasAnyValue('response_status_code', [Number(value)])] : undefined
}

/** Excludes from each condition what those before it have. */
function excludeEarlier(conditions: readonly Condition[]): Condition[] {
  return conditions.map((condition, i) =>
    joinAnd([condition, ...conditions.slice(0, i).map((before): Condition => sql`not (${before})`)]),
  )
}

/** Returns the conditions about the place in the order. @param last the last record, inclusive */
export function rangeConditions(selection: AuditSelection, last?: AuditPosition): Condition[] {
  const { from, to, after, newestFirst } = selection
  const conditions: Condition[] = []
  if (Number.isFinite(from)) conditions.push(sql`at >= ${from}`)
  if (Number.isFinite(to)) conditions.push(sql`at < ${to}`)
  // The database chooses partitions only by conditions on the time alone.
  if (after) conditions.push(newestFirst ? sql`at <= ${after.at}` : sql`at >= ${after.at}`)
  if (after) conditions.push(sql`(at, id) ${newestFirst ? sql`<` : sql`>`} (${after.at}::float8, ${after.id})`)
  if (last) conditions.push(newestFirst ? sql`at >= ${last.at}` : sql`at <= ${last.at}`)
  if (last) conditions.push(sql`(at, id) ${newestFirst ? sql`>=` : sql`<=`} (${last.at}::float8, ${last.id})`)
  return conditions
}

export const joinAnd = (conditions: readonly Condition[]): Condition => sql.join<SqlBool>([...conditions], sql` and `)

/** Texts of PostgreSQL have no zero character. */
export const withoutZeroBytes = (text: string) => text.replaceAll('\0', '\uFFFD')

const isLike = (value: RawBuilder<string>, pattern: string): Condition =>
  sql`${value} like ${withoutZeroBytes(pattern)}`
const joinOr = (conditions: readonly Condition[]): Condition => sql`(${sql.join([...conditions], sql` or `)})`

import type { AuditField } from '@stowage/contract/logs/audit'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { patternsByField } from '../audit-match.ts'
import { TOOL_AGENT } from '../audit-record.ts'
import type { AuditSelection, Position } from '../audit-source.ts'
import { exactText, likeOf } from '../pattern.ts'
import { hasOneOf } from './schema.ts'

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
export function conditionsOf({ filters, tools, requests }: AuditSelection): Condition[] {
  const conditions = [...patternsByField(filters)].map(([field, patterns]) =>
    anyOf(VALUES[field].flatMap((value) => patterns.map((pattern) => isLike(value, likeOf(pattern))))),
  )
  if (!tools) conditions.push(sql`not ${isLike(sql.ref('user_agent'), likeOf(`${TOOL_AGENT}*`))}`)
  if (requests) {
    const ids = [...requests].map(storable)
    conditions.push(sql`(request_id = any(${ids}) or console_request = any(${ids}))`)
  }
  return conditions
}

/**
 * Returns conditions that each use an index; every record of the selection fulfills exactly one of them. Without a filter for
 * which there is an index, it is one condition that all records fulfill.
 */
export function branchesOf({ filters, requests }: AuditSelection): Condition[] {
  if (requests) {
    const ids = [...requests].map(storable).filter((id) => id !== '')
    return disjoint([hasOneOf('request_id', ids), hasOneOf('console_request', ids)])
  }
  const patterns = patternsByField(filters)
  for (const field of INDEXED_FIELDS) {
    const branches = [...new Set(patterns.get(field))].map((pattern) => branchesOfValue(field, exactText(pattern)))
    const all = branches.flatMap((each) => each ?? [])
    if (all.length > 0 && all.length <= MAX_BRANCHES && !branches.includes(undefined)) return disjoint(all)
  }
  return [sql`true`]
}

/** The fields of which an index is used, those first that usually have the fewest records. */
const INDEXED_FIELDS = ['request_id', 'user', 'bucket', 'response_status', 'api_name'] as const
const MAX_BRANCHES = 8

/** Returns undefined if the indexes do not have all records with this value. */
function branchesOfValue(
  field: (typeof INDEXED_FIELDS)[number],
  exact: string | undefined,
): readonly Condition[] | undefined {
  if (exact === undefined || exact === '') return undefined
  const value = storable(exact)
  if (field === 'user') return [hasOneOf('user_name', [value]), hasOneOf('access_key', [value])]
  if (field !== 'response_status') return [hasOneOf(field, [value])]
  if (value === 'OK') return undefined
  const text = hasOneOf('response_status', [value])
  if (Number.isNaN(Number(value))) return [text]
  return /^[4-9]\d\d$/.test(value) ? [text, hasOneOf('response_status_code', [Number(value)])] : undefined
}

/** Excludes from each condition what those before it have. */
function disjoint(conditions: readonly Condition[]): Condition[] {
  return conditions.map((condition, i) =>
    allOf([condition, ...conditions.slice(0, i).map((before): Condition => sql`not (${before})`)]),
  )
}

/** Returns the conditions about the place in the order. @param last the last record, inclusive */
export function rangeOf(selection: AuditSelection, last?: Position): Condition[] {
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

export const allOf = (conditions: readonly Condition[]): Condition => sql.join<SqlBool>([...conditions], sql` and `)

/** Texts of PostgreSQL have no zero character. */
export const storable = (text: string) => text.replaceAll('\0', '\uFFFD')

const isLike = (value: RawBuilder<string>, pattern: string): Condition => sql`${value} like ${storable(pattern)}`
const anyOf = (conditions: readonly Condition[]): Condition => sql`(${sql.join([...conditions], sql` or `)})`

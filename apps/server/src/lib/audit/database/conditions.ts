import type { AuditField } from '@stowage/contract/logs/audit'
import { type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { patternsByField } from '../audit-match.ts'
import { TOOL_AGENT } from '../audit-record.ts'
import type { AuditSelection, Position } from '../audit-source.ts'
import { likeOf } from '../pattern.ts'
import type { AuditTables } from './schema.ts'

type Condition = RawBuilder<SqlBool>
type Rows = ExpressionBuilder<AuditTables, 'stowage_audit'>

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

export const allOf = (conditions: readonly Condition[]) => (rows: Rows) => rows.and([...conditions])

/** Texts of PostgreSQL have no zero character. */
export const storable = (text: string) => text.replaceAll('\0', '\uFFFD')

const isLike = (value: RawBuilder<string>, pattern: string): Condition => sql`${value} like ${storable(pattern)}`
const anyOf = (conditions: readonly Condition[]): Condition => sql`(${sql.join([...conditions], sql` or `)})`

import { type Migration, type RawBuilder, type SqlBool, sql } from 'kysely'

/** A record. Its names are those of the API where it has them; times are ms since 1970, with fractions. */
export interface AuditTableRow {
  at: number
  id: string
  source: string
  time: string
  api_name: string
  bucket: string
  object: string
  response_status: string
  response_status_code: number
  remote_host: string
  request_id: string
  user_agent: string
  access_key: string
  user_name: string
  console_request: string
  duration_ns: number
  bytes_in: number | null
  bytes_out: number | null
  raw: object
}

/** When the latest record of a source arrived (ms since 1970), and how long after its creation (ms). */
interface SourceTable {
  source: string
  arrived: number
  lag: number
}

export interface AuditTables {
  stowage_audit: AuditTableRow
  stowage_audit_source: SourceTable
}

/** The columns and their types, in the order of an insert. */
export const AUDIT_COLUMNS = {
  at: 'float8',
  id: 'text',
  source: 'text',
  time: 'text',
  api_name: 'text',
  bucket: 'text',
  object: 'text',
  response_status: 'text',
  response_status_code: 'float8',
  remote_host: 'text',
  request_id: 'text',
  user_agent: 'text',
  access_key: 'text',
  user_name: 'text',
  console_request: 'text',
  duration_ns: 'float8',
  bytes_in: 'float8',
  bytes_out: 'float8',
  raw: 'json',
} as const satisfies Record<keyof AuditTableRow, string>

/** Length of the beginning of a text that is in an index (characters): an index does not take texts of any length. */
const INDEXED_LENGTH = 256

/** The columns that have an index, and which of its rows. Most rows have none of the rarer values. */
const INDEXES = {
  bucket: `bucket <> ''`,
  api_name: `api_name <> ''`,
  user_name: `user_name <> ''`,
  access_key: `access_key <> user_name`,
  request_id: `request_id <> ''`,
  console_request: `console_request <> ''`,
  response_status: `response_status <> 'OK'`,
  response_status_code: 'response_status_code >= 400',
} as const satisfies Partial<Record<keyof AuditTableRow, string>>
export type IndexedColumn = keyof typeof INDEXES

/** Returns the condition that a column has one of these values, in a form for which the database uses the index. */
export function hasAnyValue(column: IndexedColumn, values: readonly (string | number)[]): RawBuilder<SqlBool> {
  const isNumber = column === 'response_status_code'
  const indexed = isNumber ? sql.ref(column) : sql`left(${sql.ref(column)}, ${sql.lit(INDEXED_LENGTH)})`
  const beginnings = isNumber ? values : values.map((value) => [...String(value)].slice(0, INDEXED_LENGTH).join(''))
  const type = sql.raw(AUDIT_COLUMNS[column])
  // With one value, the rows of the index are in the order of time.
  const isFound = beginnings.length === 1 ? sql`${beginnings[0]}::${type}` : sql`any(${beginnings}::${type}[])`
  const isInIndex = sql.raw(INDEXES[column])
  return sql`${isInIndex} and ${indexed} = ${isFound} and ${sql.ref(column)} = any(${values}::${type}[])`
}

/** The changes of the tables, in their order. One that was released is never changed. */
export const AUDIT_MIGRATIONS: Readonly<Record<string, Migration>> = {
  '1': {
    async up(db) {
      const column = ([name, type]: [string, string]) => {
        // By bytes, as the console compares IDs, whatever the language of the database is.
        const order = name === 'id' ? ' collate "C"' : ''
        return `"${name}" ${type}${order}${name.startsWith('bytes_') ? '' : ' not null'}`
      }
      const columns = Object.entries(AUDIT_COLUMNS).map(column).join(', ')
      await sql`create table stowage_audit (${sql.raw(columns)}, primary key (at, id)) partition by range (at)`.execute(
        db,
      )
      // Records of times without a partition: very old, or from the future.
      await sql`create table stowage_audit_other partition of stowage_audit default`.execute(db)
      await sql`create table stowage_audit_source (
        source text primary key, arrived float8 not null, lag float8 not null
      )`.execute(db)
    },
  },
  '2': {
    /** Partitions that exist get their indexes later, because it could take minutes (`missing-indexes.ts`). */
    async up(db) {
      for (const [column, where] of Object.entries(INDEXES)) {
        const value = column === 'response_status_code' ? column : `(left(${column}, ${INDEXED_LENGTH}))`
        const index = sql.raw(`(${value}, at, id) where ${where}`)
        await sql`create index on only stowage_audit ${index}`.execute(db)
        await sql`create index on stowage_audit_other ${index}`.execute(db)
      }
    },
  },
}

import type { Migration } from 'kysely'
import { sql } from 'kysely'

/** A record. Its names are those of the API where it has them; times are ms since 1970, with fractions. */
export interface AuditTable {
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
  stowage_audit: AuditTable
  stowage_audit_source: SourceTable
}

/** The columns and their types, in the order of an insert. */
export const COLUMNS = {
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
} as const satisfies Record<keyof AuditTable, string>

/** The changes of the tables, in their order. One that was released is never changed. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '1': {
    async up(db) {
      const column = ([name, type]: [string, string]) => {
        // By bytes, as the console compares IDs, whatever the language of the database is.
        const order = name === 'id' ? ' collate "C"' : ''
        return `"${name}" ${type}${order}${name.startsWith('bytes_') ? '' : ' not null'}`
      }
      const columns = Object.entries(COLUMNS).map(column).join(', ')
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
}

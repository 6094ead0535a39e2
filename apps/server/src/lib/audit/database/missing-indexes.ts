import { type Kysely, sql } from 'kysely'
import type { AuditTables } from './audit-tables.ts'

type Db = Kysely<AuditTables>

/** Key of the lock that is held meanwhile: several consoles may use the database. */
const LOCK = 7_867_002
const STATEMENT_TIMEOUT = '120s'

/**
 * Creates the indexes that partitions of earlier releases do not have. Records are stored and searched meanwhile.
 * @param db connections with a long limit of time
 */
export async function createMissingIndexes(db: Db): Promise<void> {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_lock(${LOCK}) as free`.execute(connection)
    // Another console creates them.
    if (!rows[0]?.free) return
    try {
      await sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, false)`.execute(connection)
      for (const { partition, definition, broken } of await findMissingIndexes(connection)) {
        // It was not completed, because the database or the console ended.
        if (broken !== null) await sql`drop index concurrently ${sql.raw(broken)}`.execute(connection)
        await sql`create index concurrently on ${sql.raw(partition)} ${sql.raw(definition)}`.execute(connection)
      }
    } finally {
      await sql`reset statement_timeout`.execute(connection)
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection)
    }
  })
}

interface MissingIndex {
  /** Quoted by the database. */
  partition: string
  definition: string
  /** An index with this definition that was not completed. */
  broken: string | null
}

async function findMissingIndexes(db: Db): Promise<MissingIndex[]> {
  const { rows } = await sql<MissingIndex>`
    with wanted as (
      select inhrelid as partition, substring(pg_get_indexdef(indexrelid) from ' (USING .*)') as definition
      from pg_index join pg_inherits on inhparent = indrelid
      where indrelid = 'stowage_audit'::regclass
    ), existing as (
      select indrelid as partition, indexrelid::regclass::text as name, indisvalid as valid,
        substring(pg_get_indexdef(indexrelid) from ' (USING .*)') as definition
      from pg_index where indrelid in (select partition from wanted)
    )
    select wanted.partition::regclass::text as partition, wanted.definition, existing.name as broken
    from wanted left join existing using (partition, definition)
    where existing.valid is not true`.execute(db)
  return rows
}

import { type Reason, reason } from '@stowage/contract'
import { Kysely, Migrator, PostgresDialect, type RawBuilder, type SqlBool, sql } from 'kysely'
import { DatabaseError, Pool } from 'pg'
import { HttpError } from '../../errors/http-errors.ts'
import type { AuditRecord } from '../records/audit-record.ts'
import type {
  AuditBatch,
  AuditKeeper,
  AuditLimits,
  AuditPosition,
  AuditSelection,
  SourceArrival,
} from '../search/audit-source.ts'
import { AUDIT_COLUMNS, AUDIT_MIGRATIONS, type AuditTableRow, type AuditTables } from './audit-tables.ts'
import { LimitedConnections } from './limited-connections.ts'
import { createMissingIndexes } from './missing-indexes.ts'
import { AuditPartitions } from './partitions.ts'
import { indexConditions, joinAnd, rangeConditions, recordConditions, withoutZeroBytes } from './record-conditions.ts'

const CONNECTIONS = 8
const CONNECT_MS = 3_000
/** Limits of one query (ms): that of the database, and that of the console if no answer comes. */
const STATEMENT_MS = 10_000
const QUERY_MS = 12_000
const MAINTENANCE_MS = 130_000
/** How long a page waits to learn whether there are records (ms). */
const ASK_MS = 500
/** Time between two checks of what is too old or too much (ms), and the share of the bytes after which it is checked earlier. */
const CHECK_MS = 60_000
const CHECK_SHARE = 32
/** Maximum number of records in a batch. */
const BATCH = 1000
/** Numbers of rows that one query may read. It reads more if few of them match. */
const MAX_ROWS = 64_000
const FEW = 8

interface Options {
  url: string
  limits: AuditLimits
  log: { warn(details: object, message: string): void }
}

/** Keeps audit records in PostgreSQL, which several consoles may share. */
export class AuditDatabase implements AuditKeeper {
  readonly #pool: Pool
  readonly #db: Kysely<AuditTables>
  readonly #slow: Kysely<AuditTables>
  readonly #partitions: AuditPartitions
  readonly #options: Options
  #prepared: Promise<void> | undefined
  #hasRecords = false
  #checked = Number.NEGATIVE_INFINITY
  #appended = 0
  #checking: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
    const { url, limits } = options
    this.#pool = new Pool({
      connectionString: url,
      max: CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: 60_000,
      statement_timeout: STATEMENT_MS,
      keepAlive: true,
      application_name: 'stowage',
    })
    // The query that was running reports it.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
    this.#db = createKysely(this.#pool, QUERY_MS)
    this.#slow = createKysely(this.#pool, MAINTENANCE_MS)
    this.#partitions = new AuditPartitions(this.#slow, limits)
  }

  async hasRecords(): Promise<boolean> {
    if (this.#hasRecords) return true
    const asked = this.#prepare().then(async () => {
      const row = await this.#db.selectFrom('stowage_audit').select('id').limit(1).executeTakeFirst()
      this.#hasRecords = row !== undefined
      return this.#hasRecords
    })
    // Without an answer the page is offered, and it says what is wrong.
    return await Promise.race([asked.catch(() => true), resolveAfter(ASK_MS, true)])
  }

  async latestArrival(source: string): Promise<SourceArrival | undefined> {
    return await this.#search(async () => {
      const row = await this.#db
        .selectFrom('stowage_audit_source')
        .select(['arrived', 'lag'])
        .where('source', '=', withoutZeroBytes(source))
        .executeTakeFirst()
      return row && { at: row.arrived, lag: row.lag }
    })
  }

  /** Resolves once the database has committed them. */
  async append(records: readonly AuditRecord[]): Promise<number> {
    const fresh = [...new Map(records.map((record) => [record.id, record])).values()]
    if (fresh.length === 0) return 0
    await this.#prepare()
    await this.#partitions
      .ensure(fresh.map(({ at }) => at))
      // They are stored all the same, and moved later.
      .catch((error: unknown) => this.#warn(error, 'a part of the table of audit records could not be created'))
    // In one order: otherwise two consoles that store the same records could wait for each other.
    const sorted = fresh.map(toStoredRow).sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    const stored = await this.#db.transaction().execute(async (db) => {
      const { numAffectedRows } = await insertQuery(sorted).execute(db)
      for (const latest of latestBySource(fresh))
        await db
          .insertInto('stowage_audit_source')
          .values(latest)
          .onConflict((conflict) => conflict.column('source').doUpdateSet({ arrived: latest.arrived, lag: latest.lag }))
          .execute()
      return Number(numAffectedRows ?? 0)
    })
    this.#hasRecords = true
    this.#appended += sorted.reduce((sum, { raw }) => sum + raw.length, 0)
    this.#checkSoon()
    return stored
  }

  async *batches(query: AuditSelection, maxMs = Number.POSITIVE_INFINITY): AsyncGenerator<AuditBatch, void> {
    const end = performance.now() + maxMs
    let range = query
    const batch = query.brief ? MAX_ROWS : BATCH
    for (let rows = batch; ; ) {
      query.signal?.throwIfAborted()
      const last = await this.#search(() => this.#findLastPosition(range, rows))
      const found = await this.#search(() => this.#matching(range, last, batch))
      // There may be more of them among these rows.
      const reached = found.length === batch ? found.at(-1) : last
      if (reached === undefined) {
        yield found
        return
      }
      if (performance.now() > end) {
        yield Object.assign(found, { searchedTo: { at: reached.at, id: reached.id } })
        return
      }
      yield found
      range = { ...range, after: { at: reached.at, id: reached.id } }
      if (found.length < rows / FEW) rows = Math.min(rows * FEW, MAX_ROWS)
    }
  }

  async close(): Promise<void> {
    const ended = this.#checking.then(async () => await this.#pool.end())
    // A database that does not answer must not keep the console from ending.
    await Promise.race([ended, resolveAfter(CONNECT_MS, undefined)])
  }

  /**
   * The last one of a number of rows, whether they match or not, but only those with the value of a filter that has an index;
   * undefined if there are fewer.
   */
  async #findLastPosition(range: AuditSelection, rows: number): Promise<AuditPosition | undefined> {
    const rowsQuery = selectQuery(['at', 'id'], range, rangeConditions(range), rows)
    const { rows: found } = await sql<AuditPosition>`${rowsQuery} offset ${rows - 1}`.execute(this.#db)
    return found[0]
  }

  async #matching(range: AuditSelection, last: AuditPosition | undefined, limit: number): Promise<AuditRecord[]> {
    const conditions = [...rangeConditions(range, last), ...recordConditions(range)]
    const { rows } = await selectQuery(range.brief ? BRIEF : COLUMN_NAMES, range, conditions, limit).execute(this.#db)
    return rows.map(toAuditRecord)
  }

  /** Creates or changes the tables, once. Several consoles that start together wait for each other. */
  #prepare(): Promise<void> {
    this.#prepared ??= this.#migrate().catch((error: unknown) => {
      this.#prepared = undefined
      throw error
    })
    return this.#prepared
  }

  async #migrate(): Promise<void> {
    const migrator = new Migrator({
      db: this.#db,
      provider: { getMigrations: async () => ({ ...AUDIT_MIGRATIONS }) },
      migrationTableName: 'stowage_migration',
      migrationLockTableName: 'stowage_migration_lock',
    })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
    this.#checking = this.#checking
      .then(async () => await createMissingIndexes(this.#slow))
      .catch((error: unknown) => this.#warn(error, 'indexes of earlier audit records could not be created'))
  }

  /** @throws HttpError that says what is wrong with the database */
  async #search<T>(run: () => Promise<T>): Promise<T> {
    try {
      await this.#prepare()
      return await run()
    } catch (error) {
      this.#warn(error, 'the database of the audit records failed')
      throw new HttpError(503, databaseFailureReason(error), { cause: error })
    }
  }

  #checkSoon(): void {
    const now = performance.now()
    if (now - this.#checked < CHECK_MS && this.#appended < this.#options.limits.maxBytes / CHECK_SHARE) return
    this.#checked = now
    this.#appended = 0
    this.#checking = this.#checking
      .then(async () => await this.#partitions.maintain())
      .catch((error: unknown) => this.#warn(error, 'old audit records could not be deleted'))
  }

  #warn(error: unknown, message: string): void {
    // Errors of the database contain parameters, and so parts of records.
    const { code, message: text } = error as { code?: string; message?: string }
    this.#options.log.warn({ code, reason: text }, message)
  }
}

function createKysely(pool: Pool, timeoutMs: number): Kysely<AuditTables> {
  return new Kysely({ dialect: new PostgresDialect({ pool: new LimitedConnections(pool, timeoutMs) }) })
}

function databaseFailureReason(error: unknown): Reason {
  if (!(error instanceof DatabaseError)) return reason('audit-database-unreachable')
  // The time of a statement, or the wait for a lock, was too long.
  return reason(error.code === '57014' || error.code === '55P03' ? 'audit-database-slow' : 'audit-database-failed')
}

const COLUMN_NAMES = Object.keys(AUDIT_COLUMNS) as (keyof AuditTableRow)[]
const BRIEF = ['at', 'id', 'user_name', 'bucket', 'api_name', 'response_status_code'] as const

/** Selects the first rows in the order of a selection. Each of its branches reads rows in that order from an index. */
function selectQuery(
  columns: readonly (keyof AuditTableRow)[],
  selection: AuditSelection,
  conditions: readonly RawBuilder<SqlBool>[],
  limit: number,
): RawBuilder<AuditTableRow> {
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const order = selection.newestFirst ? sql`order by at desc, id desc` : sql`order by at, id`
  const branches = indexConditions(selection).map(
    (branch) =>
      sql`(select ${names} from stowage_audit where ${joinAnd([branch, ...conditions])} ${order} limit ${limit})`,
  )
  return sql`select * from (${sql.join(branches, sql` union all `)}) as found ${order} limit ${limit}`
}

/** Each column is one parameter, so that the number of records does not matter. */
function insertQuery(rows: readonly StoredRow[]) {
  const columns = COLUMN_NAMES.map((name) => sql`${rows.map((row) => row[name])}::${sql.raw(AUDIT_COLUMNS[name])}[]`)
  return sql`insert into stowage_audit (${sql.join(COLUMN_NAMES.map((name) => sql.ref(name)))})
    select * from unnest(${sql.join(columns)}) on conflict do nothing`
}

type StoredRow = Omit<AuditTableRow, 'raw'> & { raw: string }

function toStoredRow(record: AuditRecord): StoredRow {
  return {
    at: record.at,
    id: record.id,
    source: withoutZeroBytes(record.source),
    time: withoutZeroBytes(record.time),
    api_name: withoutZeroBytes(record.api),
    bucket: withoutZeroBytes(record.bucket),
    object: withoutZeroBytes(record.object),
    response_status: withoutZeroBytes(record.status),
    response_status_code: record.statusCode,
    remote_host: withoutZeroBytes(record.remoteHost),
    request_id: withoutZeroBytes(record.requestId),
    user_agent: withoutZeroBytes(record.userAgent),
    access_key: withoutZeroBytes(record.accessKey),
    user_name: withoutZeroBytes(record.user),
    console_request: withoutZeroBytes(record.consoleRequest),
    duration_ns: record.duration,
    bytes_in: record.bytesIn,
    bytes_out: record.bytesOut,
    raw: record.rawText ?? JSON.stringify(record.raw),
  }
}

type BriefRow = Pick<AuditTableRow, (typeof BRIEF)[number]>
const NO_DETAILS: Omit<AuditTableRow, keyof BriefRow> = {
  source: '',
  time: '',
  object: '',
  response_status: '',
  remote_host: '',
  request_id: '',
  user_agent: '',
  access_key: '',
  console_request: '',
  duration_ns: 0,
  bytes_in: null,
  bytes_out: null,
  raw: {},
}

function toAuditRecord(read: BriefRow & Partial<AuditTableRow>): AuditRecord {
  const row: AuditTableRow = { ...NO_DETAILS, ...read }
  return {
    id: row.id,
    source: row.source,
    at: row.at,
    time: row.time,
    api: row.api_name,
    bucket: row.bucket,
    object: row.object,
    status: row.response_status,
    statusCode: row.response_status_code,
    remoteHost: row.remote_host,
    requestId: row.request_id,
    userAgent: row.user_agent,
    accessKey: row.access_key,
    user: row.user_name,
    consoleRequest: row.console_request,
    duration: row.duration_ns,
    bytesIn: row.bytes_in,
    bytesOut: row.bytes_out,
    raw: row.raw,
  }
}

function latestBySource(records: readonly AuditRecord[]) {
  const arrived = Date.now()
  const latest = new Map(
    records.map(({ source, at }) => [withoutZeroBytes(source), Math.max(0, Math.round(arrived - at))]),
  )
  return [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([source, lag]) => ({ source, arrived, lag }))
}

async function resolveAfter<T>(ms: number, value: T): Promise<T> {
  return await new Promise((resolve) => {
    setTimeout(resolve, ms, value).unref()
  })
}

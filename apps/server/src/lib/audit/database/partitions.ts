import { type Kysely, sql, type Transaction } from 'kysely'
import type { AuditLimits } from '../search/audit-source.ts'
import type { AuditTables } from './audit-tables.ts'

type Db = Kysely<AuditTables>

const DAY = 86_400_000
const NAME = /^stowage_audit_(\d+)_(\d+)$/
const OTHER = 'stowage_audit_other'
/** Days of the future that get a partition, because clocks differ. */
const AHEAD = 1
/** A partition with more than this share of all permitted bytes is not filled further, because whole partitions are deleted. */
const SHARE = 8
/** Key of the lock that is held while partitions change: several consoles may use the database. */
const LOCK = 7_867_001
const LOCK_TIMEOUT = '5s'
const STATEMENT_TIMEOUT = '120s'

interface Partition {
  name: string
  /** ms since 1970: from, inclusive, and to, exclusive. */
  from: number
  to: number
  bytes: number
}

/**
 * The parts of the table, one per day of the records' own time. A day with very many records has several. The database finds
 * records of other times, and those that come while there is no partition for them, in one more part.
 */
export class AuditPartitions {
  readonly #db: Db
  readonly #limits: AuditLimits
  #known: Partition[] = []

  /** @param db connections with a long limit of time */
  constructor(db: Db, limits: AuditLimits) {
    this.#db = db
    this.#limits = limits
  }

  /** Creates the missing partitions for these times (ms since 1970). */
  async ensure(times: readonly number[], now = Date.now()): Promise<void> {
    const days = new Set(times.filter((at) => this.#isWanted(at, now)).map((at) => Math.floor(at)))
    const missing = () => [...days].filter((at) => !this.#known.some(({ from, to }) => from <= at && at < to))
    if (missing().length === 0) return
    await this.#change(async (db) => {
      for (let [at] = missing(); at !== undefined; [at] = missing()) {
        const partition = createPartitionAround(at, this.#known)
        await createPartition(db, partition)
        this.#known.push(partition)
      }
    })
  }

  /** Deletes what is too old or too much, and ends a partition that has become too large. */
  async maintain(now = Date.now()): Promise<void> {
    const { days, maxBytes } = this.#limits
    const oldest = now - days * DAY
    await this.#change(async (db, other) => {
      await sql`delete from ${sql.table(OTHER)} where at < ${oldest}`.execute(db)
      // The database does not return the space of deleted rows at once, so these are not deleted one by one.
      if (other > maxBytes / SHARE) await sql`truncate ${sql.table(OTHER)}`.execute(db)
      let bytes = this.#known.reduce((sum, partition) => sum + partition.bytes, 0)
      for (const partition of this.#known.toSorted((a, b) => a.from - b.from).slice(0, -1)) {
        if (bytes <= maxBytes && partition.to > oldest) continue
        await sql`drop table ${sql.table(partition.name)}`.execute(db)
        bytes -= partition.bytes
        this.#known.splice(this.#known.indexOf(partition), 1)
      }
      const current = this.#known.find(({ from, to }) => from < now && now < to - 1)
      if (current && current.bytes > maxBytes / SHARE) await this.#split(db, current, Math.ceil(now))
    })
  }

  /** Ends a partition, and begins another one for the rest of its time. */
  async #split(db: Transaction<AuditTables>, whole: Partition, at: number): Promise<void> {
    const first = { ...whole, name: partitionName(whole.from, at), to: at }
    const rest = { name: partitionName(at, whole.to), from: at, to: whole.to, bytes: 0 }
    await sql`alter table stowage_audit detach partition ${sql.table(whole.name)}`.execute(db)
    await sql`alter table ${sql.table(whole.name)} rename to ${sql.table(first.name)}`.execute(db)
    await sql`create table ${sql.table(rest.name)} (like stowage_audit including all)`.execute(db)
    await moveRecords(db, first.name, rest)
    await attachPartition(db, first)
    await attachPartition(db, rest)
    this.#known = this.#known.map((each) => (each === whole ? first : each)).concat(rest)
  }

  /** Runs a change of the partitions, one at a time. */
  async #change(run: (db: Transaction<AuditTables>, otherBytes: number) => Promise<void>): Promise<void> {
    try {
      await this.#db.transaction().execute(async (db) => {
        await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true),
          set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true)`.execute(db)
        await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db)
        const parts = await readPartitions(db)
        this.#known = parts.filter(({ name }) => name !== OTHER)
        await run(db, parts.find(({ name }) => name === OTHER)?.bytes ?? 0)
      })
    } catch (error) {
      // The next change reads them again.
      this.#known = []
      throw error
    }
  }

  #isWanted(at: number, now: number): boolean {
    return at >= now - (this.#limits.days + 1) * DAY && at < now + AHEAD * DAY
  }
}

async function readPartitions(db: Db): Promise<Partition[]> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select relname as name, pg_total_relation_size(pg_class.oid)::float8 as bytes
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'stowage_audit'::regclass`.execute(db)
  return rows.map(({ name, bytes }) => {
    const [, from = '0', to = '0'] = NAME.exec(name) ?? []
    return { name, bytes, from: Number(from), to: Number(to) }
  })
}

/** Returns the part of the day around a time that no partition has yet. */
function createPartitionAround(at: number, partitions: readonly Partition[]): Partition {
  const day = Math.floor(at / DAY) * DAY
  const from = Math.max(day, ...partitions.filter(({ to }) => to <= at).map(({ to }) => to))
  const to = Math.min(day + DAY, ...partitions.filter((other) => other.from > at).map((other) => other.from))
  return { name: partitionName(from, to), from, to, bytes: 0 }
}

const partitionName = (from: number, to: number) => `stowage_audit_${from}_${to}`

async function createPartition(db: Db, partition: Partition): Promise<void> {
  await sql`create table ${sql.table(partition.name)} (like stowage_audit including all)`.execute(db)
  // Records may have come before their partition. No further one may come before it is complete.
  await sql`lock table ${sql.table(OTHER)} in access exclusive mode`.execute(db)
  await moveRecords(db, OTHER, partition)
  await attachPartition(db, partition)
}

async function moveRecords(db: Db, source: string, { name, from, to }: Partition): Promise<void> {
  await sql`with moved as (delete from ${sql.table(source)} where at >= ${from} and at < ${to} returning *)
    insert into ${sql.table(name)} select * from moved`.execute(db)
}

async function attachPartition(db: Db, { name, from, to }: Partition): Promise<void> {
  await sql`alter table stowage_audit attach partition ${sql.table(name)}
    for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(db)
}

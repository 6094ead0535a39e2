import { spawnSync } from 'node:child_process'
import { Kysely, Migrator, PostgresDialect } from 'kysely'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// biome-ignore format: one line
import { type Broker, isBrokerInstalled, startBroker } from '../../../../../../packages/object-store/src/events/targets/testing/brokers.ts'
import { startFaultProxy } from '../../../../../../tests/support/network/fault-proxy.ts'
import { readAuditPage } from '../search/audit-page.ts'
import type { AuditLimits, AuditPosition } from '../search/audit-source.ts'
import { testAuditKeeper } from '../testing/keeper-tests.ts'
import { findRequestIds, SAMPLE_NOW, sampleQuery, sampleRecord } from '../testing/sample-records.ts'
import { AuditDatabase } from './audit-database.ts'
import { AUDIT_MIGRATIONS } from './audit-tables.ts'

/* Against a real PostgreSQL: scripts/brokers.mjs installs it. */

const DAY = 86_400_000
const LIMITS: AuditLimits = { days: 30, maxBytes: 2 ** 31 }

describe.skipIf(!isBrokerInstalled('postgres'))('audit records in PostgreSQL', () => {
  let broker: Broker
  let admin: Client
  let count = 0
  beforeAll(async () => {
    broker = await startBroker('postgres')
    admin = new Client({ connectionString: databaseUrl('postgres') })
    await admin.connect()
  }, 60_000)
  afterAll(async () => {
    await admin.end()
    await broker[Symbol.asyncDispose]()
  })

  const databaseUrl = (name: string, port = broker.port) => `postgres://u:secret@127.0.0.1:${port}/${name}`
  const newDatabase = async () => {
    const name = `audit${++count}`
    await admin.query(`create database ${name}`)
    return name
  }
  const log = { warn: () => undefined }
  const open = (name: string, more: { port?: number; limits?: Partial<AuditLimits>; options?: string } = {}) =>
    new AuditDatabase({
      url: `${databaseUrl(name, more.port)}${more.options ? `?options=${encodeURIComponent(more.options)}` : ''}`,
      limits: { ...LIMITS, ...more.limits },
      log,
    })
  const queryRows = async (name: string, text: string) => {
    const client = new Client({ connectionString: databaseUrl(name) })
    await client.connect()
    const { rows } = await client.query<Record<string, string>>(text)
    await client.end()
    return rows
  }
  const listPartitions = async (name: string) =>
    (
      await queryRows(
        name,
        `select inhrelid::regclass::text as part from pg_inherits where inhparent = 'stowage_audit'::regclass`,
      )
    ).map(({ part = '' }) => part)

  testAuditKeeper(async () => open(await newDatabase()))

  test('consoles that start together create the tables once, and store what both are sent once', async () => {
    const name = await newDatabase()
    const consoles = [open(name), open(name), open(name)]
    const records = Array.from({ length: 500 }, (_, n) => sampleRecord(n))
    const counts = await Promise.all(
      consoles.map(async (each, n) => await each.append(n === 1 ? records.toReversed() : records)),
    )
    expect(counts.reduce((sum, stored) => sum + stored, 0)).toBe(500)
    for (const each of consoles) {
      expect(await findRequestIds(each, { limit: 1000 })).toHaveLength(500)
      await each.close()
    }
  })

  test('partitions of the first release get the indexes of later ones, also if that was interrupted', async () => {
    const name = await newDatabase()
    const pool = new Pool({ connectionString: databaseUrl(name) })
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    const { 1: first } = AUDIT_MIGRATIONS
    const tables = { migrationTableName: 'stowage_migration', migrationLockTableName: 'stowage_migration_lock' }
    const provider = { getMigrations: async () => ({ ...(first && { 1: first }) }) }
    const { error } = await new Migrator({ db, provider, ...tables }).migrateToLatest()
    expect(error).toBeUndefined()
    const day = Math.floor(sampleRecord(1).at / DAY) * DAY
    const part = `stowage_audit_${day}_${day + DAY}`
    await queryRows(name, `create table ${part} partition of stowage_audit for values from (${day}) to (${day + DAY})`)
    await queryRows(name, `create index cut on ${part} (left(bucket, 256), at, id) where bucket <> ''`)
    await queryRows(name, `update pg_index set indisvalid = false where indexrelid = 'cut'::regclass`)
    await db.destroy()

    const keeper = open(name)
    await keeper.append([sampleRecord(1)])
    const indexes = async () =>
      await queryRows(
        name,
        `select relname as index from pg_index join pg_class on pg_class.oid = indexrelid
        where indrelid = '${part}'::regclass and indisvalid`,
      )
    await expect.poll(async () => (await indexes()).length).toBe(9)
    expect(await indexes()).not.toContainEqual({ index: 'cut' })
    const others = await queryRows(name, `select 1 from pg_index where indrelid = 'stowage_audit_other'::regclass`)
    expect(others).toHaveLength(9)
    expect(await findRequestIds(keeper)).toEqual(['R1'])
    await keeper.close()
  })

  test('each day has a part of the table, which is deleted as a whole when it is too old', async () => {
    const name = await newDatabase()
    const database = open(name)
    const days = [0, 1, 29, 45, 400].map((age) =>
      sampleRecord(0, { requestID: `D${age}`, time: new Date(SAMPLE_NOW - age * DAY).toISOString() }),
    )
    await database.append(days)
    // Its end waits for what it deletes.
    await database.close()
    const daily = async () => (await listPartitions(name)).filter((part) => /\d$/.test(part)).length
    expect(await daily()).toBe(3)
    const later = open(name, { limits: { days: 20 } })
    await later.append([sampleRecord(1)])
    await later.close()
    const again = open(name)
    expect((await findRequestIds(again)).sort()).toEqual(['D0', 'D1', 'R1'])
    expect(await daily()).toBe(2)
    await again.close()
  })

  test('above the limit of bytes the oldest are deleted, also if all are of one day', async () => {
    const name = await newDatabase()
    const limits = { maxBytes: 1 << 20 }
    const text = Array.from({ length: 200 }, () => Math.random().toString(36)).join('')
    const batch = (from: number) =>
      Array.from({ length: 100 }, (_, n) =>
        sampleRecord(from + n, { time: new Date().toISOString(), tags: { text: text + n } }),
      )
    let last: string[] = []
    for (let round = 0; round < 5; round++) {
      const database = open(name, { limits })
      await database.append(batch(round * 100))
      await database.close()
      const reader = open(name)
      last = await findRequestIds(reader, { limit: 10_000 })
      await reader.close()
    }
    expect(last).toContain('R499')
    expect(last).not.toContain('R0')
    expect(last.length).toBeLessThan(400)
  })

  test('page 500 reads as few rows as the first, and a filter that few match is searched to the end', async () => {
    const name = await newDatabase()
    const database = open(name)
    for (let from = 0; from < 5_000; from += 2_500)
      await database.append(
        Array.from({ length: 2_500 }, (_, n) =>
          sampleRecord(from + n, { api: { name: 'PutObject', bucket: `b${from + n}` } }),
        ),
      )
    const { at } = sampleRecord(3_000)
    expect(await findRequestIds(database, { after: { at, id: '' }, limit: 2 })).toEqual(['R2999', 'R2998'])
    expect(await findRequestIds(database, { filters: ['bucket:b17'] })).toEqual(['R17'])
    expect(await findRequestIds(database, { filters: ['bucket:none'] })).toEqual([])
    await database.close()
  })

  test('a filter that few records match finds them by an index, whatever their number and length', async () => {
    const name = await newDatabase()
    const database = open(name)
    const long = (letter: string) =>
      Array.from({ length: 4_000 }, () => Math.random().toString(36)[2]).join('') + letter
    const texts = {
      bucket: long('b'),
      api: long('a'),
      user: long('u'),
      key: long('k'),
      id: long('i'),
      status: long('s'),
    }
    const rare = sampleRecord(5_000, {
      api: { name: texts.api, bucket: texts.bucket, status: texts.status, statusCode: 503 },
      requestID: texts.id,
      accessKey: texts.key,
      parentUser: texts.user,
      requestHeader: { 'X-Request-Id': long('c') },
    })
    const common = { bucket: 'photos', name: 'PutObject', status: 'OK', statusCode: 200 }
    await database.append([
      ...Array.from({ length: 5_000 }, (_, n) => sampleRecord(n, { api: common, accessKey: 'AK', parentUser: 'ann' })),
      rare,
      sampleRecord(6_000, { api: { ...common, status: 'Forbidden', statusCode: 403 }, accessKey: 'ann' }),
    ])
    await queryRows(name, 'analyze stowage_audit')
    const found = async (...filters: string[]) => await findRequestIds(database, { filters, limit: 3 })
    for (const filter of [
      `bucket:${texts.bucket}`,
      `api_name:${texts.api}`,
      `user:${texts.user}`,
      `user:${texts.key}`,
      `request_id:${texts.id}`,
      `response_status:${texts.status}`,
      'response_status:503',
    ])
      expect(await found(filter), filter.slice(0, 20)).toEqual([texts.id])
    expect(await found('response_status:403')).toEqual(['R6000'])
    expect(await found('response_status:4*')).toEqual(['R6000'])
    expect(await found('response_status:Forbidden', 'response_status:503')).toEqual(['R6000', texts.id])
    expect(await found('response_status:OK')).toEqual(['R4999', 'R4998', 'R4997'])
    expect(await found('response_status:200', 'bucket:photos', 'object:')).toEqual(['R4999', 'R4998', 'R4997'])
    expect(await found('user:ann')).toEqual(['R6000', 'R4999', 'R4998'])
    expect(await found('user:AK')).toEqual(['R4999', 'R4998', 'R4997'])
    expect(await found('bucket:', 'user:ann')).toEqual([])
    expect(await found(`bucket:${texts.bucket.slice(0, 300)}`)).toEqual([])
    const used = await queryRows(
      name,
      `explain select * from stowage_audit where bucket <> '' and left(bucket, 256) = 'x' order by at desc, id desc limit 9`,
    )
    expect(JSON.stringify(used)).toContain('left_at_id')
    await database.close()
  })

  test('a search that takes too long says how far it got', async () => {
    const name = await newDatabase()
    const database = open(name)
    await database.append(Array.from({ length: 3_000 }, (_, n) => sampleRecord(n)))
    const all: string[] = []
    let searchedTo: AuditPosition | undefined
    for await (const batch of database.batches(sampleQuery(), 0)) {
      all.push(...batch.map(({ requestId }) => requestId))
      searchedTo = batch.searchedTo
    }
    expect(all).toHaveLength(1000)
    expect(searchedTo?.at).toBe(sampleRecord(2000).at)
    await database.close()
  })

  test('a database that goes down and comes back: records are refused until they are stored, searches say why', async () => {
    const name = await newDatabase()
    await using proxy = await startFaultProxy(`http://127.0.0.1:${broker.port}`)
    const database = open(name, { port: Number(new URL(proxy.url).port) })
    expect(await database.append([sampleRecord(1)])).toBe(1)

    await proxy.refuse()
    await expect(database.append([sampleRecord(2)])).rejects.toThrow()
    await expect(readAuditPage(database, sampleQuery())).rejects.toMatchObject({
      status: 503,
      reason: { id: 'audit-database-unreachable' },
    })
    expect(await database.hasRecords()).toBe(true)

    await proxy.accept()
    expect(await database.append([sampleRecord(2), sampleRecord(1)])).toBe(1)
    expect(await findRequestIds(database)).toEqual(['R2', 'R1'])
    await database.close()
  })

  test('a console starts and stops while the database cannot be reached', async () => {
    const down = open('none', { port: 9 })
    expect(await down.hasRecords()).toBe(true)
    await expect(down.append([sampleRecord(1)])).rejects.toThrow()
    await down.close()
    const wrong = open('no-such-database')
    await expect(readAuditPage(wrong, sampleQuery())).rejects.toMatchObject({ reason: { id: 'audit-database-failed' } })
    await wrong.close()
  })

  test('a statement that takes too long is reported', async () => {
    const name = await newDatabase()
    const database = open(name, { options: '-c lock_timeout=100' })
    await database.append([sampleRecord(1)])
    const holder = new Client({ connectionString: databaseUrl(name) })
    await holder.connect()
    await holder.query('begin; lock table stowage_audit in access exclusive mode')
    await expect(readAuditPage(database, sampleQuery())).rejects.toMatchObject({
      reason: { id: 'audit-database-slow' },
    })
    await expect(database.append([sampleRecord(2)])).rejects.toThrow()
    await holder.end()
    expect(await database.append([sampleRecord(2)])).toBe(1)
    await database.close()
  })

  test('a full disk of the database: records are refused, those before it are found, later ones are stored', async () => {
    const folder = `${broker.folder}/small`
    spawnSync('mkdir', ['-p', folder])
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1500k,mode=777', 'tmpfs', folder]).status !== 0)
      return console.warn('not run: mounting a tmpfs needs root')
    try {
      spawnSync('chown', ['postgres', folder])
      spawnSync('chmod', ['700', folder])
      await admin.query(`create tablespace small location '${folder}'`)
      const name = await newDatabase()
      const database = open(name, { options: '-c default_tablespace=small' })
      await database.append([sampleRecord(1)])
      const text = Array.from({ length: 200 }, () => Math.random().toString(36)).join('')
      const many = Array.from({ length: 1_200 }, (_, n) => sampleRecord(n + 10, { tags: { text: text + n } }))
      await expect(database.append(many)).rejects.toMatchObject({ code: '53100' })
      expect(await findRequestIds(database)).toEqual(['R1'])
      spawnSync('mount', ['-o', 'remount,size=64m', folder])
      expect(await database.append(many)).toBe(1_200)
      await database.close()
      await admin.query(`drop database ${name}`)
      await admin.query('drop tablespace small')
    } finally {
      spawnSync('umount', ['-l', folder])
    }
  })
})

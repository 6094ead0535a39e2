import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TOOL_AGENT } from '../records/audit-record.ts'
import type { AuditSelection } from '../search/audit-source.ts'
import { summarizeAudit } from '../search/audit-summary.ts'
import { sampleQuery, sampleRecord } from '../testing/sample-records.ts'
import { AuditStore } from './audit-store.ts'
import { encodeLine } from './record-lines.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-audit-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

const COUNT = 120
/** Records of 80 KB, so that a segment has about 50 of them. */
const tags = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`tag${n}`, '.'.repeat(4000)]))
const stored = (n: number) => {
  const [status, statusCode] = n % 5 === 0 ? ['Not Found', 404] : ['OK', 200]
  return sampleRecord(n * 53, {
    tags,
    api: { name: n % 2 ? 'PutObject' : 'GetObject', bucket: `b"\n${n % 3}`, status, statusCode },
    accessKey: `AK${n % 4}`,
    parentUser: n % 7 === 0 ? 'größe 湖' : 'ann',
    userAgent: n % 10 === 0 ? `${TOOL_AGENT} sampler` : 'mc',
  })
}

/** Fills a folder with segments, of which the last one is still being written. */
async function fill(): Promise<AuditStore> {
  const store = new AuditStore(folder)
  for (let n = 0; n < COUNT; n += 10) await store.append(Array.from({ length: 10 }, (_, i) => stored(n + i)))
  return store
}

/** The summary, and the summary of all records, read one by one. */
async function summaries(store: AuditStore, selection: Partial<AuditSelection> = {}) {
  const read = { batches: store.batches.bind(store) }
  return [await summarizeAudit(store, sampleQuery(selection)), await summarizeAudit(read, sampleQuery(selection))]
}

/** Calls of `JSON.parse` while something runs. */
async function countJsonParses(run: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse')
  await run()
  const { length } = parse.mock.calls
  parse.mockRestore()
  return length
}

test('a summary reads no record of a complete segment, also after a restart', async () => {
  const store = await fill()
  const check = async (store: AuditStore) => {
    expect(await countJsonParses(() => summarizeAudit(store, sampleQuery()))).toBeLessThan(10)
    for (const filters of [
      [],
      ['bucket:b"\n1', 'bucket:*2'],
      ['user:ann', 'user:AK3', 'api_name:Put*'],
      ['response_status:404'],
      ['source:test', 'response_status:Not*'],
    ])
      for (const tools of [true, false]) {
        expect(await countJsonParses(() => summarizeAudit(store, sampleQuery({ filters, tools })))).toBeLessThan(10)
        const [found, wanted] = await summaries(store, { filters, tools })
        expect(found).toEqual(wanted)
        expect(found?.total).toBeGreaterThan(0)
      }
  }
  await check(store)
  await store.close()
  const again = new AuditStore(folder)
  // The first call reads the segment that was not complete.
  await summarizeAudit(again, sampleQuery())
  await check(again)
  await again.close()
})

test('the intervals of few records are short, although the others are of a long time', async () => {
  const store = new AuditStore(folder)
  const few = [1, 2, 3].map((n) => sampleRecord(n, { api: { name: 'x', bucket: 'few' } }))
  await store.append([sampleRecord(-1_000_000), ...few, sampleRecord(1_000_000)])
  const summary = async (store: AuditStore) => await summarizeAudit(store, sampleQuery({ filters: ['bucket:few'] }))
  expect(await summary(store)).toMatchObject({ total: 3, step: 1 })
  await store.close()
  const again = new AuditStore(folder)
  expect(await summary(again)).toMatchObject({ total: 3, step: 60 })
  await again.close()
})

test('a summary of a part of the time, or of what sums do not have, reads the records', async () => {
  const store = await fill()
  for (const selection of [
    { from: stored(20).at, to: stored(110).at },
    { from: stored(60).at },
    { requests: new Set(['R53', 'R583']) },
    { filters: ['user_agent:mc'] },
    { filters: ['request_id:R5.', 'api_name:PutObject'] },
  ]) {
    const [found, wanted] = await summaries(store, selection)
    expect(found).toEqual(wanted)
    expect(found?.total).toBeGreaterThan(0)
  }
  await store.close()
})

const SUMS = '{"sums":'
test.each([
  ['of an earlier release', (lines: string[]) => lines.filter((line) => !line.includes(SUMS)).map(withoutPlace)],
  ['whose sums are damaged', (lines: string[]) => lines.map((line) => line.replace(SUMS, '{"sumx":'))],
  ['whose sums are missing', (lines: string[]) => lines.filter((line) => !line.includes(SUMS))],
])('the records of a segment %s are read', async (_, change) => {
  const store = await fill()
  const [, wanted] = await summaries(store)
  await store.close()
  const [first = ''] = (await readdir(folder)).sort()
  const lines = (await readFile(join(folder, first), 'utf8')).split('\n')
  expect(lines.filter((line) => line.includes(SUMS))).toHaveLength(1)
  await writeFile(join(folder, first), change(lines).join('\n'))
  const again = new AuditStore(folder)
  expect((await summaries(again))[0]).toEqual(wanted)
  expect(await countJsonParses(() => summarizeAudit(again, sampleQuery()))).toBeGreaterThan(40)
  await again.close()
})

test('a summary that stops early counts nothing older than where it stopped, not even by sums', async () => {
  const store = new AuditStore(folder)
  // The two segments are of the same time.
  for (const remainder of [0, 1]) await store.append(Array.from({ length: 60 }, (_, n) => stored(2 * n + remainder)))
  await store.close()
  const complete = new AuditStore(folder)
  await summarizeAudit(complete, sampleQuery())
  await complete.close()
  const [first = ''] = (await readdir(folder)).sort()
  const lines = (await readFile(join(folder, first), 'utf8')).split('\n')
  await writeFile(
    join(folder, first),
    lines
      .filter((line) => !line.includes(SUMS))
      .map(withoutPlace)
      .join('\n'),
  )
  const again = new AuditStore(folder)
  const stopping = { batches: again.batches.bind(again), counts: (all: AuditSelection) => again.counts(all, 0) }
  const { total, searchedTo = 0 } = await summarizeAudit(stopping, sampleQuery())
  const newer = Array.from({ length: COUNT }, (_, n) => stored(n).at).filter((at) => at > searchedTo)
  expect(newer.length).toBeGreaterThan(0)
  expect(newer.length).toBeLessThan(COUNT / 2)
  // An interval of sums is a minute.
  expect(Math.abs(total - newer.length)).toBeLessThanOrEqual(1)
  await again.close()
})

/** The index of a segment as earlier releases wrote it; other lines are returned as they are. */
function withoutPlace(line: string): string {
  if (!line.includes('{"blocks":')) return line
  const { blocks } = JSON.parse(line.slice(line.indexOf('{')))
  return encodeLine(JSON.stringify({ blocks })).trimEnd()
}

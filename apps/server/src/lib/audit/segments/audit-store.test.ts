import { spawnSync } from 'node:child_process'
import { appendFile, type FileHandle, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testAuditKeeper } from '../testing/keeper-tests.ts'
import { findRequestIds, sampleRecord } from '../testing/sample-records.ts'
import { AuditStore } from './audit-store.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-audit-'))
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

testAuditKeeper(async () => new AuditStore(folder))

test('a record that is posted again after a restart is stored once', async () => {
  const store = new AuditStore(folder)
  await store.append([sampleRecord(1)])
  await store.close()
  const again = new AuditStore(folder)
  expect(await again.append([sampleRecord(1), sampleRecord(2)])).toBe(1)
  expect(await findRequestIds(again)).toEqual(['R2', 'R1'])
  await again.close()
})

test('records that may be synced later are in the file at once, and are synced together', async () => {
  const handle = await open(folder)
  const datasync = vi.spyOn(Object.getPrototypeOf(handle), 'datasync')
  await handle.close()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const store = new AuditStore(folder)
  for (const n of [1, 2, 3]) await store.append([sampleRecord(n)], false)
  const [name = ''] = await readdir(folder)
  expect(await readFile(join(folder, name), 'utf8')).toContain('"R3"')
  expect(datasync).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(datasync).toHaveBeenCalledTimes(1)
  await store.append([sampleRecord(4)], false)
  await store.close()
  expect(datasync).toHaveBeenCalledTimes(2)
})

test('a sync that fails later is logged, once until one succeeds', async () => {
  const handle = await open(folder)
  const datasync = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'datasync')
  await handle.close()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const warn = vi.fn()
  const store = new AuditStore(folder, {}, { warn })
  const failure = new Error('EIO')
  const sync = async (n: number) => {
    const before = datasync.mock.settledResults.length
    await store.append([sampleRecord(n)], false)
    vi.runAllTimers()
    await vi.waitFor(() => expect(datasync.mock.settledResults[before]?.type).not.toBe('incomplete'))
  }
  datasync.mockRejectedValueOnce(failure).mockRejectedValueOnce(failure)
  await sync(1)
  await sync(2)
  expect(warn).toHaveBeenCalledExactlyOnceWith({ err: failure }, expect.stringContaining('could not be synced'))
  await sync(3)
  datasync.mockRejectedValueOnce(failure)
  await sync(4)
  expect(warn).toHaveBeenCalledTimes(2)
  await store.close()
})

test('a line that is damaged, or was cut off by a crash, is skipped; the others are read', async () => {
  const store = new AuditStore(folder)
  await store.append([sampleRecord(1), sampleRecord(2), sampleRecord(3)])
  await store.close()
  const [name = ''] = await readdir(folder)
  const file = join(folder, name)
  await writeFile(file, (await readFile(file, 'utf8')).replace('R2', 'RX'))
  await appendFile(file, '0badc0de {"id":"cut')
  const again = new AuditStore(folder)
  expect(await findRequestIds(again)).toEqual(['R3', 'R1'])
  await again.append([sampleRecord(4)])
  expect(await findRequestIds(again)).toEqual(['R4', 'R3', 'R1'])
  await again.close()
})

test('the oldest records are deleted if there are too many bytes, or if they are too old', async () => {
  const pad = '.'.repeat(4000)
  const tags = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`tag${n}`, pad]))
  const big = (from: number) => Array.from({ length: 60 }, (_, n) => sampleRecord(from + n, { tags }))
  const store = new AuditStore(folder, { maxBytes: 6 << 20 })
  for (const from of [0, 2_000, 4_000]) await store.append(big(from))
  await store.append([sampleRecord(9_000)])
  const found = await findRequestIds(store, { limit: 10_000 })
  expect(found[0]).toBe('R9000')
  expect(found).not.toContain('R0')
  await store.close()
  const old = new AuditStore(folder, { days: 0 })
  await old.append([sampleRecord(9_001)])
  expect(await findRequestIds(old)).toEqual(['R9001'])
  await old.close()
})

/** Records of 8 KB, so that a block has eight of them. */
const large = (n: number) => sampleRecord(n, { tags: { a: '.'.repeat(4000), b: '.'.repeat(4000) } })

test('a page reads a few blocks, whatever the order in which the records came, also after a restart', async () => {
  const store = new AuditStore(folder)
  const numbers = Array.from({ length: 600 }, (_, n) => (n < 400 ? n : 10_000 - n))
  for (let from = 0; from < numbers.length; from += 60) await store.append(numbers.slice(from, from + 60).map(large))
  const sorted = numbers.toSorted((a, b) => a - b).map((n) => `R${n}`)
  const check = async (store: AuditStore) => {
    const parse = vi.spyOn(JSON, 'parse')
    expect(await findRequestIds(store, { limit: 3 })).toEqual(sorted.slice(-3).reverse())
    expect(await findRequestIds(store, { limit: 3, newestFirst: false })).toEqual(sorted.slice(0, 3))
    expect(await findRequestIds(store, { limit: 3, to: sampleRecord(500).at })).toEqual(['R399', 'R398', 'R397'])
    expect(await findRequestIds(store, { limit: 3, after: { at: sampleRecord(300).at, id: '' } })).toEqual([
      'R299',
      'R298',
      'R297',
    ])
    expect(parse.mock.calls.length).toBeLessThan(200)
    parse.mockRestore()
    expect(await findRequestIds(store, { limit: 1000 })).toEqual(sorted.toReversed())
    expect(await findRequestIds(store, { limit: 1000, newestFirst: false })).toEqual(sorted)
  }
  await check(store)
  await store.close()
  const again = new AuditStore(folder)
  await findRequestIds(again, { limit: 1 })
  await check(again)
  await again.close()
})

test.each([
  ['without an index, as the first release wrote it', (lines: string[]) => lines.slice(0, -2).concat('')],
  ['whose index is damaged', (lines: string[]) => lines.with(-2, lines.at(-2)?.replace('0', '1') ?? '')],
  ['whose index was written twice', (lines: string[]) => lines.toSpliced(-1, 0, lines.at(-2) ?? '')],
])('the records of a file %s are found', async (_, change) => {
  const store = new AuditStore(folder)
  const numbers = Array.from({ length: 30 }, (_, n) => n)
  await store.append(numbers.map(large))
  await store.close()
  const complete = new AuditStore(folder)
  expect(await findRequestIds(complete)).toHaveLength(30)
  await complete.close()
  const [name = ''] = await readdir(folder)
  const file = join(folder, name)
  const lines = (await readFile(file, 'utf8')).split('\n')
  expect(lines.at(-2)).toContain('{"blocks":')
  await writeFile(file, change(lines).join('\n'))
  const again = new AuditStore(folder)
  expect(await findRequestIds(again, { limit: 2 })).toEqual(['R29', 'R28'])
  expect(await findRequestIds(again)).toEqual(numbers.map((n) => `R${n}`).reverse())
  await again.close()
})

test('other users may not read the files', async () => {
  const store = new AuditStore(join(folder, 'new'))
  await store.append([sampleRecord(1)])
  await store.close()
  expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o700)
  const [name = ''] = await readdir(join(folder, 'new'))
  expect((await stat(join(folder, 'new', name))).mode & 0o777).toBe(0o600)
})

test('a search finds all stored records, also of a segment that is being renamed', async () => {
  const tags = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`tag${n}`, '.'.repeat(4000)]))
  const store = new AuditStore(folder)
  const missing: number[] = []
  let stored = await store.append([sampleRecord(0)])
  let isWriting = true
  const write = async () => {
    for (let round = 1; round < 8; round++)
      stored += await store.append(Array.from({ length: 60 }, (_, n) => sampleRecord(round * 60 + n, { tags })))
  }
  const search = async () => {
    while (isWriting) {
      const before = stored
      const found = (await findRequestIds(store, { limit: 10_000 })).length
      if (found < before) missing.push(before - found)
    }
  }
  await Promise.all([write().finally(() => (isWriting = false)), search(), search()])
  expect(missing).toEqual([])
  await store.close()
})

test.each(['lake', '"quoted"', 'line\nend', 'größe 湖'])(
  'lines with %j are found without reading the others',
  async (text) => {
    const store = new AuditStore(folder)
    const named = (n: number, object: string) => sampleRecord(n, { api: { name: 'PutObject', object } })
    await store.append([named(1, text), named(2, 'other'), named(3, `a${text}b`), named(4, 'other'), named(5, text)])
    const parse = vi.spyOn(JSON, 'parse')
    expect(await findRequestIds(store, { filters: [`object:*${text}*`] })).toEqual(['R5', 'R3', 'R1'])
    expect(parse.mock.calls.filter(([line]) => /"R[24]"/.test(line))).toEqual([])
    parse.mockRestore()
    await store.close()
  },
)

test('on a full disk records are refused, and those that are stored afterwards are found', async () => {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder])
  if (mounted.status !== 0) return console.warn('not run: mounting a tmpfs needs root')
  try {
    const store = new AuditStore(folder)
    await store.append([sampleRecord(1)])
    const rest = join(folder, 'rest')
    await writeFile(rest, Buffer.alloc(200 << 10))
    const large = { tags: { text: 'x'.repeat(4000) } }
    const many = Array.from({ length: 30 }, (_, n) => sampleRecord(n + 10, large))
    await expect(store.append(many)).rejects.toMatchObject({ code: 'ENOSPC' })
    await rm(rest)
    expect(await store.append([sampleRecord(2)])).toBe(1)
    expect(await findRequestIds(store)).toEqual(['R2', 'R1'])
    await store.close()
  } finally {
    spawnSync('umount', ['-l', folder])
  }
})

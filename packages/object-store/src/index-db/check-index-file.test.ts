import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { checkIndexFile } from './check-index-file.ts'
import { appendChecksum, entryChecksum, storedChecksum } from './entry-checksum.ts'
import { LmdbIndex } from './lmdb-index.ts'
import { DamagedIndexFile } from './lmdb-page.ts'
import { addToSum, type IndexEntry, type IndexOp, type IndexPosition, START_POSITION } from './ordered-index.ts'

const root = mkdtempSync(join(tmpdir(), 'stowage-check-'))
afterAll(() => rmSync(root, { recursive: true }))

const ROUNDS = 15

/** An index that has seen growth, replacement and removal, with small and large values. */
async function build(folder: string): Promise<Map<string, Buffer>> {
  const index = LmdbIndex.open(folder)
  const entries = new Map<string, Buffer>()
  let position: IndexPosition = START_POSITION
  for (let round = 0; round < ROUNDS; round++) {
    const ops = new Map<string, IndexOp>()
    for (let i = 0; i < 200; i++) {
      const name = `key ${(i * 7919 + round * 131) % 1000}`
      const key = Buffer.from(name)
      const value = Buffer.alloc(i % 50 === 0 ? 9000 : 20 + (i % 100), `${round}.${i}`)
      ops.set(name, { key, value: i % 5 === 4 ? undefined : appendChecksum(key, value) })
    }
    let { count, sum } = position
    for (const [name, { key, value }] of ops) {
      const old = entries.get(name)
      if (old) sum = addToSum(sum, entryChecksum(key, old), -1)
      if (value) sum = addToSum(sum, storedChecksum(value), 1)
      count += (value ? 1 : 0) - (old ? 1 : 0)
      if (value) entries.set(name, value.subarray(0, -4))
      else entries.delete(name)
    }
    position = { ...position, frame: position.frame + 1, count, sum }
    await index.apply({ ops: ops.values(), position })
  }
  await index.close()
  return entries
}

const whole = join(root, 'whole')
const entries = await build(whole)
const expected = fingerprint(
  [...entries].map(([key, value]) => ({ key: Buffer.from(key), value })).sort((a, b) => Buffer.compare(a.key, b.key)),
)
const original = readFileSync(join(whole, 'data.mdb'))

test('a whole file passes and gives its position', () => {
  expect(checkIndexFile(whole)).toMatchObject({ frame: ROUNDS, count: entries.size })
})

test('a missing, an empty and a cut file are refused', () => {
  const folder = join(root, 'cut')
  expect(() => checkIndexFile(folder)).toThrow(DamagedIndexFile)
  cpSync(whole, folder, { recursive: true })
  for (const length of [0, 100, 5000, original.length / 2]) {
    writeFileSync(join(folder, 'data.mdb'), original.subarray(0, length))
    expect(() => checkIndexFile(folder)).toThrow()
  }
})

/** Anywhere, and more often where the structure is: in the first two pages, and where pages begin. */
const place = fc.oneof(
  fc.nat(original.length - 1),
  fc.tuple(fc.nat(1), fc.nat(170)).map(([page, at]) => page * 4096 + at),
  fc.tuple(fc.nat(original.length / 4096 - 1), fc.nat(60)).map(([page, at]) => page * 4096 + at),
)

test('after a start of the machine the state that was synced is checked, as LMDB takes it', async () => {
  const folder = join(root, 'boot')
  cpSync(whole, folder, { recursive: true })
  const bytes = Buffer.from(original)
  // Same state as after a power failure: the newer of the two pages is from another boot, and was not synced.
  for (const page of [0, 1]) bytes.writeUInt32LE(12345, page * 4096 + 24 + 136)
  writeFileSync(join(folder, 'data.mdb'), bytes)
  const { frame } = checkIndexFile(folder)
  const index = LmdbIndex.open(folder)
  expect(index.position().frame).toBe(frame)
  await index.close()
})

// LMDB itself dies by a signal or loses keys on many of these flips; whatever passes the check must open and answer right.
test('a flipped bit anywhere is found, or harms nothing', async () => {
  const folder = join(root, 'flipped')
  cpSync(whole, folder, { recursive: true })
  const file = openSync(join(folder, 'data.mdb'), 'r+')
  let found = 0
  await fc.assert(
    fc.asyncProperty(place, fc.nat(7), async (at, bit) => {
      writeSync(file, Buffer.from([(original[at] ?? 0) ^ (1 << bit)]), 0, 1, at)
      // An older state, whole in itself (the other first page was taken for the newer), is found by the journal.
      if (checkedFrame(folder) !== ROUNDS) found++
      else await expectWholeCopy(folder)
      writeSync(file, original, at, 1, at)
    }),
    { numRuns: 200 },
  )
  closeSync(file)
  expect(found).toBeGreaterThan(40)
}, 60_000)

test('a page overwritten by another one of the same file is found', () => {
  const folder = join(root, 'swapped')
  cpSync(whole, folder, { recursive: true })
  const pages = original.length / 4096
  let found = 0
  for (let page = 2; page < pages; page += 3) {
    const bytes = Buffer.from(original)
    original.copy(bytes, page * 4096, ((page + 5) % pages) * 4096, ((page + 5) % pages) * 4096 + 4096)
    writeFileSync(join(folder, 'data.mdb'), bytes)
    if (!passes(folder)) found++
  }
  copyFileSync(join(whole, 'data.mdb'), join(folder, 'data.mdb'))
  expect(passes(folder)).toBe(true)
  expect(found).toBeGreaterThan(pages / 3 / 4)
})

function passes(folder: string): boolean {
  return checkedFrame(folder) !== undefined
}

function checkedFrame(folder: string): number | undefined {
  try {
    return checkIndexFile(folder).frame
  } catch {
    return undefined
  }
}

/** Reads every entry, writes, and reads again: a hidden fault in the lists of free pages would show by then. */
async function expectWholeCopy(of: string): Promise<void> {
  const folder = join(root, 'opened')
  cpSync(of, folder, { recursive: true })
  const index = LmdbIndex.open(folder)
  expect(fingerprint(readAll(index))).toBe(expected)
  const key = Buffer.from('one more')
  for (let round = 0; round < 3; round++) {
    const value = appendChecksum(key, Buffer.alloc(20_000, round))
    await index.apply({ ops: [{ key, value }], position: index.position() })
  }
  expect(fingerprint(readAll(index).filter((entry) => !entry.key.equals(key)))).toBe(expected)
  await index.close()
  rmSync(folder, { recursive: true })
}

function readAll(index: LmdbIndex): IndexEntry[] {
  return [...index.range(Buffer.from('a'), Buffer.from('z'))]
}

function fingerprint(all: IndexEntry[]): string {
  const hash = createHash('sha1')
  for (const { key, value } of all) hash.update(key).update(':').update(value)
  return `${all.length} ${hash.digest('hex')}`
}

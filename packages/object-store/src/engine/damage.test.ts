import { appendFile, cp, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blobFileBytes } from '../blobs/blob-format.ts'
import { bodyStream, readBytes, TestEngine, testBytes, waitUntil } from './testing/test-engine.ts'

async function flip(path: string, at: number, bit = 0): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const byte = Buffer.alloc(1)
    await file.read(byte, 0, 1, at)
    byte[0] = (byte[0] ?? 0) ^ (1 << bit)
    await file.write(byte, 0, 1, at)
  } finally {
    await file.close()
  }
}

async function files(folder: string, name: RegExp): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names.filter((path) => name.test(path.split('/').at(-1) ?? '')).map((path) => join(folder, path))
}

async function sized(path: string): Promise<{ path: string; size: number }> {
  return { path, size: (await stat(path)).size }
}

const BLOB = /^[0-9a-f]{32}$/

/** Waits for `count` blob files, which are moved to their final names after a put, and returns them. */
async function copies(store: TestEngine, count: number): Promise<string[]> {
  let paths: string[] = []
  await waitUntil(async () => {
    paths = (await Promise.all(store.options.drives.map((drive) => files(drive, BLOB)))).flat()
    return paths.length === count && paths.every((path) => path.includes('/blobs/'))
  })
  return paths
}

/** Makes successive reads alternate between the copies. */
function alternating(): { now: () => number } {
  let turns = 0
  return { now: () => turns++ * 600_000 }
}

test('a flipped bit anywhere in a blob is found when it is read, and healed', async () => {
  await using store = await TestEngine.start(2, alternating())
  await store.engine.createBucket('b')
  const size = 150_000
  const content = testBytes(size)
  await store.put('b', 'k', content)
  const paths = await copies(store, 2)
  const handle = store.engine.getObject('b', 'k')
  await fc.assert(
    fc.asyncProperty(fc.nat(blobFileBytes(size) - 1), fc.nat(7), fc.nat(1), async (at, bit, copy) => {
      const path = paths[copy] ?? ''
      const before = await readContent(path)
      await flip(path, at, bit)
      // Reads alternate between the copies. Each must be correct, and every second one finds the damage.
      await waitUntil(async () => {
        expect((await readBytes(handle)).equals(content)).toBe(true)
        return (await readContent(path)).equals(before)
      })
    }),
    { numRuns: 25 },
  )
})

async function readContent(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

test.each(['cut', 'removed'])('a blob’s file that was %s is read from the other drive and healed', async (how) => {
  await using store = await TestEngine.start(2, alternating())
  await store.engine.createBucket('b')
  const content = testBytes(3_000_000)
  await store.put('b', 'k', content)
  const [path = ''] = await copies(store, 2)
  await (how === 'cut' ? truncate(path, 1_000_000) : rm(path))
  await waitUntil(async () => {
    expect((await readBytes(store.engine.getObject('b', 'k'))).equals(content)).toBe(true)
    const file = await stat(path).catch(() => undefined)
    return file?.size === blobFileBytes(content.length)
  })
})

test('one read that meets damage has all copies of the object healed, also those damaged in different places', async () => {
  await using store = await TestEngine.start(2, alternating())
  await store.engine.createBucket('b')
  const [large, small] = [testBytes(5 * 2 ** 20), testBytes(300_000, 7)]
  const upload = await store.engine.createUpload('b', 'k', {})
  for (const [i, bytes] of [large, small].entries()) {
    await store.engine.putPart(upload, i + 1, bodyStream(bytes), {})
  }
  const parts = store.engine.listParts(upload, { after: 0, limit: 10 }).parts.map(({ part, etag }) => ({ part, etag }))
  await store.engine.completeUpload(upload, parts, {})
  const sizes = await Promise.all((await copies(store, 4)).map(sized))
  const before = new Map(await Promise.all(sizes.map(async ({ path }) => [path, await readContent(path)] as const)))
  const of = (size: number) => sizes.filter((file) => file.size === blobFileBytes(size)).map(({ path }) => path)
  // Damages a different block of each copy of the first part, twice in the same MiB; and one copy of the second part.
  const [one = '', other = ''] = of(large.length)
  for (const at of [10, 200_000, 3_000_000]) await flip(one, at)
  for (const at of [100_000, 4_000_000]) await flip(other, at)
  await flip(of(small.length)[0] ?? '', 250_000)
  // Reads both copies once, but never the second part.
  const handle = store.engine.getObject('b', 'k')
  for (let i = 0; i < 2; i++)
    expect((await readBytes(handle, { start: 0, end: 20 })).equals(large.subarray(0, 21))).toBe(true)
  for (const [path, content] of before)
    await waitUntil(async () => (await readContent(path).catch(() => content.subarray(1))).equals(content))
  expect(await store.engine.check()).toMatchObject({ damagedCopies: 0 })
})

test.each([1, 2])('with %i of 2 copies damaged, an object is copied only if the other is intact', async (damaged) => {
  await using store = await TestEngine.start(2, alternating())
  await store.engine.createBucket('b')
  await store.put('b', 'k', testBytes(3_000_000))
  for (const path of (await copies(store, 2)).slice(0, damaged)) await flip(path, 1_500_000)
  const copy = () => store.engine.copyObject(store.engine.getObject('b', 'k'), 'b', 'k2', {})
  if (damaged === 1) await copy()
  else
    await expect(copy()).rejects.toMatchObject({
      code: 'InternalError',
      message: expect.stringContaining('b/k is damaged'),
    })
  expect(store.list('b')).toEqual(damaged === 1 ? ['k', 'k2'] : ['k'])
})

test('a client that disconnects during a read does not count as damage', async () => {
  const told: string[] = []
  const log = { info: () => undefined, warn: (_: object, text: string) => told.push(text), error: () => undefined }
  await using store = await TestEngine.start(2, { log })
  await store.engine.createBucket('b')
  await store.put('b', 'k', testBytes(3_000_000))
  const reading = store.engine.getObject('b', 'k').read()
  await reading.next()
  await expect(reading.throw(new Error('the client left'))).rejects.toThrow('the client left')
  expect(told).toEqual([])
})

test('a range is served although another part of the copy is damaged', async () => {
  await using store = await TestEngine.start(1)
  await store.engine.createBucket('b')
  const content = testBytes(3_000_000)
  await store.put('b', 'k', content)
  const [path = ''] = await copies(store, 1)
  await flip(path, 2_500_000)
  const handle = store.engine.getObject('b', 'k')
  const range = { start: 100_000, end: 200_000 }
  expect((await readBytes(handle, range)).equals(content.subarray(100_000, 200_001))).toBe(true)
  await expect(readBytes(handle)).rejects.toThrow('checksum')
})

async function expectObjects(store: TestEngine, count: number): Promise<void> {
  expect(store.list('b')).toHaveLength(count)
  for (let i = 0; i < count; i++) expect(await store.text('b', `key ${String(i).padStart(3, '0')}`)).toBe(`value ${i}`)
  expect(store.engine.bucketUsage('b').objects).toBe(count)
}

async function putObjects(store: TestEngine, from: number, to: number): Promise<void> {
  for (let i = from; i < to; i++) await store.put('b', `key ${String(i).padStart(3, '0')}`, `value ${i}`)
}

test('flipped bits in one copy of the index are found at the next start, and the copy is made anew', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await putObjects(store, 0, 40)
  await store.close()
  const indexes = store.options.drives.map((drive) => join(drive, 'index/data.mdb'))
  const { size } = await stat(indexes[0] ?? '')
  await fc.assert(
    fc.asyncProperty(fc.nat(size - 1), fc.nat(7), fc.nat(1), async (at, bit, copy) => {
      await flip(indexes[copy] ?? '', at, bit)
      await store.open()
      await expectObjects(store, 40)
      await waitUntil(() => store.engine.drives().every((drive) => drive.keepsIndex))
      await store.close()
    }),
    { numRuns: 25 },
  )
})

test('damage to the index of a running store is met by the read, which takes the other copy', async () => {
  await using store = await TestEngine.start(3)
  await store.engine.createBucket('b')
  await putObjects(store, 0, 40)
  const [first = ''] = store.options.drives
  const path = join(first, 'index/data.mdb')
  const bytes = await readContent(path)
  for (let at = bytes.indexOf('value 17'); at >= 0; at = bytes.indexOf('value 17', at + 1)) await flip(path, at + 3)
  await expectObjects(store, 40)
  await waitUntil(async () => (await readdir(first)).some((name) => name.startsWith('index.damaged-')))
  await waitUntil(() => store.engine.drives().filter((drive) => drive.keepsIndex).length === 2)
  await store.reopen()
  await expectObjects(store, 40)
})

test('an index that is damaged again and again is copied twice at once, then with waits', async () => {
  const told: string[] = []
  const note = (_: object, text: string) => void told.push(text)
  await using store = await TestEngine.start(2, { log: { info: note, warn: note, error: note } })
  await store.engine.createBucket('b')
  await putObjects(store, 0, 40)
  const count = (text: string) => told.filter((line) => line === text).length
  // New copies are read last, so each time reads use the copy on the other drive.
  for (const [times, drive] of [0, 1, 0].entries()) {
    await waitUntil(() => count('the copy of journal and index is complete') === times)
    const path = join(store.options.drives[drive] ?? '', 'index/data.mdb')
    const bytes = await readContent(path)
    for (let at = bytes.indexOf('value 17'); at >= 0; at = bytes.indexOf('value 17', at + 1)) await flip(path, at + 3)
    await expectObjects(store, 40)
  }
  await waitUntil(() => count('the index was damaged repeatedly; the next rebuild waits') === 1)
  expect(count('the copy of journal and index is complete')).toBe(2)
  await expectObjects(store, 40)
  await store.reopen()
  await waitUntil(() => store.engine.drives().every(({ keepsIndex }) => keepsIndex))
})

test('the check finds damage in index and blobs before a read does, and heals it', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await putObjects(store, 0, 40)
  await store.put('b', 'large', testBytes(200_000))
  const paths = await copies(store, 2)
  expect(await store.engine.check()).toEqual({ blobs: 1, damagedCopies: 0 })
  const before = await readContent(paths[0] ?? '')
  for (const path of paths.slice(1)) await flip(path, 100_000)
  // The second copy of the index is not read while the first one is intact.
  const index = join(store.options.drives[1] ?? '', 'index/data.mdb')
  const bytes = await readContent(index)
  for (let at = bytes.indexOf('value 17'); at >= 0; at = bytes.indexOf('value 17', at + 1)) await flip(index, at + 3)
  expect(await store.engine.check()).toEqual({ blobs: 1, damagedCopies: 2 })
  await waitUntil(async () => (await readContent(paths[1] ?? '')).equals(before))
  await waitUntil(() => store.engine.drives().every((drive) => drive.keepsIndex))
  expect(await store.engine.check()).toEqual({ blobs: 1, damagedCopies: 0 })
})

test('flipped bits in one copy of the journal cost nothing', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await store.close()
  const indexes = store.options.drives.map((drive) => join(drive, 'index'))
  for (const index of indexes) await cp(index, `${index}.old`, { recursive: true })
  await store.open()
  await putObjects(store, 0, 40)
  await store.close()
  const journals = await Promise.all(store.options.drives.map((drive) => files(join(drive, 'journal'), /\.log$/)))
  const largest = async (paths: string[]) => {
    const sizes = await Promise.all(paths.map(sized))
    return sizes.reduce((best, next) => (next.size > best.size ? next : best))
  }
  const segments = await Promise.all(journals.map(largest))
  const flips = fc.array(fc.tuple(fc.nat((segments[0]?.size ?? 1) - 1), fc.nat(7)), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(flips, fc.nat(1), async (places, copy) => {
      const path = segments[copy]?.path ?? ''
      for (const [at, bit] of places) await flip(path, at, bit)
      // Restores both old indexes: all changes must be recovered from the journal.
      for (const index of indexes) {
        await rm(index, { recursive: true })
        await cp(`${index}.old`, index, { recursive: true })
      }
      await store.open()
      await expectObjects(store, 40)
      await store.close()
      for (const [at, bit] of places) await flip(path, at, bit)
    }),
    { numRuns: 15 },
  )
})

test('an old copy of the index that the journal cannot mend is made anew from the other', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await store.close()
  const [first = '', second = ''] = store.options.drives
  await cp(join(second, 'index'), join(second, 'index.old'), { recursive: true })
  await store.open()
  await putObjects(store, 0, 20)
  await store.close()
  for (const drive of [first, second]) {
    const sizes = await Promise.all((await files(join(drive, 'journal'), /\.log$/)).map(sized))
    const largest = sizes.reduce((best, next) => (next.size > best.size ? next : best))
    await flip(largest.path, Math.floor(largest.size / 2))
  }
  await rm(join(second, 'index'), { recursive: true })
  await cp(join(second, 'index.old'), join(second, 'index'), { recursive: true })
  await store.open()
  await expectObjects(store, 20)
  await waitUntil(() => store.engine.drives().every((drive) => drive.keepsIndex))
  await store.close()
  await rm(first, { recursive: true })
  await store.open()
  await expectObjects(store, 20)
})

test('the tail that a crash tore off is not believed', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await putObjects(store, 0, 5)
  await store.close()
  for (const drive of store.options.drives) {
    const [path = ''] = (await files(join(drive, 'journal'), /\.log$/)).sort().reverse()
    await appendFile(path, (await readContent(path)).subarray(0, 150))
  }
  await store.open()
  await expectObjects(store, 5)
  await putObjects(store, 5, 10)
  await store.reopen()
  await expectObjects(store, 10)
})

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { StoreDrive } from '../drives/drive.ts'
import { readBytes, TestEngine, testBytes, waitUntil } from './testing/test-engine.ts'

const MiB = 2 ** 20

test('with less free space than wanted writes are refused, reads and deletes go on', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await store.put('b', 'small')
  await store.put('b', 'large', testBytes(100_000))
  await store.close()
  store.options.minFree = 2 ** 60
  await store.open()
  for (const size of [1, 100_000]) {
    await expect(store.put('b', 'new', testBytes(size))).rejects.toMatchObject({ code: 'XMinioStorageFull' })
  }
  await expect(store.engine.createBucket('c')).rejects.toMatchObject({ code: 'XMinioStorageFull' })
  expect(await store.text('b', 'small')).toBe('small')
  expect((await readBytes(store.engine.getObject('b', 'large'))).equals(testBytes(100_000))).toBe(true)
  await store.engine.deleteObject('b', 'large')
  expect(store.list('b')).toEqual(['small'])
})

test('missing copies that are written at the same time stay within the free space together', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  const second = store.options.drives[1] ?? ''
  await rm(second, { recursive: true, force: true, maxRetries: 20 })
  await waitUntil(() => store.engine.drives()[1]?.state === 'offline')
  for (let i = 0; i < 8; i++) await store.put('b', `${i}`, testBytes(MiB, i))
  await store.close()
  using _ = vi.spyOn(StoreDrive.prototype, 'measure').mockImplementation(async function (this: StoreDrive) {
    this.free ||= 3.5 * MiB
  })
  await store.open()
  const copies = async () =>
    (await readdir(second, { recursive: true })).filter((name) => /blobs.*[0-9a-f]{32}$/.test(name)).length
  await waitUntil(async () => (await copies()) > 0)
  // Those that were begun are finished.
  await store.close()
  expect(await copies()).toBe(3)
})

/** Fills a file system until only `left` bytes are free, in whole pages. */
async function fillDisk(path: string, file: string, left: number): Promise<void> {
  const { bsize, bavail } = await statfs(path)
  await writeFile(file, Buffer.alloc(Math.max(0, bsize * bavail - left)))
}

/** Creates a small separate file system; undefined if this process may not mount one. */
function smallDisk(bytes: number): { path: string; [Symbol.dispose](): void } | undefined {
  const path = mkdtempSync(join(tmpdir(), 'stowage-small-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path])
  if (mounted.status !== 0) {
    rmdirSync(path)
    return undefined
  }
  return {
    path,
    [Symbol.dispose]() {
      spawnSync('umount', [path])
      rmdirSync(path)
    },
  }
}

test('a disk filled to its last byte by others, with nothing kept free: the store writes again when there is room', async () => {
  using disk = smallDisk(24 * MiB)
  if (!disk) return console.warn('not run: mounting a tmpfs needs root')
  await using store = await TestEngine.start(2, {
    data: join(disk.path, 'data'),
    drives: [join(disk.path, 'drive1'), join(disk.path, 'drive2')],
    minFree: 0,
  })
  await store.engine.createBucket('b')
  const seen: string[] = []
  store.engine.subscribe((change) => void ('key' in change && seen.push(change.key)))
  const ballast = join(disk.path, 'ballast')
  const stored: string[] = []
  let refused = 0
  let n = 0
  const put = async (size: number) => {
    const key = `key ${n++} ${size}`
    try {
      await store.put('b', key, testBytes(size, n))
      stored.push(key)
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'XMinioStorageFull' })
      refused++
      return false
    }
  }
  // The free space differs in each round, so that the disk becomes full at different steps.
  for (let round = 0; round < 6; round++) {
    await fillDisk(disk.path, ballast, round * 28 * 1024)
    while (await Promise.all([put(3000), put(16_000), put(20_000)]).then((done) => done.some(Boolean)));
    for (const key of stored.slice(-3))
      expect((await readBytes(store.engine.getObject('b', key))).length).toBeGreaterThan(0)
    await rm(ballast)
    await waitUntil(() => put(100))
  }
  expect(refused).toBeGreaterThanOrEqual(6 * 3)
  const expectStored = async () => {
    for (const key of stored) {
      const [, i = '', size = ''] = key.split(' ')
      const found = await readBytes(store.engine.getObject('b', key))
      expect([key, found.equals(testBytes(Number(size), Number(i) + 1))]).toEqual([key, true])
    }
    expect(store.engine.bucketUsage('b').objects).toBe(store.list('b').length)
  }
  await expectStored()
  // A refused write may still take effect, but each change is reported once, and no acknowledged one is missing.
  expect(new Set(seen).size).toBe(seen.length)
  expect(stored.filter((key) => !seen.includes(key))).toEqual([])
  expect(store.engine.drives().map(({ state, keepsIndex }) => [state, keepsIndex])).toEqual([
    ['ok', true],
    ['ok', true],
  ])
  await store.reopen()
  await expectStored()
  expect(await store.engine.check()).toMatchObject({ damagedCopies: 0 })
}, 60_000)

test.each([8 * MiB, 0])('a disk that fills up, with %d bytes kept free', async (minFree) => {
  using disk = smallDisk(48 * MiB)
  if (!disk) return console.warn('not run: mounting a tmpfs needs root')
  await using store = await TestEngine.start(2, {
    data: join(disk.path, 'data'),
    drives: [join(disk.path, 'drive1'), join(disk.path, 'drive2')],
    minFree,
  })
  await store.engine.createBucket('b')
  const stored: string[] = []
  const refused: unknown[] = []
  for (let i = 0; i < 200 && refused.length < 5; i++) {
    const key = `key ${i}`
    const size = [800_000, 16_000, 30_000][i % 3] ?? 0
    await store.put('b', key, testBytes(size, i + 1)).then(
      () => stored.push(key),
      (error) => refused.push(error),
    )
  }
  expect(refused.length).toBe(5)
  for (const error of refused) expect(error).toMatchObject({ code: 'XMinioStorageFull' })
  const expectStored = async () => {
    for (const key of stored) {
      const i = Number(key.split(' ')[1])
      const found = await readBytes(store.engine.getObject('b', key))
      expect(found.equals(testBytes([800_000, 16_000, 30_000][i % 3] ?? 0, i + 1))).toBe(true)
    }
  }
  await expectStored()
  expect(store.list('b')).toHaveLength(stored.length)
  if (minFree > 0) {
    const gone = stored.splice(0, 12)
    await store.engine.deleteObjects(
      'b',
      gone.map((key) => ({ key })),
    )
    await waitUntil(async () => {
      return store.put('b', 'key 1000', testBytes(30_000, 1001)).then(
        () => true,
        () => false,
      )
    })
    await store.reopen()
    await expectStored()
    expect(store.list('b')).toHaveLength(stored.length + 1)
  }
})

import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readBytes, TestEngine, testBytes, waitUntil } from './testing/test-engine.ts'

// Healing often waits for the disk, which it shares with all other work on the machine.
vi.setConfig({ testTimeout: 150_000 })

const SIZES = [10, 20_000, 300_000]

async function fill(store: TestEngine, round: string): Promise<void> {
  await Promise.all(
    Array.from({ length: 12 }, (_, i) => store.put('b', `${round}/${i}`, testBytes(SIZES[i % 3] ?? 0, i + 1))),
  )
}

async function expectAll(store: TestEngine, ...rounds: string[]): Promise<void> {
  expect(store.list('b')).toHaveLength(rounds.length * 12)
  for (const round of rounds) {
    for (let i = 0; i < 12; i++) {
      const found = await readBytes(store.engine.getObject('b', `${round}/${i}`))
      expect([round, i, found.equals(testBytes(SIZES[i % 3] ?? 0, i + 1))]).toEqual([round, i, true])
    }
  }
}

/** Waits until every drive is online and complete; two drives have the index, and every blob is on two drives. */
async function whole(store: TestEngine): Promise<void> {
  await waitUntil(() =>
    store.engine.drives().every(({ path, keepsIndex }) => {
      const names = ['drive.json', 'blobs', 'tmp', ...(keepsIndex ? ['journal', join('index', 'data.mdb')] : [])]
      return names.every((name) => existsSync(join(path, name)))
    }),
  )
  await waitUntil(() => store.engine.drives().every((drive) => drive.state === 'ok'))
  await waitUntil(() => store.engine.drives().filter((drive) => drive.keepsIndex).length === 2)
  await waitUntil(async () => {
    const names = await Promise.all(store.options.drives.map(blobsOn))
    const counts = new Map<string, number>()
    for (const name of names.flat()) counts.set(name, (counts.get(name) ?? 0) + 1)
    return counts.size > 0 && [...counts.values()].every((count) => count === 2)
  })
}

async function blobsOn(drive: string): Promise<string[]> {
  const names = await readdir(drive, { recursive: true }).catch(() => [])
  return names.map((name) => name.split('/').at(-1) ?? '').filter((name) => /^[0-9a-f]{32}$/.test(name))
}

/** Removes a folder while the store may be writing into it. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 1 })
}

const DRIVES = [0, 1, 2, 3]

test.each(DRIVES)('drive %d wiped while the store is stopped', async (at) => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  await fill(store, 'before')
  await store.close()
  await rm(store.options.drives[at] ?? '', { recursive: true })
  await store.open()
  await expectAll(store, 'before')
  await fill(store, 'after')
  await whole(store)
  await store.reopen()
  await expectAll(store, 'before', 'after')
})

test.concurrent.each(DRIVES)('drive %d removed while the store runs, and put back empty', async (at) => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  await fill(store, 'before')
  const path = store.options.drives[at] ?? ''
  await remove(path)
  await expectAll(store, 'before')
  await fill(store, 'just after')
  await waitUntil(() => store.engine.drives()[at]?.state === 'offline')
  // Files are deleted one by one: the watch may check while the folder is empty but still exists.
  const reason = expect.stringMatching(/^the folder (is gone|was emptied)$/)
  expect(store.engine.drives()[at]).toMatchObject({ reason, keepsIndex: false })
  await fill(store, 'without')
  await waitUntil(() => store.engine.drives().filter((drive) => drive.keepsIndex).length === 2)
  await mkdir(path)
  await whole(store)
  await fill(store, 'healed')
  await store.reopen()
  await expectAll(store, 'before', 'just after', 'without', 'healed')
})

test.concurrent('each drive in turn is emptied while writes go on; after each is healed nothing is lost', async () => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  const rounds: string[] = []
  for (const [i, path] of store.options.drives.entries()) {
    const emptied = readdir(path).then((names) => Promise.all(names.map((name) => remove(join(path, name)))))
    for (let n = 0; n < 5; n++) {
      await fill(store, `${i}.${n}`)
      rounds.push(`${i}.${n}`)
    }
    await emptied
    // Formatted as a new drive, or repaired if it was noticed half empty.
    await whole(store)
  }
  await expectAll(store, ...rounds)
  await store.reopen()
  await expectAll(store, ...rounds)
})

test.concurrent('a drive that comes back as it was is taken again, without what was deleted meanwhile', async () => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  await fill(store, 'before')
  const path = store.options.drives[0] ?? ''
  await rename(path, `${path}.away`)
  await waitUntil(() => store.engine.drives()[0]?.state === 'offline')
  await store.engine.deleteBucket('b', { force: true })
  await store.engine.createBucket('b')
  await fill(store, 'without')
  await rename(`${path}.away`, path)
  await whole(store)
  await expectAll(store, 'without')
  await waitUntil(async () => new Set((await Promise.all(store.options.drives.map(blobsOn))).flat()).size === 8)
})

test.concurrent.each(['index', 'journal', 'blobs', 'tmp'])(
  'the folder %s of each drive removed while the store runs',
  async (name) => {
    await using store = await TestEngine.start()
    await store.engine.createBucket('b')
    await fill(store, 'before')
    const rounds = ['before']
    for (const path of store.options.drives) {
      // Two of the four drives contain journal and index.
      const was = existsSync(join(path, name))
      await remove(join(path, name))
      await fill(store, path)
      rounds.push(path)
      await waitUntil(() => existsSync(join(path, name)) === was)
      await whole(store)
    }
    await expectAll(store, ...rounds)
    await store.reopen()
    await expectAll(store, ...rounds)
  },
)

test.concurrent('two drives: writes go on with one, and are completed when the other is back', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await fill(store, 'before')
  const path = store.options.drives[1] ?? ''
  await remove(path)
  await waitUntil(() => store.engine.drives()[1]?.state === 'offline')
  await fill(store, 'alone')
  await mkdir(path)
  await whole(store)
  await store.close()
  await rm(store.options.drives[0] ?? '', { recursive: true })
  await store.open()
  await expectAll(store, 'before', 'alone')
})

test('an old copy of the index is not believed', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await store.close()
  const [first = '', second = ''] = store.options.drives
  await cp(first, `${first}.old`, { recursive: true })
  await store.open()
  await fill(store, 'later')
  await whole(store)
  await store.close()
  await rm(first, { recursive: true })
  await rename(`${first}.old`, first)
  await store.open()
  await expectAll(store, 'later')
  await store.close()
  await rm(second, { recursive: true })
  await store.open()
  expect(store.list('b')).toHaveLength(12)
})

test('a folder that holds something else, or another deployment’s drive, is refused', async () => {
  await using store = await TestEngine.start(2)
  await using other = await TestEngine.start(2)
  await store.close()
  await other.close()
  const path = store.options.drives[1] ?? ''
  await rm(path, { recursive: true })
  await cp(other.options.drives[0] ?? '', path, { recursive: true })
  await expect(store.open()).rejects.toThrow('another deployment')
  await rm(path, { recursive: true })
  await mkdir(path)
  await writeFile(join(path, 'letters.txt'), 'dear')
  await expect(store.open()).rejects.toThrow('letters.txt')
  expect(await readFile(join(path, 'letters.txt'), 'utf8')).toBe('dear')
})

test('a format of a later version is refused', async () => {
  await using store = await TestEngine.start(1)
  await store.close()
  const file = join(store.options.data, 'format.json')
  const layout: object = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...layout, version: 99 }))
  await expect(store.open()).rejects.toThrow('format version 99')
})

test('a flipped bit in a layout is found, and the layout read elsewhere', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await fill(store, 'before')
  const { deploymentId } = store.engine
  await store.close()
  const file = join(store.options.data, 'format.json')
  const text = await readFile(file, 'utf8')
  for (let at = 0; at < text.length; at += 23) {
    const flipped = Buffer.from(text)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    // A later version must be refused, so do not damage its digit.
    if (at >= text.indexOf('"version"') && at < text.indexOf('"version"') + 13) continue
    await writeFile(file, flipped)
    await store.open()
    expect(store.engine.deploymentId).toBe(deploymentId)
    await store.close()
  }
  await store.open()
  await expectAll(store, 'before')
})

test('without its data folder the deployment is found on its drives', async () => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  await fill(store, 'before')
  const { deploymentId } = store.engine
  await store.close()
  await rm(store.options.data, { recursive: true })
  await store.open()
  expect(store.engine.deploymentId).toBe(deploymentId)
  expect(existsSync(join(store.options.data, 'format.json'))).toBe(true)
  await expectAll(store, 'before')
})

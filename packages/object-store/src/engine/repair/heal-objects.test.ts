import { mkdir, open, readdir, readFile, rename, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { BlobCopy } from '../../blobs/blob-reader.ts'
import { setSettingDocument } from '../../bucket-settings/testing.ts'
import type { HealQuery, HealResult } from '../interface/types.ts'
import { readBytes, TestEngine, testBytes, waitUntil } from '../testing/test-engine.ts'

// Healing often waits for the disk, which it shares with all other work on the machine.
vi.setConfig({ testTimeout: 60_000 })

const QUERY: HealQuery = {
  bucket: 'b',
  prefix: '',
  recursive: true,
  deep: false,
  dryRun: false,
  pause: async () => undefined,
  signal: new AbortController().signal,
}

async function healed(store: TestEngine, query: Partial<HealQuery> = {}): Promise<HealResult[]> {
  const items: HealResult[] = []
  for await (const item of store.engine.heal({ ...QUERY, ...query })) items.push(item)
  return items
}

const healResultTexts = ({ key, before, after, error }: HealResult) => [
  key,
  before.map(({ state }) => state).sort(),
  after.map(({ state }) => state).sort(),
  ...(error === undefined ? [] : [error]),
]

/** Waits until `count` blobs have their final names, and returns their files. */
async function blobFiles(store: TestEngine, count: number): Promise<string[]> {
  let paths: string[] = []
  await waitUntil(async () => {
    const all = await Promise.all(
      store.options.drives.map(async (drive) => {
        const names = await readdir(join(drive, 'blobs'), { recursive: true })
        return names.filter((name) => /[0-9a-f]{32}$/.test(name)).map((name) => join(drive, 'blobs', name))
      }),
    )
    paths = all.flat()
    return paths.length === count
  })
  return paths
}

async function flip(path: string, at: number): Promise<void> {
  await using file = await open(path, 'r+')
  const byte = Buffer.alloc(1)
  await file.read(byte, 0, 1, at)
  byte[0] = (byte[0] ?? 0) ^ 1
  await file.write(byte, 0, 1, at)
}

test('a removed, a shortened and a changed copy are found and restored; a changed one only by a deep heal', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  const content = testBytes(100_000)
  await store.put('b', 'k', content)
  const [path = ''] = await blobFiles(store, 2)
  const size = (await stat(path)).size
  for (const [damage, deep, state] of [
    [() => rm(path), false, 'missing'],
    [() => truncate(path, 5000), false, 'corrupt'],
    [() => flip(path, 70_000), true, 'corrupt'],
  ] as const) {
    await damage()
    if (deep) expect((await healed(store)).map(healResultTexts)[1]).toEqual(['k', ['ok', 'ok'], ['ok', 'ok']])
    // A dry run changes nothing.
    const dry = await healed(store, { deep, dryRun: true })
    const found = [state, 'ok'].sort()
    expect(dry.map(healResultTexts)[1]).toEqual(['k', found, found])
    expect((await healed(store, { deep })).map(healResultTexts)).toEqual([
      ['', ['ok', 'ok'], ['ok', 'ok']],
      ['k', found, ['ok', 'ok']],
    ])
    expect((await stat(path)).size).toBe(size)
  }
  expect(await healed(store, { deep: true }).then((items) => items.map(healResultTexts)[1])).toEqual([
    'k',
    ['ok', 'ok'],
    ['ok', 'ok'],
  ])
  expect((await readBytes(store.engine.getObject('b', 'k'))).equals(content)).toBe(true)
})

test('a version that replication inserted below newer ones is whole', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await setSettingDocument(store.engine, 'b', 'versioning', 'Enabled')
  await store.put('b', 'k', 'one')
  await store.put('b', 'k', 'two')
  const versionId = '11111111-1111-4111-8111-111111111111'
  await store.put('b', 'k', 'older', { versionId, lastModified: 1_000, replica: { times: {} } })
  const whole = [
    ['ok', 'ok'],
    ['ok', 'ok'],
  ]
  expect((await healed(store)).map((item) => healResultTexts(item).slice(1))).toEqual([whole, whole, whole, whole])
})

test('an object without a whole copy is reported and stays', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await store.put('b', 'k', testBytes(100_000))
  for (const path of await blobFiles(store, 2)) await flip(path, 70_000)
  const lost = ['k', ['corrupt', 'corrupt'], ['corrupt', 'corrupt']]
  expect((await healed(store, { deep: true })).map(healResultTexts)[1]).toEqual(lost)
  expect(store.list('b')).toEqual(['k'])
})

test('a small object is healed if its entry is damaged in the copy of the index that is not read', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  for (let i = 0; i < 20; i++) await store.put('b', `k${i}`, `value ${i}.`)
  const path = join(store.options.drives[1] ?? '', 'index/data.mdb')
  const bytes = await readFile(path)
  for (let at = bytes.indexOf('value 17.'); at >= 0; at = bytes.indexOf('value 17.', at + 1)) await flip(path, at + 3)
  const items = await healed(store)
  expect(items.filter(({ before }) => before.some(({ state }) => state !== 'ok')).map(healResultTexts)).toEqual([
    ['k17', ['corrupt', 'ok'], ['ok', 'ok']],
  ])
  expect(store.engine.drives().every(({ keepsIndex }) => keepsIndex)).toBe(true)
  expect(await store.text('b', 'k17')).toBe('value 17.')
})

test('a copy that a lost drive had is offline; the drive put back empty gets it, and shows how much of it is healed', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await store.put('b', 'k', testBytes(100_000))
  await store.put('b', 'small')
  const [path = ''] = store.options.drives
  await rename(path, `${path}.away`)
  await waitUntil(() => store.engine.drives()[0]?.state === 'offline')
  const away = ['offline', 'ok']
  expect((await healed(store)).map(healResultTexts)).toEqual([
    ['', away, away],
    ['k', away, away],
    ['small', away, away],
  ])
  await mkdir(path)
  const shares: number[] = []
  // Looks again after every step: healing so little takes a few milliseconds.
  for (let [drive] = store.engine.drives(); drive?.state !== 'ok'; [drive] = store.engine.drives()) {
    if (drive?.healed !== undefined) shares.push(drive.healed)
    await setImmediate()
  }
  expect(shares.length).toBeGreaterThan(0)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares.every((share) => share >= 0 && share < 1)).toBe(true)
  expect(store.engine.drives()[0]).not.toHaveProperty('healed')
  const after = (await healed(store)).map((item) => item.after.map(({ state }) => state))
  expect(after).toEqual([
    ['ok', 'ok'],
    ['ok', 'ok'],
    ['ok', 'ok'],
  ])
})

test('a bucket that is deleted and a drive that goes away during a heal end neither the heal nor the store', async () => {
  await using store = await TestEngine.start(2)
  for (const bucket of ['b', 'c']) await store.engine.createBucket(bucket)
  for (const key of ['1', '2', '3']) await store.put('b', key, testBytes(20_000))
  const run = store.engine.heal(QUERY)
  expect((await run.next()).value).toMatchObject({ type: 'bucket', bucket: 'b' })
  for (const key of ['1', '2', '3']) await store.engine.deleteObject('b', key, {})
  await store.engine.deleteBucket('b')
  const rest: HealResult[] = []
  const ended = await (async () => {
    for await (const item of run) rest.push(item)
  })().then(
    () => 'done',
    (error: { code?: string }) => error.code,
  )
  expect(['done', 'NoSuchBucket']).toContain(ended)
  expect(rest.filter(({ error }) => error !== undefined)).toEqual([])

  for (const key of ['1', '2', '3']) await store.put('c', key, testBytes(20_000))
  const second = store.engine.heal({ ...QUERY, bucket: 'c' })
  await second.next()
  const [, path = ''] = store.options.drives
  await rename(path, `${path}.away`)
  await waitUntil(() => store.engine.drives()[1]?.state === 'offline')
  const items: HealResult[] = []
  for await (const item of second) items.push(item)
  expect(items.map(healResultTexts)).toEqual(['1', '2', '3'].map((key) => [key, ['offline', 'ok'], ['offline', 'ok']]))
  expect(store.engine.drives()[0]?.state).toBe('ok')
})

test('a heal includes every version and delete marker below the prefix, or only the keys of that level', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await setSettingDocument(store.engine, 'b', 'versioning', 'Enabled')
  for (const key of ['a/1', 'a/2/3', 'a/4', 'b', 'a/1']) await store.put('b', key)
  await store.engine.deleteObject('b', 'a/4', {})
  const healedKeys = async (query: Partial<HealQuery>) => (await healed(store, query)).map(({ key }) => key)
  expect(await healedKeys({ prefix: 'a/' })).toEqual(['', 'a/1', 'a/1', 'a/2/3', 'a/4', 'a/4'])
  expect(await healedKeys({ prefix: 'a/', recursive: false })).toEqual(['', 'a/1', 'a/1', 'a/4', 'a/4'])
  expect(await healedKeys({ bucket: '' })).toEqual(['', 'a/1', 'a/1', 'a/2/3', 'a/4', 'a/4', 'b'])
  await expect(healed(store, { bucket: 'gone' })).rejects.toMatchObject({ code: 'NoSuchBucket' })
})

test.each([
  ['one at a time while requests are served', true, 1],
  ['several at once while none are', false, 16],
])('blobs are healed %s', async (_, busy, most) => {
  await using store = await TestEngine.start(2)
  store.engine.setBusyCheck(() => busy)
  await store.engine.createBucket('b')
  const keys = Array.from({ length: 20 }, (_, i) => `k${String(i).padStart(2, '0')}`)
  await Promise.all(keys.map((key) => store.put('b', key, testBytes(20_000))))
  const [first = ''] = store.options.drives
  for (const path of await blobFiles(store, 40)) if (path.startsWith(first)) await rm(path)
  const open = BlobCopy.open
  let [running, atOnce] = [0, 0]
  const spy = vi.spyOn(BlobCopy, 'open').mockImplementation(async (...parameters) => {
    atOnce = Math.max(atOnce, ++running)
    try {
      return await open(...parameters)
    } finally {
      running--
    }
  })
  const [bucket, ...objects] = await healed(store)
  spy.mockRestore()
  expect(bucket?.type).toBe('bucket')
  expect(objects.map(healResultTexts)).toEqual(keys.map((key) => [key, ['missing', 'ok'], ['ok', 'ok']]))
  if (busy) expect(atOnce).toBe(most)
  else expect(atOnce).toBeGreaterThan(1)
  expect(atOnce).toBeLessThanOrEqual(most)
})

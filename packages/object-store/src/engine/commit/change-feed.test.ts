import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setSettingDocument } from '../../bucket-settings/testing.ts'
import type { StoreChange } from '../interface/types.ts'
import { TestEngine, waitUntil } from '../testing/test-engine.ts'

const changeTexts = (changes: StoreChange[]) =>
  changes.map(({ type, key }) => (key === undefined ? type : `${type} ${key}`))

test('each change is reported once, in order, after it is visible', async () => {
  await using store = await TestEngine.start(2)
  const changes: StoreChange[] = []
  const visible: boolean[] = []
  const end = store.engine.subscribe((change) => {
    changes.push(change)
    if (change.type === 'object-put') visible.push(store.list('b').includes(change.key ?? ''))
  })
  await store.engine.createBucket('b')
  await store.put('b', 'k', 'abc')
  await store.engine.setObjectTags({ bucket: 'b', key: 'k' }, { a: '1' })
  await setSettingDocument(store.engine, 'b', 'versioning', 'Enabled')
  await store.engine.deleteObject('b', 'k')
  await store.put('b', 'many')
  end()
  await store.put('b', 'after the end')
  const types = ['bucket-create', 'object-put k', 'object-tags k', 'bucket-setting versioning', 'marker-put k']
  expect(changeTexts(changes)).toEqual([...types, 'object-put many'])
  expect(changes.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
  expect(changes[1]).toMatchObject({ bucket: 'b', key: 'k', size: 3, versionId: 'null' })
  expect(visible).toEqual([true, true])
})

test('a listener finds what the change did to the bucket', async () => {
  await using store = await TestEngine.start(1)
  const { engine } = store
  const seen: unknown[] = []
  engine.subscribe(({ type }) => {
    const buckets = engine.listBuckets().map(({ name }) => name)
    seen.push([type, buckets, buckets.map((name) => engine.getBucketSetting(name, 'versioning')?.value.status)])
  })
  await engine.createBucket('b')
  await setSettingDocument(engine, 'b', 'versioning', 'Enabled')
  await engine.deleteBucket('b')
  expect(seen).toEqual([
    ['bucket-create', ['b'], [undefined]],
    ['bucket-setting', ['b'], ['Enabled']],
    ['bucket-delete', [], []],
  ])
})

test('a late listener is brought up to date, also after a restart and while writes go on', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  for (let i = 0; i < 20; i++) await store.put('b', `${i}`)
  await store.reopen()
  const writes = Promise.all(Array.from({ length: 20 }, (_, i) => store.put('b', `${20 + i}`)))
  const seen: number[] = []
  store.engine.subscribe(({ seq }) => seen.push(seq), 5)
  await writes
  await store.put('b', 'last')
  await waitUntil(() => seen.length === 37)
  expect(seen).toEqual(Array.from({ length: 37 }, (_, i) => i + 6))
})

test('a failing listener harms neither the write nor the others', async () => {
  await using store = await TestEngine.start(1)
  await store.engine.createBucket('b')
  const seen: number[] = []
  store.engine.subscribe(() => {
    throw new Error('listener')
  })
  store.engine.subscribe(({ seq }) => seen.push(seq))
  await store.put('b', 'k')
  expect(seen).toEqual([2])
})

test('old segments of the journal go, but not those behind a subscriber’s cursor', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  const content = 'x'.repeat(16_000)
  const segments = () => readdir(join(store.options.drives[0] ?? '', 'journal'))
  const writeSegments = async () => {
    for (let i = 0; i < 25; i++) {
      await Promise.all(Array.from({ length: 100 }, (_, n) => store.put('b', `${n}`, content)))
    }
  }
  const moveCursor = (value: string) => store.engine.putDocuments([{ collection: 'cursors', name: 'events', value }])
  await moveCursor('2')
  await writeSegments()
  expect((await segments()).length).toBeGreaterThanOrEqual(3)
  const seen: number[] = []
  const end = store.engine.subscribe(({ seq }) => seen.push(seq), 2)
  await waitUntil(() => seen.at(-1) === 2502)
  expect(seen).toHaveLength(2500)
  end()
  await moveCursor('1000000')
  await writeSegments()
  await waitUntil(async () => (await segments()).length <= 2)
})

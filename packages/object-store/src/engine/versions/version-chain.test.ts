import { describe, expect, test } from 'vitest'
import { setSettingDocument } from '../../bucket-settings/testing.ts'
import { TestEngine } from '../testing/test-engine.ts'

const query = { prefix: '', delimiter: '', after: '', limit: 1000 }

async function versioned(drives = 2) {
  const store = await TestEngine.start(drives)
  await store.engine.createBucket('b')
  await setSettingDocument(store.engine, 'b', 'versioning', 'Enabled')
  return store
}

/** Returns all versions as `key:content` or `key:marker`, the latest with a star. */
async function versionTexts(store: TestEngine, overrides: object = {}): Promise<string[]> {
  const { entries } = store.engine.listVersions('b', { ...query, ...overrides })
  return Promise.all(
    entries.map(async (entry) => {
      if ('prefix' in entry) return entry.prefix
      const { key, versionId, isLatest, deleteMarker } = entry.object
      const content = deleteMarker ? 'marker' : await store.text('b', key, versionId)
      return `${key}:${content}${isLatest ? '*' : ''}`
    }),
  )
}

test('each write makes a version, newest first', async () => {
  await using store = await versioned()
  const first = await store.put('b', 'k', 'one')
  await store.put('b', 'k', 'two')
  await store.put('b', 'j', 'x')
  expect(first.versionId).toMatch(/^[0-9a-f-]{36}$/)
  expect(await versionTexts(store)).toEqual(['j:x*', 'k:two*', 'k:one'])
  expect(await store.text('b', 'k', first.versionId)).toBe('one')
  await store.reopen()
  expect(await versionTexts(store)).toEqual(['j:x*', 'k:two*', 'k:one'])
})

test('a delete writes a marker; deleting the marker brings the object back', async () => {
  await using store = await versioned()
  await store.put('b', 'k', 'one')
  const { versionId, deleteMarker } = await store.engine.deleteObject('b', 'k')
  expect(deleteMarker).toBe(true)
  expect(() => store.engine.getObject('b', 'k')).toThrow(expect.objectContaining({ code: 'NoSuchKey' }))
  expect(() => store.engine.getObject('b', 'k', versionId)).toThrow(
    expect.objectContaining({ code: 'MethodNotAllowed' }),
  )
  expect(store.list('b')).toEqual([])
  expect(await versionTexts(store)).toEqual(['k:marker*', 'k:one'])
  await store.engine.deleteObject('b', 'k', { versionId: versionId ?? '' })
  expect(await versionTexts(store)).toEqual(['k:one*'])
  expect(await store.text('b', 'k')).toBe('one')
})

test('a marker is written for a key that never was', async () => {
  await using store = await versioned()
  await store.engine.deleteObject('b', 'k')
  expect(await versionTexts(store)).toEqual(['k:marker*'])
})

test('deleting the latest version promotes the one before, deleting one between leaves the rest', async () => {
  await using store = await versioned()
  const ids: string[] = []
  for (const content of ['1', '2', '3', '4']) ids.push((await store.put('b', 'k', content)).versionId)
  await store.engine.deleteObject('b', 'k', { versionId: ids[1] ?? '' })
  expect(await versionTexts(store)).toEqual(['k:4*', 'k:3', 'k:1'])
  await store.engine.deleteObject('b', 'k', { versionId: ids[3] ?? '' })
  expect(await versionTexts(store)).toEqual(['k:3*', 'k:1'])
  await store.engine.deleteObject('b', 'k', { versionId: 'not-there' })
  expect(await versionTexts(store)).toEqual(['k:3*', 'k:1'])
})

test('a version ID may be given; the same again replaces that version', async () => {
  await using store = await versioned()
  const given = '6f1c5a52-9f0e-4a53-8d9e-1f2f0c6a7b01'
  await store.put('b', 'k', 'old', { versionId: given, lastModified: 5 })
  await store.put('b', 'k', 'other')
  await store.put('b', 'k', 'again', { versionId: given, lastModified: 6 })
  expect(await versionTexts(store)).toEqual(['k:again*', 'k:other'])
  expect(store.engine.getObject('b', 'k').info).toMatchObject({ versionId: given, lastModified: 6 })
})

describe('suspended versioning', () => {
  test('a write replaces the null version and keeps the others', async () => {
    await using store = await versioned()
    await store.put('b', 'k', 'versioned')
    await setSettingDocument(store.engine, 'b', 'versioning', 'Suspended')
    await store.put('b', 'k', 'null 1')
    await store.put('b', 'k', 'null 2')
    expect(await versionTexts(store)).toEqual(['k:null 2*', 'k:versioned'])
  })

  test('an older null version is replaced as well', async () => {
    await using store = await TestEngine.start(2)
    await store.engine.createBucket('b')
    await store.put('b', 'k', 'from before')
    await setSettingDocument(store.engine, 'b', 'versioning', 'Enabled')
    await store.put('b', 'k', 'versioned')
    await setSettingDocument(store.engine, 'b', 'versioning', 'Suspended')
    await store.put('b', 'k', 'null')
    expect(await versionTexts(store)).toEqual(['k:null*', 'k:versioned'])
  })

  test('a delete writes a null marker', async () => {
    await using store = await versioned()
    await store.put('b', 'k', 'versioned')
    await setSettingDocument(store.engine, 'b', 'versioning', 'Suspended')
    await store.put('b', 'k', 'null')
    expect(await store.engine.deleteObject('b', 'k')).toMatchObject({ versionId: 'null', deleteMarker: true })
    expect(await versionTexts(store)).toEqual(['k:marker*', 'k:versioned'])
  })
})

test('pages of versions continue inside a key', async () => {
  await using store = await versioned()
  for (const key of ['a', 'b', 'c']) for (const content of ['1', '2', '3']) await store.put('b', key, content)
  await store.engine.deleteObject('b', 'b')
  for (const limit of [1, 2, 4, 7]) {
    const all: string[] = []
    let after = ''
    let marker: string | undefined
    for (;;) {
      const options = { ...query, after, limit, ...(marker !== undefined && { versionMarker: marker }) }
      const page = store.engine.listVersions('b', options)
      all.push(...(await versionTexts(store, options)))
      if (!page.truncated || !page.next) break
      after = page.next.key
      marker = page.next.versionId
    }
    expect(all).toEqual(await versionTexts(store))
    expect(all).toHaveLength(10)
  }
})

test('usage counts versions, markers, bytes and histograms exactly', async () => {
  await using store = await versioned()
  await store.put('b', 'k', '12345')
  const second = await store.put('b', 'k', '1234567890')
  await store.put('b', 'l', 'x'.repeat(2000))
  await store.engine.deleteObject('b', 'l')
  expect(store.engine.bucketUsage('b')).toMatchObject({
    objects: 1,
    versions: 3,
    deleteMarkers: 1,
    size: 2015,
    sizeHistogram: { LESS_THAN_1024_B: 1, BETWEEN_1024_B_AND_64_KB: 0 },
    versionsHistogram: { UNVERSIONED: 0, SINGLE_VERSION: 0, BETWEEN_2_AND_10: 1 },
  })
  await store.engine.deleteObject('b', 'k', { versionId: second.versionId })
  await store.reopen()
  expect(store.engine.bucketUsage('b')).toMatchObject({
    objects: 1,
    versions: 2,
    size: 2005,
    versionsHistogram: { SINGLE_VERSION: 1, BETWEEN_2_AND_10: 0 },
  })
})

import { appendFile, cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appendChecksum, storedChecksum } from '../index-db/entry-checksum.ts'
import { LmdbIndex } from '../index-db/lmdb-index.ts'
import { addToSum, type IndexOp } from '../index-db/ordered-index.ts'
import { encodeFrame } from '../journal/journal-frame.ts'
import { listSegments } from '../journal/journal-segment.ts'
import { indexKeys } from './records/index-keys.ts'
import { TestEngine } from './testing/test-engine.ts'

const LENGTHS = [1024, 1025, 1990, 5000, 70_000]

/** A store with its logged errors: no request may cause the loss of a copy of the index. */
async function watched(): Promise<{ store: TestEngine; errors: string[] } & AsyncDisposable> {
  const errors: string[] = []
  const log = { info: () => undefined, warn: () => undefined, error: (_: object, text: string) => errors.push(text) }
  const store = await TestEngine.start(2, { log })
  await store.engine.createBucket('b')
  return { store, errors, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

test('a prefix, marker or token that is longer than any key is an empty page', async () => {
  await using watchedStore = await watched()
  const { store, errors } = watchedStore
  await store.put('b', 'x'.repeat(1024))
  await store.engine.createUpload('b', 'upload', {})
  const { engine } = store
  for (const long of LENGTHS.map((length) => 'x'.repeat(length))) {
    const query = { prefix: '', delimiter: '/', after: '', limit: 10 }
    for (const odd of [{ prefix: long }, { after: long }, { prefix: `${long}/`, after: long }]) {
      const page = { entries: odd.prefix?.length === 1024 ? [expect.anything()] : [], truncated: false }
      expect(engine.listObjects('b', { ...query, ...odd })).toEqual(page)
      expect(engine.listVersions('b', { ...query, ...odd })).toEqual(page)
      expect(engine.listVersions('b', { ...query, ...odd, versionMarker: long })).toEqual(page)
      expect(engine.listUploads('b', { ...query, ...odd })).toEqual({ entries: [], truncated: false })
      expect(engine.listUploads('b', { ...query, ...odd, uploadMarker: long })).toEqual({
        entries: [],
        truncated: false,
      })
    }
    const upload = await engine.createUpload('b', 'k', {})
    const unknown = { ...upload, uploadId: long }
    expect(() => engine.getUpload(unknown)).toThrow('multipart upload does not exist')
    await expect(engine.abortUpload(unknown)).rejects.toMatchObject({ code: 'NoSuchUpload' })
    await expect(engine.completeUpload(unknown, [], {})).rejects.toMatchObject({ code: 'NoSuchUpload' })
    await engine.abortUpload(upload)
    await engine.deleteObject('b', 'k', { versionId: long })
    expect(() => engine.getObject('b', 'x'.repeat(1024), long)).toThrow('version does not exist')
  }
  expect(errors).toEqual([])
  expect(engine.drives().map(({ keepsIndex }) => keepsIndex)).toEqual([true, true])
})

test('names that the index cannot hold, or would change, are refused before anything is written', async () => {
  await using watchedStore = await watched()
  const { store, errors } = watchedStore
  const { engine } = store
  for (const name of [...LENGTHS.slice(2).map((length) => 'n'.repeat(length)), 'half \ud800 a character']) {
    await expect(engine.putDocuments([{ collection: 'c', name, value: 'v' }])).rejects.toMatchObject({
      code: 'InvalidArgument',
    })
    await expect(engine.putDocuments([{ collection: 'c', name, value: undefined }])).rejects.toMatchObject({
      code: 'InvalidArgument',
    })
    expect(engine.getDocument('c', name)).toBeUndefined()
    await expect(engine.createBucket(name.slice(0, 5000))).rejects.toMatchObject({ code: 'InvalidArgument' })
    await expect(store.put('b', name)).rejects.toMatchObject({
      code: expect.stringMatching(/^(KeyTooLongError|XMinioInvalidObjectName)$/),
    })
    const given = { versionId: name }
    await expect(store.put('b', 'k', 'v', given)).rejects.toMatchObject({ code: 'InvalidArgument' })
    await expect(engine.createUpload('b', 'k', given)).rejects.toMatchObject({ code: 'InvalidArgument' })
  }
  await engine.putDocuments([{ collection: 'c', name: 'n'.repeat(1900), value: 'v' }])
  await store.reopen()
  expect(store.engine.listDocuments('c')).toEqual([{ name: 'n'.repeat(1900), value: 'v' }])
  expect(store.engine.listBuckets().map(({ name }) => name)).toEqual(['b'])
  expect(errors).toEqual([])
})

test('a store whose journal holds such a key starts again, without that record and with those beside it', async () => {
  await using watchedStore = await watched()
  const { store, errors } = watchedStore
  await store.put('b', 'before', 'kept')
  await store.close()
  const indexes = store.options.drives.map((drive) => join(drive, 'index'))
  for (const index of indexes) await cp(index, `${index}.old`, { recursive: true })
  await appendAsEarlyVersionsDid(store)

  await store.open()
  expect(errors).toEqual(['a record of the journal has a key that is too long for the index; it is skipped'])
  const expectWhole = async () => {
    expect(store.engine.getDocument('cursors', 'beside')).toBe('1')
    expect(store.engine.getDocument('cursors', 'behind')).toBe('2')
    expect(await store.text('b', 'before')).toBe('kept')
    expect(await store.engine.check()).toMatchObject({ damagedCopies: 0 })
  }
  await expectWhole()
  await store.put('b', 'after', 'writable')
  await store.close()

  // A copy that was not updated with the other one reads the record later, and must count correctly too.
  const [, second = ''] = indexes
  await rm(second, { recursive: true })
  await cp(`${second}.old`, second, { recursive: true })
  for (const index of indexes) await rm(`${index}.old`, { recursive: true })
  for (let restart = 0; restart < 2; restart++) {
    await store.reopen()
    await expectWhole()
    expect(await store.text('b', 'after')).toBe('writable')
    expect(store.engine.drives().map(({ keepsIndex }) => keepsIndex)).toEqual([true, true])
  }
})

/** Appends two frames to the journal: both contain a key that LMDB accepts, and the first also one that it refuses. */
async function appendAsEarlyVersionsDid(store: TestEngine): Promise<void> {
  const [drive = ''] = store.options.drives
  const index = LmdbIndex.open(join(drive, 'index'))
  let position = index.position()
  await index.close()
  const put = (key: Buffer, value: string): IndexOp & { value: Buffer } => ({
    key,
    value: appendChecksum(key, Buffer.from(value)),
  })
  const journals = store.options.drives.map((path) => join(path, 'journal'))
  const segment = (await listSegments(journals)).at(-1)?.name ?? ''
  for (const ops of [
    [
      put(indexKeys.document('iam-policies', 'p'.repeat(2000)), '{}'),
      put(indexKeys.document('cursors', 'beside'), '1'),
    ],
    [put(indexKeys.document('cursors', 'behind'), '2')],
  ]) {
    position = {
      ...position,
      frame: position.frame + 1,
      seq: position.seq + 1,
      count: position.count + ops.length,
      sum: ops.reduce((sum, { value }) => addToSum(sum, storedChecksum(value), 1), position.sum),
    }
    const changes = [{ seq: position.seq, time: 0, type: 'other' as const }]
    for (const journal of journals) await appendFile(join(journal, segment), encodeFrame({ position, ops, changes }))
  }
}

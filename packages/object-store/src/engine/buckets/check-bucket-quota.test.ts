import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { bodyStream, TestEngine, testBytes } from '../testing/test-engine.ts'

const refused = { code: 'XMinioAdminBucketQuotaExceeded' }

async function limited(size: number) {
  const store = await TestEngine.start(1)
  await store.engine.createBucket('b')
  await store.engine.setBucketSettings('b', { quota: { size, rate: 0, requests: 0 } })
  return store
}

/** A body that fails the test when it is read. */
const unread = () =>
  new Readable({
    read() {
      throw new Error('the body was read')
    },
  })

test('a write of known size is refused before its body is read, by what the bucket holds and would lose', async () => {
  await using store = await limited(100)
  const { engine } = store
  await store.put('b', 'k', testBytes(60))
  await expect(engine.putObject('b', 'other', unread(), { size: 41 })).rejects.toMatchObject(refused)
  const upload = await engine.createUpload('b', 'parts', {})
  await expect(engine.putPart(upload, 1, unread(), { size: 41 })).rejects.toMatchObject(refused)
  await engine.putObject('b', 'k', bodyStream(testBytes(100)), { size: 100 })
  await engine.setBucketSettings('b', {
    versioning: { status: 'Enabled', excludedPrefixes: [], excludeFolders: false },
  })
  await expect(engine.putObject('b', 'k', unread(), { size: 1 })).rejects.toMatchObject(refused)
  await engine.deleteObject('b', 'k', { versionId: 'null' })
  await engine.putObject('b', 'k', bodyStream(testBytes(100)), { size: 100 })
})

test('copies and completed uploads are refused as well, and leave nothing', async () => {
  await using store = await limited(100_000)
  const { engine } = store
  await store.put('b', 'k', testBytes(60_000))
  const handle = engine.getObject('b', 'k')
  await expect(engine.copyObject(handle, 'b', 'copy', {})).rejects.toMatchObject(refused)
  const upload = await engine.createUpload('b', 'parts', {})
  await expect(engine.copyPart({ handle }, upload, 1)).rejects.toMatchObject(refused)
  const half = { handle, range: { start: 0, end: 29_999 } }
  const { etag } = await engine.copyPart(half, upload, 1)
  await store.put('b', 'more', testBytes(20_000))
  await expect(engine.completeUpload(upload, [{ part: 1, etag }], {})).rejects.toMatchObject(refused)
  await engine.deleteObject('b', 'more')
  await engine.completeUpload(upload, [{ part: 1, etag }], {})
  expect(engine.bucketUsage('b').size).toBe(90_000)
})

test('of writes at the same time no more are taken than fit', async () => {
  await using store = await limited(100)
  const writes = Array.from({ length: 20 }, (_, i) => store.put('b', `${i}`, testBytes(10 + i)))
  const outcomes = await Promise.allSettled(writes)
  const taken = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.size] : []))
  expect(store.engine.bucketUsage('b').size).toBe(taken.reduce((sum, size) => sum + size, 0))
  expect(store.engine.bucketUsage('b').size).toBeLessThanOrEqual(100)
  expect(taken.length).toBeGreaterThanOrEqual(5)
})

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { setSettingDocument } from '../../bucket-settings/testing.ts'
import { bodyStream, readBytes, TestEngine, testBytes } from '../testing/test-engine.ts'

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')

test.each([0, 1, 1000, 16 * 1024, 16 * 1024 + 1, 65_536, 1024 * 1024, 3 * 1024 * 1024 + 17])(
  'an object of %d bytes comes back whole, also after a restart',
  async (size) => {
    await using store = await TestEngine.start()
    await store.engine.createBucket('b')
    const content = testBytes(size)
    const info = await store.put('b', 'a/key', content, { headers: { 'content-type': 'x/y' }, metadata: { m: 'ü' } })
    expect(info).toMatchObject({ size, etag: md5(content), versionId: 'null', isLatest: true })
    for (const _ of ['before', 'after']) {
      const handle = store.engine.getObject('b', 'a/key')
      expect(handle.info).toMatchObject({ size, headers: { 'content-type': 'x/y' }, metadata: { m: 'ü' } })
      expect((await readBytes(handle)).equals(content)).toBe(true)
      await store.reopen()
    }
  },
)

test.each([
  [0, 0],
  [5, 70_000],
  [65_535, 65_536],
  [1024 * 1024 - 1, 1024 * 1024],
  [2_999_999, 2_999_999],
  [2_000_000, 9_999_999],
])('the bytes %d to %d of an object', async (start, end) => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  const content = testBytes(3_000_000)
  await store.put('b', 'k', content)
  const range = await readBytes(store.engine.getObject('b', 'k'), { start, end })
  expect(range.equals(content.subarray(start, end + 1))).toBe(true)
})

test('one drive is enough', async () => {
  await using store = await TestEngine.start(1)
  await store.engine.createBucket('b')
  await store.put('b', 'small')
  await store.put('b', 'large', testBytes(100_000))
  await store.reopen()
  expect(await store.text('b', 'small')).toBe('small')
  expect((await readBytes(store.engine.getObject('b', 'large'))).equals(testBytes(100_000))).toBe(true)
})

test('a new object replaces the old one, whole', async () => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  await store.put('b', 'k', testBytes(200_000))
  await store.put('b', 'k', 'small now')
  expect(await store.text('b', 'k')).toBe('small now')
  expect(store.engine.bucketUsage('b')).toMatchObject({ objects: 1, versions: 1, size: 9 })
})

test('a body shorter than announced leaves the old object', async () => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  await store.put('b', 'k', 'old')
  for (const size of [5, 50_000]) {
    await expect(store.put('b', 'k', testBytes(size - 1), { size })).rejects.toMatchObject({ code: 'IncompleteBody' })
  }
  const cut = new Readable({ read() {} })
  cut.push(testBytes(100_000))
  const failing = store.engine.putObject('b', 'k', cut, {})
  cut.destroy()
  await expect(failing).rejects.toMatchObject({ code: 'IncompleteBody' })
  expect(await store.text('b', 'k')).toBe('old')
})

test('a body that fails while its blob is created fails only that write', async () => {
  await using store = await TestEngine.start(1)
  await store.engine.createBucket('b')
  await store.put('b', 'k', 'old')
  const cut = Object.assign(new Error('cut'), { code: 'ECONNRESET' })
  for (const [error, expected] of [
    [new Error('a failure of the stream'), { message: 'a failure of the stream' }],
    [cut, { code: 'IncompleteBody' }],
  ] as const) {
    // Larger than what is kept in memory. The failure follows immediately, before a file can be opened.
    const body = new Readable({
      read() {
        this.push(testBytes(20_000))
        queueMicrotask(() => this.destroy(error))
      },
    })
    await expect(store.engine.putObject('b', 'k', body, { size: 100_000 })).rejects.toMatchObject(expected)
  }
  expect(await store.text('b', 'k')).toBe('old')
  expect(store.engine.drives().map(({ used }) => used)).toEqual([0])
})

test('a refusing check leaves nothing behind', async () => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  const check = () => {
    throw new Error('digest wrong')
  }
  await expect(store.put('b', 'k', 'x', { check })).rejects.toThrow('digest wrong')
  await expect(store.put('b', 'k', testBytes(100_000), { check })).rejects.toThrow('digest wrong')
  expect(store.list('b')).toEqual([])
  expect(store.engine.drives().map((drive) => drive.used)).toEqual([0, 0, 0, 0])
})

test.each([
  ['absent', { noneMatch: '*' }, undefined],
  ['absent', { match: '*' }, 'NoSuchKey'],
  ['absent', { match: 'etag' }, 'NoSuchKey'],
  ['present', { noneMatch: '*' }, 'PreconditionFailed'],
  ['present', { match: '*' }, undefined],
  ['present', { match: 'wrong' }, 'PreconditionFailed'],
  ['present', { match: md5(Buffer.from('present')) }, undefined],
  ['present', { noneMatch: md5(Buffer.from('present')) }, 'PreconditionFailed'],
])('a conditional put on a key that is %s: %o', async (key, condition, code) => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await store.put('b', 'present')
  const put = store.put('b', key, 'new', { condition })
  if (code) await expect(put).rejects.toMatchObject({ code })
  else expect(await put).toMatchObject({ size: 3 })
})

test('of racing conditional writers exactly one wins, and the object is the winner’s', async () => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  const contents = Array.from({ length: 20 }, (_, i) => testBytes(i % 2 ? 100 : 20_000, i + 1))
  const results = await Promise.allSettled(
    contents.map((content) => store.put('b', 'k', content, { condition: { noneMatch: '*' } })),
  )
  const winners = results.flatMap((result, i) => (result.status === 'fulfilled' ? [i] : []))
  expect(winners).toHaveLength(1)
  const [winner = -1] = winners
  expect((await readBytes(store.engine.getObject('b', 'k'))).equals(contents[winner] ?? Buffer.alloc(0))).toBe(true)
})

test('of racing writers of one key one whole object stays', async () => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  const contents = Array.from({ length: 20 }, (_, i) => testBytes(i % 2 ? 100 : 20_000, i + 1))
  await Promise.all(contents.map((content) => store.put('b', 'k', content)))
  const left = await readBytes(store.engine.getObject('b', 'k'))
  expect(contents.some((content) => content.equals(left))).toBe(true)
  expect(store.engine.bucketUsage('b')).toMatchObject({ objects: 1, versions: 1, size: left.length })
})

test('a copy shares the bytes and outlives its source', async () => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  for (const [key, size] of [
    ['small', 10],
    ['large', 100_000],
  ] as const) {
    await store.put('b', key, testBytes(size))
    const before = store.engine.drives().map((drive) => drive.used)
    const source = store.engine.getObject('b', key)
    const copy = await store.engine.copyObject(source, 'b', `${key} copy`, { tags: { t: '1' } })
    expect(copy).toMatchObject({ size, etag: source.info.etag, tags: { t: '1' } })
    expect(store.engine.drives().map((drive) => drive.used)).toEqual(before)
    await store.engine.deleteObject('b', key)
    expect((await readBytes(store.engine.getObject('b', `${key} copy`))).equals(testBytes(size))).toBe(true)
  }
})

test('copying a key onto itself changes its headers only', async () => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  await store.put('b', 'k', testBytes(50_000))
  await store.engine.copyObject(store.engine.getObject('b', 'k'), 'b', 'k', { headers: { 'content-type': 'a/b' } })
  const handle = store.engine.getObject('b', 'k')
  expect(handle.info.headers).toEqual({ 'content-type': 'a/b' })
  expect((await readBytes(handle)).equals(testBytes(50_000))).toBe(true)
})

test('a source deleted meanwhile cannot be copied', async () => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  await store.put('b', 'k', testBytes(50_000))
  const source = store.engine.getObject('b', 'k')
  await store.engine.deleteObject('b', 'k')
  await expect(store.engine.copyObject(source, 'b', 'copy', {})).rejects.toMatchObject({ code: 'NoSuchKey' })
})

test('a quota refuses the write that would pass it, and not a smaller one', async () => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  await setSettingDocument(store.engine, 'b', 'quota', '{"size":100}')
  await store.put('b', 'k', testBytes(80))
  await expect(store.put('b', 'l', testBytes(21))).rejects.toMatchObject({ code: 'XMinioAdminBucketQuotaExceeded' })
  await store.put('b', 'k', testBytes(100))
  expect(store.engine.bucketUsage('b').size).toBe(100)
})

test.each([
  ['x'.repeat(1025), 'KeyTooLongError'],
  ['é'.repeat(513), 'KeyTooLongError'],
  ['a\0b', 'XMinioInvalidObjectName'],
])('the key %j is refused', async (key, code) => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await expect(store.engine.putObject('b', key, bodyStream('x'), {})).rejects.toMatchObject({ code })
})

test('tags are replaced without a new version', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await store.put('b', 'k', 'x', { tags: { a: '1' } })
  await store.engine.setObjectTags({ bucket: 'b', key: 'k' }, { c: '2' })
  expect(store.engine.getObject('b', 'k').info.tags).toEqual({ c: '2' })
  await store.engine.setObjectTags({ bucket: 'b', key: 'k' }, {})
  expect(store.engine.getObject('b', 'k').info).toMatchObject({ tags: {}, size: 1 })
})

test('several deletes in one go answer one by one', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await store.put('b', 'k')
  const results = await store.engine.deleteObjects('b', [{ key: 'k' }, { key: 'absent' }, { key: 'x'.repeat(2000) }])
  expect(results).toMatchObject([{ key: 'k', deleteMarker: false }, { key: 'absent' }, { code: 'KeyTooLongError' }])
  expect(store.list('b')).toEqual([])
})

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { bodyStream, readBytes, TestEngine, testBytes } from '../testing/test-engine.ts'

const MiB = 2 ** 20
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest()

async function begun(options: Parameters<TestEngine['engine']['createUpload']>[2] = {}) {
  const store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  const upload = await store.engine.createUpload('b', 'k', options)
  const putPart = (
    part: number,
    content: Buffer,
    check?: () => { algorithm: 'CRC32'; value: string; type: 'FULL_OBJECT' },
  ) => store.engine.putPart(upload, part, bodyStream(content), check ? { check } : {})
  return { store, upload, putPart, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

test('parts become one object without being copied', async () => {
  await using t = await begun({ headers: { 'content-type': 'x/y' }, tags: { a: '1' } })
  const contents = [testBytes(5 * MiB, 1), testBytes(5 * MiB + 1, 2), testBytes(10, 3)]
  const parts = []
  for (const [i, content] of contents.entries()) {
    const { etag } = await t.putPart(i * 2 + 1, content)
    parts.push({ part: i * 2 + 1, etag })
  }
  expect(t.store.list('b')).toEqual([])
  const used = t.store.engine.drives().map((drive) => drive.used)
  const info = await t.store.engine.completeUpload(t.upload, parts, {})
  const etag = createHash('md5')
    .update(Buffer.concat(contents.map(md5)))
    .digest('hex')
  expect(info).toMatchObject({ etag: `${etag}-3`, size: 10 * MiB + 11, headers: { 'content-type': 'x/y' } })
  expect(t.store.engine.drives().map((drive) => drive.used)).toEqual(used)
  await t.store.reopen()
  const handle = t.store.engine.getObject('b', 'k')
  expect(handle.info.parts?.map(({ size }) => size)).toEqual([5 * MiB, 5 * MiB + 1, 10])
  const whole = Buffer.concat(contents)
  expect((await readBytes(handle)).equals(whole)).toBe(true)
  const [start, end] = [5 * MiB - 3, 10 * MiB + 5]
  expect((await readBytes(handle, { start, end })).equals(whole.subarray(start, end + 1))).toBe(true)
  expect(() => t.store.engine.getUpload(t.upload)).toThrow(expect.objectContaining({ code: 'NoSuchUpload' }))
})

test('an object of many parts is listed and read as any other', async () => {
  await using t = await begun()
  const source = await t.store.put('b', 'source', testBytes(5 * MiB))
  const parts = []
  for (let part = 1; part <= 30; part++) {
    const handle = t.store.engine.getObject('b', 'source')
    parts.push({ part, etag: (await t.store.engine.copyPart({ handle }, t.upload, part)).etag })
  }
  expect(parts[0]?.etag).toBe(source.etag)
  await t.store.engine.completeUpload(t.upload, parts, {})
  await t.store.engine.deleteObject('b', 'source')
  const handle = t.store.engine.getObject('b', 'k')
  expect(handle.info.parts).toHaveLength(30)
  expect(handle.info.size).toBe(150 * MiB)
  const range = { start: 149 * MiB, end: 149 * MiB + 99 }
  expect((await readBytes(handle, range)).equals(testBytes(5 * MiB).subarray(4 * MiB, 4 * MiB + 100))).toBe(true)
  await t.store.engine.deleteObject('b', 'k')
  expect(t.store.engine.drives().map((drive) => drive.used)).toEqual([0, 0])
})

test.each([
  ['a wrong ETag', [{ part: 1, etag: 'x' }], 'InvalidPart'],
  ['a part that is not there', [{ part: 7, etag: 'x' }], 'InvalidPart'],
  ['the wrong order', [{ part: 2 }, { part: 1 }], 'InvalidPartOrder'],
  ['a small part before the last', [{ part: 2 }, { part: 3 }], 'EntityTooSmall'],
])('completion is refused for %s, and the upload stays', async (_, named, code) => {
  await using t = await begun()
  const etags = new Map<number, string>()
  for (const part of [1, 2, 3]) etags.set(part, (await t.putPart(part, testBytes(100, part))).etag)
  const parts = named.map((entry) => ({ etag: etags.get(entry.part) ?? '', ...entry }))
  const complete = t.store.engine.completeUpload(t.upload, parts, {})
  await expect(complete).rejects.toMatchObject({ code })
  expect(t.store.engine.listParts(t.upload, { after: 0, limit: 1000 }).parts).toHaveLength(3)
})

test('a part put again replaces the one before; abort frees everything', async () => {
  await using t = await begun()
  await t.putPart(1, testBytes(50_000, 1))
  const again = await t.putPart(1, testBytes(70_000, 2))
  expect(t.store.engine.listParts(t.upload, { after: 0, limit: 10 })).toMatchObject({
    parts: [again],
    truncated: false,
  })
  expect(t.store.engine.drives().map((drive) => drive.used)).toEqual([70_000, 70_000])
  await t.store.engine.abortUpload(t.upload)
  expect(t.store.engine.drives().map((drive) => drive.used)).toEqual([0, 0])
  await expect(t.store.engine.abortUpload(t.upload)).rejects.toMatchObject({ code: 'NoSuchUpload' })
})

test.each([
  ['FULL_OBJECT' as const, (parts: Buffer[]) => base64(crc32(Buffer.concat(parts)))],
  ['COMPOSITE' as const, (parts: Buffer[]) => `${base64(crc32(Buffer.concat(parts.map(crcBytes))))}-2`],
])('the checksum of the whole is made of the parts’: %s', async (checksumType, expected) => {
  await using t = await begun({ checksumAlgorithm: 'CRC32', checksumType })
  const contents = [testBytes(5 * MiB, 1), testBytes(1234, 2)]
  const parts = []
  for (const [i, content] of contents.entries()) {
    const check = () => ({ algorithm: 'CRC32', value: base64(crc32(content)), type: 'FULL_OBJECT' }) as const
    parts.push({ part: i + 1, etag: (await t.putPart(i + 1, content, check)).etag })
  }
  const value = expected(contents)
  const wrong = { algorithm: 'CRC32', value: 'AAAAAA==', type: checksumType } as const
  const refused = t.store.engine.completeUpload(t.upload, parts, { checksum: wrong })
  await expect(refused).rejects.toMatchObject({ code: 'XAmzContentChecksumMismatch' })
  const info = await t.store.engine.completeUpload(t.upload, parts, { checksum: { ...wrong, value } })
  expect(info.checksum).toEqual({ algorithm: 'CRC32', value, type: checksumType })
})

test('uploads are listed by key, then in the order of their beginning', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  const ids: string[] = []
  for (const key of ['k', 'a/1', 'k', 'a/2', 'k2']) ids.push((await store.engine.createUpload('b', key, {})).uploadId)
  const query = { prefix: '', delimiter: '', after: '', limit: 1000 }
  const show = (options: object) => {
    const page = store.engine.listUploads('b', { ...query, ...options })
    return page.entries.map((entry) =>
      'prefix' in entry ? entry.prefix : `${entry.upload.key}:${ids.indexOf(entry.upload.uploadId)}`,
    )
  }
  expect(show({})).toEqual(['a/1:1', 'a/2:3', 'k:0', 'k:2', 'k2:4'])
  expect(show({ delimiter: '/' })).toEqual(['a/', 'k:0', 'k:2', 'k2:4'])
  expect(show({ delimiter: '0' })).toHaveLength(5)
  expect(show({ after: 'k' })).toEqual(['k2:4'])
  expect(show({ after: 'k', uploadMarker: ids[0] })).toEqual(['k:2', 'k2:4'])
  expect(show({ prefix: 'a/', limit: 1 })).toEqual(['a/1:1'])
})

function base64(crc: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc)
  return bytes.toString('base64')
}

function crcBytes(content: Buffer): Buffer {
  return Buffer.from(base64(crc32(content)), 'base64')
}

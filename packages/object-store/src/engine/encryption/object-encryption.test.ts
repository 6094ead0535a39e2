import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addKeyToFile, ENCRYPTION_KEY_FILE } from '../../key-ring/key-file.ts'
import type { EncryptionRequest } from '../interface/types.ts'
import { bodyStream, readBytes, TestEngine, testBytes } from '../testing/test-engine.ts'

const MiB = 2 ** 20
const S3 = { mode: 'SSE-S3' } as const

async function started() {
  const store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  return store
}

/** Returns the content of all files of the store. */
async function onDisk(store: TestEngine): Promise<Buffer> {
  const files = await readdir(store.root, { recursive: true, withFileTypes: true })
  const contents = files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name)))
  return Buffer.concat(await Promise.all(contents))
}

async function read(store: TestEngine, key: string, range?: { start: number; end: number }, customerKey?: Buffer) {
  const handle = store.engine.getObject('b', key)
  handle.useCustomerKey(customerKey)
  return readBytes(handle, range)
}

const MODES: [string, EncryptionRequest][] = [
  ['SSE-S3', S3],
  ['SSE-KMS', { mode: 'SSE-KMS', keyId: 'mine' }],
  ['SSE-C', { mode: 'SSE-C', key: randomBytes(32) }],
]

test.each(MODES)('%s: bodies of every size come back, and are nowhere on disk', async (mode, encryption) => {
  await using store = await started()
  await store.engine.createEncryptionKey('mine', 'me')
  const customerKey = encryption.mode === 'SSE-C' ? encryption.key : undefined
  const marker = Buffer.from('a text that nobody may find')
  for (const size of [0, 1, 16_384, 16_385, 65_536, 65_537, 3 * MiB + 1]) {
    const body = Buffer.concat([marker, testBytes(Math.max(size - marker.length, 0), size + 1)]).subarray(0, size)
    const info = await store.put('b', `${size}`, body, { encryption, size })
    expect(info).toMatchObject({ size, encryption: { mode } })
    expect((await read(store, `${size}`, undefined, customerKey)).equals(body)).toBe(true)
    if (size < 100) continue
    for (const [start, end] of [
      [0, 0],
      [size - 1, size - 1],
      [Math.floor(size / 2) - 3, Math.floor(size / 2) + 70],
    ] as const) {
      const range = await read(store, `${size}`, { start, end }, customerKey)
      expect(range.equals(body.subarray(start, end + 1))).toBe(true)
    }
  }
  await store.close()
  expect((await onDisk(store)).includes(marker)).toBe(false)
  if (customerKey) expect((await onDisk(store)).includes(customerKey)).toBe(false)
  await store.open()
  expect((await read(store, '65537', undefined, customerKey)).length).toBe(65_537)
})

test('ranges that begin or end beside a boundary of what is encrypted together have the right bytes', async () => {
  await using store = await started()
  const [block, size] = [65_536, 3 * 65_536 + 5]
  const body = testBytes(size)
  for (const [mode, encryption] of MODES.filter(([name]) => name !== 'SSE-KMS')) {
    const customerKey = encryption.mode === 'SSE-C' ? encryption.key : undefined
    await store.put('b', mode, body, { encryption, size })
    const edges = [0, 1, 2, 3]
      .flatMap((n) => [-1, 0, 1].map((by) => n * block + by))
      .filter((at) => at >= 0 && at < size)
    for (const start of edges) {
      for (const end of [...edges, size - 1].filter((at) => at >= start)) {
        const found = await read(store, mode, { start, end }, customerKey)
        expect([mode, start, end, found.equals(body.subarray(start, end + 1))]).toEqual([mode, start, end, true])
      }
    }
  }
})

test('parts are encrypted one by one and read as one object', async () => {
  await using store = await started()
  for (const [mode, encryption] of MODES.filter(([name]) => name !== 'SSE-KMS')) {
    const customerKey = encryption.mode === 'SSE-C' ? encryption.key : undefined
    const upload = await store.engine.createUpload('b', mode, { encryption })
    expect(upload.encryption).toEqual(expect.objectContaining({ mode }))
    const contents = [testBytes(5 * MiB + 3, 1), testBytes(5 * MiB, 2), testBytes(77, 3)]
    const parts = []
    for (const [i, content] of contents.entries()) {
      const { etag, size } = await store.engine.putPart(upload, i + 1, bodyStream(content), { customerKey })
      expect(size).toBe(content.length)
      parts.push({ part: i + 1, etag })
    }
    const info = await store.engine.completeUpload(upload, parts, {})
    expect(info).toMatchObject({ size: 10 * MiB + 80, encryption: { mode } })
    const whole = Buffer.concat(contents)
    expect((await read(store, mode, undefined, customerKey)).equals(whole)).toBe(true)
    const range = { start: 5 * MiB, end: 10 * MiB + 10 }
    expect((await read(store, mode, range, customerKey)).equals(whole.subarray(range.start, range.end + 1))).toBe(true)
  }
})

test('a customer’s key that is missing, wrong, of another object or not asked for is refused, for parts too', async () => {
  await using store = await started()
  const [right, wrong] = [randomBytes(32), randomBytes(32)]
  const encryption = { mode: 'SSE-C', key: right } as const
  await store.put('b', 'k', testBytes(100_000), { encryption })
  await store.put('b', 'of the other key', testBytes(100_000), { encryption: { mode: 'SSE-C', key: wrong } })
  await store.put('b', 'plain', 'x')
  const use = (key: string, given: Buffer | undefined) => () => store.engine.getObject('b', key).useCustomerKey(given)
  expect(use('k', undefined)).toThrow('The correct parameters must be provided')
  expect(use('k', wrong)).toThrow('did not match')
  expect(use('of the other key', right)).toThrow('did not match')
  expect(use('of the other key', wrong)).not.toThrow()
  expect(use('plain', right)).toThrow('not applicable')
  expect(() => store.engine.getObject('b', 'k').read()).toThrow('The correct parameters must be provided')
  const upload = await store.engine.createUpload('b', 'parts', { encryption })
  const part = (customerKey: Buffer | undefined) => store.engine.putPart(upload, 1, bodyStream('x'), { customerKey })
  await expect(part(undefined)).rejects.toMatchObject({ code: 'InvalidRequest' })
  await expect(part(wrong)).rejects.toMatchObject({ code: 'InvalidArgument' })
  const plain = await store.engine.createUpload('b', 'plain', {})
  const unasked = store.engine.putPart(plain, 1, bodyStream('x'), { customerKey: right })
  await expect(unasked).rejects.toMatchObject({ code: 'InvalidRequest' })
})

test('copies have the same bytes under the same key, and are encrypted anew under another one', async () => {
  await using store = await started()
  const { engine } = store
  await engine.createEncryptionKey('mine', '')
  const customer = { mode: 'SSE-C', key: randomBytes(32) } as const
  const requests: (EncryptionRequest | undefined)[] = [undefined, S3, { mode: 'SSE-KMS', keyId: 'mine' }, customer]
  for (const size of [1000, 200_000]) {
    const body = testBytes(size)
    for (const [i, from] of requests.entries()) {
      await store.put('b', `source${i}`, body, { encryption: from })
      for (const [j, to] of requests.entries()) {
        const handle = engine.getObject('b', `source${i}`)
        handle.useCustomerKey(from === customer ? customer.key : undefined)
        const used = engine.drives()[0]?.used ?? 0
        const info = await engine.copyObject(handle, 'b', 'copy', { encryption: to })
        expect(info.encryption?.mode).toBe(to?.mode)
        expect((await read(store, 'copy', undefined, to === customer ? customer.key : undefined)).equals(body)).toBe(
          true,
        )
        const isLinked = size < 16_384 || (engine.drives()[0]?.used ?? 0) === used
        expect([i, j, isLinked]).toEqual([i, j, size < 16_384 || (i === j && i < 3)])
        await engine.deleteObject('b', 'copy')
      }
      const upload = await engine.createUpload('b', 'parts', { encryption: S3 })
      const handle = engine.getObject('b', `source${i}`)
      handle.useCustomerKey(from === customer ? customer.key : undefined)
      const { etag } = await engine.copyPart({ handle, range: { start: 10, end: 899 } }, upload, 1)
      await engine.completeUpload(upload, [{ part: 1, etag }], {})
      expect((await read(store, 'parts')).equals(body.subarray(10, 900))).toBe(true)
      await engine.deleteObject('b', 'parts')
    }
  }
})

test('ranges of an encrypted object that begin or end beside a boundary are copied into parts of another encryption', async () => {
  await using store = await started()
  const [block, size] = [65_536, 2 * 65_536 + 5]
  const body = testBytes(size)
  const customer = { mode: 'SSE-C', key: randomBytes(32) } as const
  await store.put('b', 'source', body, { encryption: S3, size })
  const starts = [0, block - 1, block, 2 * block]
  const ranges = starts.flatMap((start) =>
    [start, block - 1, block, size - 1].filter((end) => end >= start).map((end) => ({ start, end })),
  )
  for (const [from, encryption] of [
    ['source', customer],
    ['customer', S3],
  ] as const) {
    const own = from === 'customer' ? customer.key : undefined
    const target = encryption === customer ? customer.key : undefined
    if (from === 'customer') await store.put('b', from, body, { encryption: customer, size })
    for (const range of ranges) {
      const upload = await store.engine.createUpload('b', 'copy', { encryption })
      const handle = store.engine.getObject('b', from)
      handle.useCustomerKey(own)
      const { etag } = await store.engine.copyPart({ handle, range }, upload, 1, target)
      await store.engine.completeUpload(upload, [{ part: 1, etag }], {})
      const found = await read(store, 'copy', undefined, target)
      expect([from, range, found.equals(body.subarray(range.start, range.end + 1))]).toEqual([from, range, true])
    }
  }
})

test('a bucket encrypts what brings no encryption of its own', async () => {
  await using store = await started()
  await store.engine.setBucketSettings('b', { encryption: { mode: 'SSE-KMS', keyId: 'later' } })
  await expect(store.put('b', 'k')).rejects.toMatchObject({ code: 'KMS.NotFoundException' })
  await store.engine.createEncryptionKey('later', '')
  expect((await store.put('b', 'k')).encryption).toEqual({ mode: 'SSE-KMS', keyId: 'later' })
  expect((await store.put('b', 'k', 'x', { encryption: S3 })).encryption?.mode).toBe('SSE-S3')
  expect((await store.engine.createUpload('b', 'k', {})).encryption?.keyId).toBe('later')
})

test('a new key in the key file needs no object to be written again', async () => {
  await using store = await started()
  const body = testBytes(100_000)
  await store.put('b', 'k', body, { encryption: S3 })
  await store.close()
  await addKeyToFile(join(store.options.data, ENCRYPTION_KEY_FILE))
  await store.open()
  const used = store.engine.drives().map((drive) => drive.used)
  expect((await read(store, 'k')).equals(body)).toBe(true)
  expect(used).toEqual([100_032, 100_032])
})

test('with the key file lost, encrypted objects are refused by name and nothing else is', async () => {
  await using store = await started()
  await store.put('b', 'k', 'secret', { encryption: S3 })
  await store.put('b', 'plain', 'text')
  await store.close()
  const { rm } = await import('node:fs/promises')
  await rm(join(store.options.data, ENCRYPTION_KEY_FILE))
  await expect(store.open()).rejects.toThrow(/key/)
  store.options.discardEncrypted = true
  await store.open()
  expect(() => store.engine.getObject('b', 'k').read()).not.toThrow()
  await expect(read(store, 'k')).rejects.toMatchObject({ code: 'KMS.NotFoundException' })
  expect(await store.text('b', 'plain')).toBe('text')
  await store.put('b', 'new', 'x', { encryption: S3 })
  await expect(read(store, 'k')).rejects.toMatchObject({ code: 'KMS.NotFoundException' })
  expect((await read(store, 'new')).toString()).toBe('x')
})

test('a key is made once, and never by a name that could be taken for something else', async () => {
  await using store = await started()
  await store.engine.createEncryptionKey('mine', 'me')
  await expect(store.engine.createEncryptionKey('mine', '')).rejects.toMatchObject({ code: 'XMinioKMSKeyExists' })
  for (const name of ['', '.', 'a/b', 'a b', 'é', 'x'.repeat(81)]) {
    await expect(store.engine.createEncryptionKey(name, '')).rejects.toMatchObject({ code: 'InvalidArgument' })
  }
  expect(store.engine.listEncryptionKeys()).toEqual([expect.objectContaining({ name: 'mine', createdBy: 'me' })])
  await store.put('b', 'k', 'x', { encryption: S3 })
  expect(store.engine.listEncryptionKeys().map(({ name }) => name)).toEqual(['mine', 'stowage-default-key'])
})

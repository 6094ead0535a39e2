import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { setSettingDocument } from '../bucket-settings/testing.ts'
import type { EncryptionRequest } from './interface/types.ts'
import { bodyStream, readBytes, TestEngine, testBytes, waitUntil } from './testing/test-engine.ts'

const MiB = 2 ** 20
const RULE =
  '<LifecycleConfiguration><Rule><ID>r</ID><Status>Enabled</Status><Filter/>' +
  '<Transition><Days>0</Days><StorageClass>COLD</StorageClass></Transition></Rule></LifecycleConfiguration>'
const text = (size: number) => Buffer.alloc(size, 'one line of a log, much like any other\n')

async function started(drives = 2) {
  const store = await TestEngine.start(drives)
  await store.engine.createBucket('b')
  store.engine.setCompressionRule(() => true)
  return store
}

/** Returns the size of all blobs on the first drive in bytes. */
async function stored(store: TestEngine): Promise<number> {
  const [drive = ''] = store.options.drives
  const files = await readdir(drive, { recursive: true, withFileTypes: true })
  const blobs = files.filter((file) => file.isFile() && /^[0-9a-f]{32}$/.test(file.name))
  // A blob may be removed or moved to its final name meanwhile.
  const fileSize = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0
  const sizes = await Promise.all(blobs.map((file) => fileSize(join(file.parentPath, file.name))))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The same, once there are blobs: one that is moved to its final name is missed for a moment. */
async function storedAny(store: TestEngine): Promise<number> {
  let size = 0
  await waitUntil(async () => {
    size = await stored(store)
    return size > 0
  })
  return size
}

async function expectBody(store: TestEngine, key: string, body: Buffer, customerKey?: Buffer): Promise<void> {
  const handle = store.engine.getObject('b', key)
  handle.useCustomerKey(customerKey)
  expect((await readBytes(handle)).equals(body)).toBe(true)
  const { length } = body
  for (const [start, end] of [
    [0, 0],
    [length - 1, length - 1],
    [Math.max(0, Math.min(MiB, length) - 2), Math.min(MiB + 1, length - 1)],
    [Math.floor(length / 2), length - 1],
  ] as const) {
    expect((await readBytes(handle, { start, end })).equals(body.subarray(start, end + 1))).toBe(true)
  }
}

/** Compressible blocks between incompressible ones. */
const MIXED = Buffer.concat([text(MiB), testBytes(MiB), text(MiB), testBytes(5), text(7)])

test.each([
  ['one block', text(20_000)],
  ['whole blocks', text(2 * MiB)],
  ['one byte more', text(2 * MiB + 1)],
  ['some blocks that do not shrink', MIXED],
])('%s: the body, its ranges, size and ETag are those of what came, also after a restart', async (_, body) => {
  await using plain = await TestEngine.start(1)
  await plain.engine.createBucket('b')
  const { etag } = await plain.put('b', 'k', body)
  await using store = await started()
  expect(await store.put('b', 'k', body, { size: body.length })).toMatchObject({ size: body.length, etag })
  expect(await stored(store)).toBeLessThan((await stored(plain)) / 1.4)
  expect(store.engine.bucketUsage('b')).toMatchObject({ size: body.length })
  await store.reopen()
  await expectBody(store, 'k', body)
})

test('what does not shrink is stored as it came', async () => {
  await using plain = await TestEngine.start(1)
  await plain.engine.createBucket('b')
  await using store = await started(1)
  const body = testBytes(6 * MiB + 5)
  for (const each of [plain, store]) await each.put('b', 'k', body)
  expect(await stored(store)).toBe(await stored(plain))
  await expectBody(store, 'k', body)
})

const ENCRYPTIONS: EncryptionRequest[] = [{ mode: 'SSE-S3' }, { mode: 'SSE-C', key: randomBytes(32) }]

test.each(ENCRYPTIONS)('it is compressed before it is encrypted: $mode', async (encryption) => {
  await using store = await started()
  await store.put('b', 'k', MIXED, { encryption })
  expect(await stored(store)).toBeLessThan(1.1 * MiB)
  await expectBody(store, 'k', MIXED, encryption.mode === 'SSE-C' ? encryption.key : undefined)
})

test('the rule is asked for the name, the type and the encryption', async () => {
  await using store = await started(1)
  const asked: object[] = []
  store.engine.setCompressionRule((object) => asked.push(object) === 0)
  await store.put('b', 'k', text(20_000), { headers: { 'content-type': 'text/x' }, encryption: { mode: 'SSE-S3' } })
  expect(asked).toEqual([{ key: 'k', contentType: 'text/x', isEncrypted: true }])
  expect(await stored(store)).toBeGreaterThan(20_000)
})

test('parts, copies and copied ranges of compressed objects are right when the source has gone', async () => {
  await using store = await started()
  const { engine } = store
  const body = Buffer.concat([text(5 * MiB), MIXED])
  await store.put('b', 'source', body)
  await engine.copyObject(engine.getObject('b', 'source'), 'b', 'copy', {})
  const upload = await engine.createUpload('b', 'parted', {})
  const [from, to] = [MiB - 3, 7 * MiB + 4]
  const range = { start: from, end: to - 1 }
  const parts = [
    await engine.copyPart({ handle: engine.getObject('b', 'source'), range }, upload, 1),
    await engine.putPart(upload, 2, bodyStream(MIXED), {}),
  ].map(({ part, etag }) => ({ part, etag }))
  await engine.completeUpload(upload, parts, {})
  await engine.deleteObject('b', 'source')
  await expectBody(store, 'copy', body)
  await expectBody(store, 'parted', Buffer.concat([body.subarray(from, to), MIXED]))
})

test('a drive that is emptied is healed with the stored bytes', async () => {
  await using store = await started(2)
  await store.put('b', 'k', MIXED)
  const before = await storedAny(store)
  const [drive = ''] = store.options.drives
  await store.close()
  await rm(drive, { recursive: true })
  await mkdir(drive)
  await store.open()
  await waitUntil(async () => (await stored(store)) === before)
  await expectBody(store, 'k', MIXED)
})

test.each([undefined, { mode: 'SSE-S3' } as const])(
  'it moves to a tier, is read there, and comes back: encrypted %j',
  async (encryption) => {
    await using store = await started(1)
    const { engine } = store
    const objects = new Map<string, Buffer>()
    engine.setTierAccess({
      async put(_, object, size, body) {
        const chunks: Buffer[] = []
        for await (const chunk of body) chunks.push(Buffer.from(chunk))
        objects.set(object, Buffer.concat(chunks))
        expect(objects.get(object)).toHaveLength(size)
      },
      async *get(_, object, { start, end }) {
        yield objects.get(object)?.subarray(start, end) ?? Buffer.alloc(0)
      },
      remove: async () => undefined,
    })
    await setSettingDocument(engine, 'b', 'lifecycle', RULE)
    await store.put('b', 'k', MIXED, { encryption })
    const before = await storedAny(store)
    await engine.transitionVersion({ bucket: 'b', key: 'k' })
    await waitUntil(async () => (await stored(store)) === 0)
    await expectBody(store, 'k', MIXED)
    await engine.restoreVersion({ bucket: 'b', key: 'k' }, engine.clock.now() + 1e9)
    await waitUntil(async () => (await stored(store)) === before)
    await expectBody(store, 'k', MIXED)
  },
)

test('an upload that breaks off leaves nothing behind', async () => {
  await using store = await started(1)
  async function* broken() {
    yield MIXED
    throw new Error('gone')
  }
  const body = Readable.from(broken()).on('error', () => undefined)
  await expect(store.engine.putObject('b', 'k', body, {})).rejects.toThrow('gone')
  expect(await stored(store)).toBe(0)
})

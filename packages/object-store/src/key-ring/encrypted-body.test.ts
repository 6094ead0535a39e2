import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  BODY_BLOCK_BYTES,
  BodyEncryptor,
  decryptBody,
  decryptedSize,
  decryptRange,
  deriveBodyKey,
  encryptBody,
  encryptedSize,
} from './encrypted-body.ts'
import { DecryptionError } from './key-ring.ts'
import { unwrapKey, wrapKey } from './wrapped-key.ts'

const key = randomBytes(32)
const SIZES = [
  0,
  1,
  BODY_BLOCK_BYTES - 1,
  BODY_BLOCK_BYTES,
  BODY_BLOCK_BYTES + 1,
  2 * BODY_BLOCK_BYTES,
  3 * BODY_BLOCK_BYTES + 17,
]

/** Reads like a drive: in chunks of odd sizes, in memory that is used again. */
function reader(sealed: Buffer) {
  return async function* (start: number, end: number): AsyncGenerator<Buffer, void, void> {
    const memory = Buffer.alloc(50_001)
    for (let at = start; at < end; at += memory.length) {
      const length = Math.min(memory.length, end - at)
      sealed.copy(memory, 0, at, at + length)
      yield memory.subarray(0, length)
    }
  }
}

async function readDecryptedRange(sealed: Buffer, start: number, end: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of decryptRange(key, { start, end, size: sealed.length }, reader(sealed))) {
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks)
}

test.each(SIZES)('a body of %i bytes comes back, whole and in ranges around every boundary', async (size) => {
  const body = randomBytes(size)
  const sealed = encryptBody(key, body)
  expect([sealed.length, decryptedSize(sealed.length)]).toEqual([encryptedSize(size), size])
  expect(decryptBody(key, sealed).equals(body)).toBe(true)
  const edges = [
    0,
    1,
    BODY_BLOCK_BYTES - 1,
    BODY_BLOCK_BYTES,
    BODY_BLOCK_BYTES + 1,
    2 * BODY_BLOCK_BYTES,
    size - 1,
    size,
  ]
  const places = [...new Set(edges.filter((edge) => edge >= 0 && edge <= size))]
  for (const start of places) {
    for (const end of places.filter((place) => place >= start)) {
      expect((await readDecryptedRange(sealed, start, end)).equals(body.subarray(start, end))).toBe(true)
    }
  }
})

test('the same body gives the same blocks however it comes', () => {
  const body = randomBytes(2 * BODY_BLOCK_BYTES + 5)
  const sealer = new BodyEncryptor(key)
  const blocks: Buffer[] = []
  for (let at = 0; at < body.length; at += 1000) blocks.push(...sealer.update(body.subarray(at, at + 1000)))
  expect(Buffer.concat([...blocks, sealer.final()]).equals(encryptBody(key, body))).toBe(true)
})

test('a body that was changed, cut, prolonged or reordered is refused, and so is another key', async () => {
  const sealed = encryptBody(key, randomBytes(2 * BODY_BLOCK_BYTES + 100))
  const block = BODY_BLOCK_BYTES + 16
  const changed = Buffer.from(sealed)
  changed[5] = (changed[5] ?? 0) ^ 1
  const wrong = [
    changed,
    sealed.subarray(0, -1),
    sealed.subarray(0, block),
    sealed.subarray(0, 2 * block),
    sealed.subarray(block),
    Buffer.concat([sealed, sealed.subarray(0, block)]),
    Buffer.concat([sealed.subarray(block, 2 * block), sealed.subarray(0, block), sealed.subarray(2 * block)]),
  ]
  for (const bytes of wrong) {
    expect(() => decryptBody(key, bytes)).toThrow(DecryptionError)
    await expect(readDecryptedRange(bytes, 0, decryptedSize(bytes.length))).rejects.toThrow(DecryptionError)
  }
  expect(() => decryptBody(deriveBodyKey(key, 'another'), sealed)).toThrow(DecryptionError)
})

test('a wrapped key can be opened only with the same key and for the same object', () => {
  const object = randomBytes(32)
  const wrapped = wrapKey(key, object, 'b/k')
  expect(unwrapKey(key, wrapped, 'b/k').equals(object)).toBe(true)
  expect(() => unwrapKey(key, wrapped, 'b/other')).toThrow(DecryptionError)
  expect(() => unwrapKey(randomBytes(32), wrapped, 'b/k')).toThrow(DecryptionError)
  for (const cut of [0, 12, 59]) expect(() => unwrapKey(key, wrapped.subarray(0, cut), 'b/k')).toThrow(DecryptionError)
})

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isSealed, open, seal } from './sealing.ts'
import { ALGORITHMS, deriveKey } from './sealing-key.ts'
import { sealPieces } from './sealing-pieces.ts'
// madmin-go accepted the `fixed-…` entries, and created the `madmin-…` entries.
import vectors from './vectors.json' with { type: 'json' }

type Vector = (typeof vectors.vectors)[number]

function pattern(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (7 * i + (i >> 8)) & 0xff))
}

function plaintextOf(vector: Vector): Buffer {
  return vector.plaintextUtf8 === undefined ? pattern(vector.plaintextLength) : Buffer.from(vector.plaintextUtf8)
}

function algorithmOf(vector: Vector) {
  const algorithm = ALGORITHMS[vector.algorithmId]
  if (!algorithm) throw new Error('the vector has no algorithm')
  return algorithm
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Rebuilds a vector's body from its salt and nonce. */
function bodyOf(vector: Vector, plaintext = plaintextOf(vector)): Buffer {
  const key = Buffer.from(vector.derivedKeyHex, 'hex')
  const prefix = Buffer.from(vector.nonceHex, 'hex')
  const pieces = sealPieces(plaintext, algorithmOf(vector), key, prefix)
  return Buffer.concat([Buffer.from(vector.saltHex, 'hex'), Buffer.of(vector.algorithmId), prefix, ...pieces])
}

describe.each(vectors.vectors)('vector $name', (vector) => {
  test('its pieces are sealed as given, and opened with the password alone', async () => {
    const body = bodyOf(vector)
    expect(body.length).toBe(vector.ciphertextLength)
    expect(sha256(body)).toBe(vector.ciphertextSha256)
    if (vector.ciphertextHex !== undefined) expect(body.toString('hex')).toBe(vector.ciphertextHex)

    expect(isSealed(body)).toBe(true)
    const plaintext = await open(body, vector.password)
    expect(sha256(plaintext)).toBe(vector.plaintextSha256)
  })
})

describe.each(vectors.negative)('refused: $name', (negative) => {
  const codes: Record<string, string> = {
    'unknown-id': 'UnknownAlgorithm',
    'truncated-header': 'Truncated',
    'no-fragment': 'Truncated',
  }
  test(negative.why, async () => {
    const body =
      negative.ciphertextHex === undefined ? tampered(negative.name) : Buffer.from(negative.ciphertextHex, 'hex')
    expect(sha256(body)).toBe(negative.sha256)
    await expect(open(body, 'correct horse')).rejects.toMatchObject({ code: codes[negative.name] ?? 'NotAuthentic' })
  })
})

/** The two negative vectors that are only described in words. */
function tampered(name: string): Buffer {
  const vector = vectors.vectors.find((each) => each.name === 'fixed-argon2id-aes256gcm-json')
  if (!vector) throw new Error('the vector is missing')
  const body = bodyOf(vector, pattern(40_000))
  const first = body.subarray(41, 41 + 16_400)
  const second = body.subarray(41 + 16_400, 41 + 2 * 16_400)
  const rest = body.subarray(41 + 2 * 16_400)
  const head = body.subarray(0, 41)
  return name === 'swapped-fragments'
    ? Buffer.concat([head, second, first, rest])
    : Buffer.concat([head, first, second])
}

test.each(ALGORITHMS)('a body sealed with %s can only be opened with the same secret', async (algorithm) => {
  const sealed = await seal('{"status":"enabled"}', 'pä55wörd-✓', { algorithm })
  expect((await open(sealed, 'pä55wörd-✓')).toString()).toBe('{"status":"enabled"}')
  await expect(open(sealed, 'pa55word')).rejects.toMatchObject({ name: 'SealingError', code: 'NotAuthentic' })
})

test('a body is sealed differently each time, with PBKDF2 by default', async () => {
  const [a, b] = await Promise.all([seal('x', 'secret'), seal('x', 'secret')])
  expect(a.equals(b)).toBe(false)
  expect(a[32]).toBe(2)
})

test('more derivations than the limit all finish', async () => {
  const salt = Buffer.alloc(32)
  const keys = await Promise.all(Array.from({ length: 7 }, () => deriveKey('argon2id-aes256gcm', 'secret', salt)))
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
})

test('JSON is not taken for a sealed body', () => {
  expect(isSealed(Buffer.from(JSON.stringify({ a: '\u0001'.repeat(64) })))).toBe(false)
})

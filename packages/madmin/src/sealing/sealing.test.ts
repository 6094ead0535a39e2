import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isSealedBody, openAdminBody, sealAdminBody } from './sealing.ts'
import { deriveSealingKey, SEALING_ALGORITHMS } from './sealing-key.ts'
import { sealPieces } from './sealing-pieces.ts'
// madmin-go accepted the `fixed-…` entries, and created the `madmin-…` entries.
import vectors from './vectors.json' with { type: 'json' }

type Vector = (typeof vectors.vectors)[number]

function pattern(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (7 * i + (i >> 8)) & 0xff))
}

function vectorPlaintext(vector: Vector): Buffer {
  return vector.plaintextUtf8 === undefined ? pattern(vector.plaintextLength) : Buffer.from(vector.plaintextUtf8)
}

function vectorAlgorithm(vector: Vector) {
  const algorithm = SEALING_ALGORITHMS[vector.algorithmId]
  if (!algorithm) throw new Error('the vector has no algorithm')
  return algorithm
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Rebuilds a vector's body from its salt and nonce. */
function sealVector(vector: Vector, plaintext = vectorPlaintext(vector)): Buffer {
  const key = Buffer.from(vector.derivedKeyHex, 'hex')
  const prefix = Buffer.from(vector.nonceHex, 'hex')
  const pieces = sealPieces(plaintext, vectorAlgorithm(vector), key, prefix)
  return Buffer.concat([Buffer.from(vector.saltHex, 'hex'), Buffer.of(vector.algorithmId), prefix, ...pieces])
}

describe.each(vectors.vectors)('vector $name', (vector) => {
  test('its pieces are sealed as given, and opened with the password alone', async () => {
    const body = sealVector(vector)
    expect(body.length).toBe(vector.ciphertextLength)
    expect(sha256(body)).toBe(vector.ciphertextSha256)
    if (vector.ciphertextHex !== undefined) expect(body.toString('hex')).toBe(vector.ciphertextHex)

    expect(isSealedBody(body)).toBe(true)
    const plaintext = await openAdminBody(body, vector.password)
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
    await expect(openAdminBody(body, 'correct horse')).rejects.toMatchObject({
      code: codes[negative.name] ?? 'NotAuthentic',
    })
  })
})

/** The two negative vectors that are only described in words. */
function tampered(name: string): Buffer {
  const vector = vectors.vectors.find((each) => each.name === 'fixed-argon2id-aes256gcm-json')
  if (!vector) throw new Error('the vector is missing')
  const body = sealVector(vector, pattern(40_000))
  const first = body.subarray(41, 41 + 16_400)
  const second = body.subarray(41 + 16_400, 41 + 2 * 16_400)
  const rest = body.subarray(41 + 2 * 16_400)
  const head = body.subarray(0, 41)
  return name === 'swapped-fragments'
    ? Buffer.concat([head, second, first, rest])
    : Buffer.concat([head, first, second])
}

test.each(SEALING_ALGORITHMS)('a body sealed with %s can only be opened with the same secret', async (algorithm) => {
  const sealed = await sealAdminBody('{"status":"enabled"}', 'pä55wörd-✓', { algorithm })
  expect((await openAdminBody(sealed, 'pä55wörd-✓')).toString()).toBe('{"status":"enabled"}')
  await expect(openAdminBody(sealed, 'pa55word')).rejects.toMatchObject({ name: 'SealingError', code: 'NotAuthentic' })
})

test('a body is sealed differently each time, with PBKDF2 by default', async () => {
  const [a, b] = await Promise.all([sealAdminBody('x', 'secret'), sealAdminBody('x', 'secret')])
  expect(a.equals(b)).toBe(false)
  expect(a[32]).toBe(2)
})

test('more derivations than the limit all finish', async () => {
  const salt = Buffer.alloc(32)
  const keys = await Promise.all(
    Array.from({ length: 7 }, () => deriveSealingKey('argon2id-aes256gcm', 'secret', salt)),
  )
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
})

test('JSON is not taken for a sealed body', () => {
  expect(isSealedBody(Buffer.from(JSON.stringify({ a: '\u0001'.repeat(64) })))).toBe(false)
})

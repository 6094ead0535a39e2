import { createCipheriv, createDecipheriv } from 'node:crypto'
import { SealingError } from './sealing-error.ts'
import type { SealingAlgorithm } from './sealing-key.ts'

export const SEAL_SALT_BYTES = 32
export const SEAL_PREFIX_BYTES = 8
export const SEAL_TAG_BYTES = 16
const PIECE_BYTES = 16384
const SEALED_PIECE_BYTES = PIECE_BYTES + SEAL_TAG_BYTES
const MORE = 0x00
const LAST = 0x80

/** Splits a plaintext into pieces of 16 KiB and seals each; an empty plaintext becomes one empty piece. */
export function sealPieces(plaintext: Uint8Array, algorithm: SealingAlgorithm, key: Buffer, prefix: Buffer): Buffer[] {
  const base = baseTag(algorithm, key, prefix)
  const count = Math.max(1, Math.ceil(plaintext.length / PIECE_BYTES))
  return Array.from({ length: count }, (_, i) => {
    const piece = plaintext.subarray(i * PIECE_BYTES, (i + 1) * PIECE_BYTES)
    const flag = i === count - 1 ? LAST : MORE
    return sealPiece(piece, algorithm, key, nonce(prefix, i + 1), Buffer.concat([Buffer.of(flag), base]))
  })
}

/**
 * Opens all pieces. The number and position of each piece are authenticated, so that none can be removed or swapped.
 * @throws SealingError NotAuthentic
 */
export function openPieces(sealed: Buffer, algorithm: SealingAlgorithm, key: Buffer, prefix: Buffer): Buffer {
  const base = baseTag(algorithm, key, prefix)
  const count = Math.ceil(sealed.length / SEALED_PIECE_BYTES)
  const pieces = Array.from({ length: count }, (_, i) => {
    const piece = sealed.subarray(i * SEALED_PIECE_BYTES, (i + 1) * SEALED_PIECE_BYTES)
    const flag = i === count - 1 ? LAST : MORE
    return openPiece(piece, algorithm, key, nonce(prefix, i + 1), Buffer.concat([Buffer.of(flag), base]))
  })
  return Buffer.concat(pieces)
}

/** Returns the tag that binds the pieces to their key and prefix; it is not sent. */
function baseTag(algorithm: SealingAlgorithm, key: Buffer, prefix: Buffer): Buffer {
  return sealPiece(Buffer.alloc(0), algorithm, key, nonce(prefix, 0), Buffer.alloc(0))
}

function nonce(prefix: Buffer, sequence: number): Buffer {
  const bytes = Buffer.alloc(SEAL_PREFIX_BYTES + 4)
  prefix.copy(bytes)
  bytes.writeUInt32LE(sequence, SEAL_PREFIX_BYTES)
  return bytes
}

function sealPiece(piece: Uint8Array, algorithm: SealingAlgorithm, key: Buffer, iv: Buffer, bound: Buffer): Buffer {
  const cipher =
    algorithm === 'argon2id-chacha20poly1305'
      ? createCipheriv('chacha20-poly1305', key, iv, { authTagLength: SEAL_TAG_BYTES })
      : createCipheriv('aes-256-gcm', key, iv, { authTagLength: SEAL_TAG_BYTES })
  cipher.setAAD(bound, { plaintextLength: piece.length })
  return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
}

function openPiece(sealed: Buffer, algorithm: SealingAlgorithm, key: Buffer, iv: Buffer, bound: Buffer): Buffer {
  if (sealed.length < SEAL_TAG_BYTES) throw new SealingError('NotAuthentic', 'The sealed body is cut off.')
  const split = sealed.length - SEAL_TAG_BYTES
  const decipher =
    algorithm === 'argon2id-chacha20poly1305'
      ? createDecipheriv('chacha20-poly1305', key, iv, { authTagLength: SEAL_TAG_BYTES })
      : createDecipheriv('aes-256-gcm', key, iv, { authTagLength: SEAL_TAG_BYTES })
  decipher.setAAD(bound, { plaintextLength: split }).setAuthTag(sealed.subarray(split))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, split)), decipher.final()])
  } catch (error) {
    throw new SealingError('NotAuthentic', 'The sealed body was altered, or sealed with another secret.', {
      cause: error,
    })
  }
}

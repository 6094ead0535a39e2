import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { DecryptionError } from './key-ring.ts'

/*
 * Encryption of bodies: AES-256-GCM in blocks, so that ranges can be read. A key encrypts only one body; a block's nonce is its
 * number, with a mark on the last one, so blocks cannot be moved, removed or cut off.
 */

/** Bytes of a body per block. */
export const BODY_BLOCK_BYTES = 64 * 1024
const TAG_BYTES = 16
const ENCRYPTED_BLOCK_BYTES = BODY_BLOCK_BYTES + TAG_BYTES

/** Bytes that a body takes when it is encrypted. */
export function encryptedSize(plain: number): number {
  return plain + Math.ceil(plain / BODY_BLOCK_BYTES) * TAG_BYTES
}

/** Bytes of the body that was encrypted to this size. */
export function decryptedSize(sealed: number): number {
  return sealed - Math.ceil(sealed / ENCRYPTED_BLOCK_BYTES) * TAG_BYTES
}

/** The key of one body of an object. `body` is unique among the bodies of that object key. */
export function deriveBodyKey(objectKey: Uint8Array, body: string): Buffer {
  return createHmac('sha256', objectKey).update(`body\0${body}`).digest()
}

/** Encrypts a body as it comes. */
export class BodyEncryptor {
  readonly #pending = Buffer.allocUnsafe(BODY_BLOCK_BYTES)
  #filled = 0
  #block = 0

  constructor(private readonly key: Buffer) {}

  /** The blocks that are complete, and known not to be the last one. */
  *update(bytes: Uint8Array): Generator<Buffer> {
    for (let taken = 0; taken < bytes.length; ) {
      if (this.#filled === BODY_BLOCK_BYTES) yield this.#seal(false)
      const part = bytes.subarray(taken, taken + BODY_BLOCK_BYTES - this.#filled)
      this.#pending.set(part, this.#filled)
      this.#filled += part.length
      taken += part.length
    }
  }

  /** The last block; empty for an empty body. */
  final(): Buffer {
    return this.#filled === 0 ? Buffer.alloc(0) : this.#seal(true)
  }

  #seal(last: boolean): Buffer {
    const cipher = createCipheriv('aes-256-gcm', this.key, blockNonce(this.#block++, last))
    const sealed = cipher.update(this.#pending.subarray(0, this.#filled))
    cipher.final()
    this.#filled = 0
    return Buffer.concat([sealed, cipher.getAuthTag()])
  }
}

/** Encrypts a whole body. */
export function encryptBody(key: Buffer, body: Uint8Array): Buffer {
  const sealer = new BodyEncryptor(key)
  return Buffer.concat([...sealer.update(body), sealer.final()])
}

/** Decrypts a whole body. @throws DecryptionError */
export function decryptBody(key: Buffer, sealed: Buffer): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0, block = 0; at < sealed.length; at += ENCRYPTED_BLOCK_BYTES, block++) {
    const end = Math.min(at + ENCRYPTED_BLOCK_BYTES, sealed.length)
    blocks.push(decryptBlock(key, block, end === sealed.length, sealed.subarray(at, end)))
  }
  return Buffer.concat(blocks)
}

/**
 * Decrypts `[start, end)` of a body.
 * @param size of the whole body, encrypted
 * @param read gives a range of the encrypted body, in chunks that are good until the next one is asked for
 * @throws DecryptionError
 */
export async function* decryptRange(
  key: Buffer,
  { start, end, size }: { start: number; end: number; size: number },
  read: (start: number, end: number) => AsyncGenerator<Buffer, void, void>,
): AsyncGenerator<Buffer, void, void> {
  if (start >= end) return
  const first = Math.floor(start / BODY_BLOCK_BYTES)
  const last = Math.floor((end - 1) / BODY_BLOCK_BYTES)
  const total = Math.ceil(size / ENCRYPTED_BLOCK_BYTES)
  const pending = Buffer.allocUnsafe(ENCRYPTED_BLOCK_BYTES)
  let filled = 0
  let block = first
  const open = () => {
    const plain = decryptBlock(key, block, block === total - 1, pending.subarray(0, filled))
    const offset = block * BODY_BLOCK_BYTES
    filled = 0
    block++
    return plain.subarray(Math.max(start - offset, 0), Math.min(end - offset, plain.length))
  }
  const sealedEnd = Math.min((last + 1) * ENCRYPTED_BLOCK_BYTES, size)
  for await (const chunk of read(first * ENCRYPTED_BLOCK_BYTES, sealedEnd)) {
    for (let taken = 0; taken < chunk.length; ) {
      const part = chunk.subarray(taken, taken + ENCRYPTED_BLOCK_BYTES - filled)
      pending.set(part, filled)
      filled += part.length
      taken += part.length
      if (filled === ENCRYPTED_BLOCK_BYTES) yield open()
    }
  }
  if (filled > 0) yield open()
  if (block !== last + 1) throw new DecryptionError('The body is shorter than it was.')
}

function decryptBlock(key: Buffer, block: number, last: boolean, sealed: Buffer): Buffer {
  if (sealed.length <= TAG_BYTES) throw new DecryptionError('A block of the body is too short.')
  const decipher = createDecipheriv('aes-256-gcm', key, blockNonce(block, last), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const plain = decipher.update(sealed.subarray(0, -TAG_BYTES))
  try {
    decipher.final()
  } catch (cause) {
    throw new DecryptionError('The body was changed.', { cause })
  }
  return plain
}

function blockNonce(block: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce[0] = last ? 1 : 0
  nonce.writeUIntBE(block, 6, 6)
  return nonce
}

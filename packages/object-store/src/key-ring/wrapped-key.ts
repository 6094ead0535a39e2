import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { DecryptionError } from './key-ring.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
export const OBJECT_KEY_BYTES = 32

/** Encrypts the key of an object with another key. @param context where it is kept; it opens for the same place only */
export function wrapKey(wrapping: Buffer, key: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', wrapping, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()])
}

/** @throws DecryptionError when it was wrapped with another key, or for another place */
export function unwrapKey(wrapping: Buffer, wrapped: Uint8Array, context: string): Buffer {
  if (wrapped.length !== NONCE_BYTES + OBJECT_KEY_BYTES + TAG_BYTES) throw new DecryptionError('The key is damaged.')
  const decipher = createDecipheriv('aes-256-gcm', wrapping, wrapped.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(context)).setAuthTag(wrapped.subarray(-TAG_BYTES))
  const key = decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES))
  try {
    return Buffer.concat([key, decipher.final()])
  } catch (cause) {
    throw new DecryptionError('The key was wrapped with another key, or for another object.', { cause })
  }
}

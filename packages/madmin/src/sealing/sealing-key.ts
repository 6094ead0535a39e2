import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { hashRaw } from '@node-rs/argon2'
import pLimit from 'p-limit'

/** In the order of their number on the wire. */
export const SEALING_ALGORITHMS = ['argon2id-aes256gcm', 'argon2id-chacha20poly1305', 'pbkdf2-aes256gcm'] as const
export type SealingAlgorithm = (typeof SEALING_ALGORITHMS)[number]

const KEY_BYTES = 32
const PBKDF2_ROUNDS = 8192
// Argon2id and version 0x13 are the library's defaults; naming them would need its `const enum`.
const ARGON2ID = { timeCost: 1, memoryCost: 64 * 1024, parallelism: 4, outputLen: KEY_BYTES }
/** Each derivation takes 64 MiB and a whole core, so running more of them in parallel would only take more memory. */
const MAX_ARGON2_AT_ONCE = 2
// The limit is for the whole process; this is the only state in this package.
const argon2Limit = pLimit(MAX_ARGON2_AT_ONCE)

const pbkdf2Async = promisify(pbkdf2)

/** Derives the key of a sealed body from a secret key and the body's salt, off the event loop. */
export async function deriveSealingKey(algorithm: SealingAlgorithm, secretKey: string, salt: Buffer): Promise<Buffer> {
  if (algorithm === 'pbkdf2-aes256gcm') return await pbkdf2Async(secretKey, salt, PBKDF2_ROUNDS, KEY_BYTES, 'sha256')
  return await argon2Limit(() => hashRaw(secretKey, { ...ARGON2ID, salt }))
}

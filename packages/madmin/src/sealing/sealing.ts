import { randomBytes } from 'node:crypto'
import { SealingError } from './sealing-error.ts'
import { deriveSealingKey, SEALING_ALGORITHMS, type SealingAlgorithm } from './sealing-key.ts'
import { openPieces, SEAL_PREFIX_BYTES, SEAL_SALT_BYTES, SEAL_TAG_BYTES, sealPieces } from './sealing-pieces.ts'

export { SealingError, type SealingErrorCode } from './sealing-error.ts'
export type { SealingAlgorithm } from './sealing-key.ts'

const ID_AT = SEAL_SALT_BYTES
const PREFIX_AT = ID_AT + 1
const PIECES_AT = PREFIX_AT + SEAL_PREFIX_BYTES

/**
 * Seals a body of the admin API: salt (32 bytes), algorithm (1), nonce prefix (8), sealed pieces.
 * @param secretKey of the credential that signs the request, for requests and answers alike
 * @param options.algorithm default `pbkdf2-aes256gcm`: every client and server reads it, and deriving its key costs
 *   2 ms, where argon2id takes 80 ms and 64 MiB
 */
export async function sealAdminBody(
  plaintext: Uint8Array | string,
  secretKey: string,
  options: { algorithm?: SealingAlgorithm } = {},
): Promise<Buffer> {
  const { algorithm = 'pbkdf2-aes256gcm' } = options
  const salt = randomBytes(SEAL_SALT_BYTES)
  const prefix = randomBytes(SEAL_PREFIX_BYTES)
  const key = await deriveSealingKey(algorithm, secretKey, salt)
  const pieces = sealPieces(typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext, algorithm, key, prefix)
  return Buffer.concat([salt, Buffer.of(SEALING_ALGORITHMS.indexOf(algorithm)), prefix, ...pieces])
}

/**
 * Opens a body that was sealed with any of the three algorithms.
 * @throws SealingError Truncated, UnknownAlgorithm, NotAuthentic (wrong secret, or altered)
 */
export async function openAdminBody(sealed: Uint8Array, secretKey: string): Promise<Buffer> {
  const body = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (body.length < PIECES_AT + SEAL_TAG_BYTES) throw new SealingError('Truncated', 'The sealed body is too short.')
  const algorithm = SEALING_ALGORITHMS[body.readUInt8(ID_AT)]
  if (!algorithm) throw new SealingError('UnknownAlgorithm', `There is no algorithm ${body.readUInt8(ID_AT)}.`)
  const key = await deriveSealingKey(algorithm, secretKey, body.subarray(0, SEAL_SALT_BYTES))
  return openPieces(body.subarray(PIECES_AT), algorithm, key, body.subarray(PREFIX_AT, PIECES_AT))
}

/** Whether a body is sealed. Never true for JSON, which has no control character at the position of the algorithm. */
export function isSealedBody(body: Uint8Array): boolean {
  return (
    body.length >= PIECES_AT + SEAL_TAG_BYTES && (body[ID_AT] ?? SEALING_ALGORITHMS.length) < SEALING_ALGORITHMS.length
  )
}

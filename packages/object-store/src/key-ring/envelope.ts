/**
 * How an encrypted value is laid out. No text begins with the first byte, so what was stored before values were encrypted
 * is told apart.
 *
 *     form u8 (1) · key ID 8 bytes · nonce 12 bytes · AES-256-GCM of the value · tag 16 bytes
 */
export const ENVELOPE_FORM = 1
export const KEY_ID_BYTES = 8
export const GCM_NONCE_BYTES = 12
export const GCM_TAG_BYTES = 16
export const ENVELOPE_HEAD_BYTES = 1 + KEY_ID_BYTES
const MIN_BYTES = ENVELOPE_HEAD_BYTES + GCM_NONCE_BYTES + GCM_TAG_BYTES

/** The ID of the key that a value is encrypted with, in hexadecimal; undefined for a value that is not encrypted. */
export function encryptingKeyId(value: Buffer): string | undefined {
  if (value.length < MIN_BYTES || value[0] !== ENVELOPE_FORM) return undefined
  return value.toString('hex', 1, ENVELOPE_HEAD_BYTES)
}

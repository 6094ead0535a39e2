import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { SigningScope } from './types.ts'

/** SHA-256 in hex. Text is hashed as one byte per character, as it is sent; see `canonical.ts`. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', typeof data === 'string' ? Buffer.from(data, 'latin1') : data, 'hex')
}

export function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest()
}

export function hmacHex(key: string | Buffer, data: string): string {
  return createHmac('sha256', key).update(data).digest('hex')
}

/** Compares two hex signatures in constant time. */
export function isSameSignature(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

/** The key that signs everything of one secret within one scope (four HMACs). */
export function deriveSigningKey(secretKey: string, scope: SigningScope): Buffer {
  const date = hmac(`AWS4${secretKey}`, scope.date)
  return hmac(hmac(hmac(date, scope.region), scope.service), 'aws4_request')
}

/** A cache of derived keys. Most requests of a day share a few keys, and deriving one is most of the work of a signature. */
export class SigningKeys {
  readonly #keys = new Map<string, Buffer>()
  readonly #limit: number

  /** @param limit number of keys; the oldest is dropped first */
  constructor(limit = 256) {
    this.#limit = limit
  }

  get(secretKey: string, scope: SigningScope): Buffer {
    const id = `${scope.date}/${scope.region}/${scope.service}/${secretKey}`
    const known = this.#keys.get(id)
    if (known) return known
    const key = deriveSigningKey(secretKey, scope)
    const oldest = this.#keys.size < this.#limit ? undefined : this.#keys.keys().next().value
    if (oldest !== undefined) this.#keys.delete(oldest)
    this.#keys.set(id, key)
    return key
  }
}

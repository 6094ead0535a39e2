import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { ENVELOPE_FORM, ENVELOPE_HEAD_BYTES, encryptingKeyId, GCM_NONCE_BYTES, GCM_TAG_BYTES } from './envelope.ts'
import { addKeyToFile, computeKeyId, ENCRYPTION_KEY_BYTES, readEncryptionKeys } from './key-file.ts'

/** A value that cannot be decrypted: its key is not in the key file, or the value was changed or moved. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError'
}

/**
 * Encrypts the secrets that the store keeps: AES-256-GCM with a key of the key file. Every value names its key, so keys can
 * be replaced: the newest key encrypts, and what an older one encrypted is encrypted again (`usesNewestKey`).
 */
export class KeyRing {
  readonly #keys: Map<string, Buffer>
  readonly #current: string

  /** The first key, while the key file does not have it. */
  #unsaved: Buffer | undefined

  private constructor(
    private readonly path: string,
    keys: readonly Buffer[],
  ) {
    this.#keys = new Map(keys.map((key) => [computeKeyId(key), key]))
    const ids = [...this.#keys.keys()]
    this.#current = ids.at(-1) ?? ''
  }

  /**
   * Reads the key file. If the file is missing, a first key is created; call `save` before the first value that it encrypts is stored.
   * @throws Error when the file is damaged, and of the file system
   */
  static async open(path: string): Promise<KeyRing> {
    const keys = await readEncryptionKeys(path)
    if (keys) return new KeyRing(path, keys)
    const first = randomBytes(ENCRYPTION_KEY_BYTES)
    const ring = new KeyRing(path, [first])
    ring.#unsaved = first
    return ring
  }

  /** Writes the key file if there was none. @returns its path if it was written */
  async save(): Promise<string | undefined> {
    if (!this.#unsaved) return undefined
    await addKeyToFile(this.path, this.#unsaved)
    this.#unsaved = undefined
    return this.path
  }

  /** @param context where the value is kept; it is decrypted for the same place only */
  encrypt(value: Uint8Array, context: string): Buffer {
    const head = Buffer.allocUnsafe(ENVELOPE_HEAD_BYTES)
    head[0] = ENVELOPE_FORM
    head.write(this.#current, 1, 'hex')
    const nonce = randomBytes(GCM_NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.#current), nonce).setAAD(associatedData(head, context))
    return Buffer.concat([head, nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()])
  }

  /** @throws DecryptionError */
  decrypt(encrypted: Buffer, context: string): Buffer {
    const id = encryptingKeyId(encrypted)
    if (id === undefined) throw new DecryptionError('The value is not encrypted.')
    const head = encrypted.subarray(0, ENVELOPE_HEAD_BYTES)
    const nonce = encrypted.subarray(ENVELOPE_HEAD_BYTES, ENVELOPE_HEAD_BYTES + GCM_NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', this.#key(id), nonce, { authTagLength: GCM_TAG_BYTES })
    decipher.setAAD(associatedData(head, context)).setAuthTag(encrypted.subarray(-GCM_TAG_BYTES))
    const text = decipher.update(encrypted.subarray(ENVELOPE_HEAD_BYTES + GCM_NONCE_BYTES, -GCM_TAG_BYTES))
    try {
      return Buffer.concat([text, decipher.final()])
    } catch (cause) {
      throw new DecryptionError('The value was changed, or belongs elsewhere.', { cause })
    }
  }

  /** Whether a value is encrypted with the newest key. */
  usesNewestKey(value: Buffer): boolean {
    return encryptingKeyId(value) === this.#current
  }

  /** Whether a value is encrypted with a key that the key file does not hold. */
  usesLostKey(value: Buffer): boolean {
    const id = encryptingKeyId(value)
    return id !== undefined && !this.#keys.has(id)
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id)
    if (!key) throw new DecryptionError(`The key ${id} is not in the key file.`)
    return key
  }
}

function associatedData(head: Buffer, context: string): Buffer {
  return Buffer.concat([head, Buffer.from(context)])
}

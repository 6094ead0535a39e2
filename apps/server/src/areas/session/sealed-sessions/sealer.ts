import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

const FORMAT = 's1'
const NONCE = 12
const TAG = 16

/** Whether a text looks like a sealed one; does not check the secret. */
export function looksSealed(text: string): boolean {
  return text.startsWith(`${FORMAT}.`)
}

interface Key {
  /** Identifies the key that sealed a text: the first eight hex digits of its hash. */
  id: string
  key: Buffer
}

/**
 * Seals texts with AES-256-GCM, so that only holders of the same secret can read or create them. The first secret seals, all of
 * them open: this way a secret can be changed without ending sessions.
 */
export class Sealer {
  readonly #keys: readonly [Key, ...Key[]]

  /** @param purpose keys of one purpose cannot open texts of another */
  constructor(secrets: readonly [string, ...string[]], purpose = 'session cookie') {
    const [first, ...others] = secrets
    this.#keys = [deriveKey(first, purpose), ...others.map((secret) => deriveKey(secret, purpose))]
  }

  /** @returns letters, digits, `.`, `-` and `_` only, so that it fits into a cookie or a header */
  seal(text: string): string {
    const [{ id, key }] = this.#keys
    const head = `${FORMAT}.${id}`
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(head))
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${head}.${sealed.toString('base64url')}`
  }

  /** Returns the text; undefined if it was not sealed with one of these secrets, or was altered. */
  open(sealed: string): string | undefined {
    const [format, id, body, ...rest] = sealed.split('.')
    const known = this.#keys.find((k) => k.id === id)
    if (format !== FORMAT || !known || body === undefined || rest.length > 0) return undefined
    const bytes = Buffer.from(body, 'base64url')
    // The decoder ignores invalid characters, so different texts could decode to the same bytes; only one is accepted.
    if (bytes.length < NONCE + TAG || bytes.toString('base64url') !== body) return undefined
    const decipher = createDecipheriv('aes-256-gcm', known.key, bytes.subarray(0, NONCE), { authTagLength: TAG })
    decipher.setAAD(Buffer.from(`${format}.${id}`)).setAuthTag(bytes.subarray(-TAG))
    try {
      return decipher.update(bytes.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8')
    } catch {
      // Authentication failed: forged or altered.
      return undefined
    }
  }
}

function deriveKey(secret: string, purpose: string): Key {
  const key = Buffer.from(hkdfSync('sha256', secret, 'stowage', purpose, 32))
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key }
}

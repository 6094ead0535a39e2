import { createCipheriv, createHash } from 'node:crypto'

/** Returns pseudo-random bytes that depend only on the name, so that a test need not keep what it wrote. */
export function pseudoRandomBytes(name: string, size: number): Buffer {
  const key = createHash('sha256').update(name).digest()
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size))
}

/** Returns a short digest of bytes, for comparing them. */
export function bytesDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

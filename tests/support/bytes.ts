import { createCipheriv, createHash } from 'node:crypto'

/** Bytes that look random and are the same for the same name, so that a test need not keep what it wrote. */
export function bytesOf(name: string, size: number): Buffer {
  const key = createHash('sha256').update(name).digest()
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size))
}

/** A short mark of some bytes: two of them differ when the bytes do. */
export function markOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

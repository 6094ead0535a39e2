import { BLOCK_BYTES } from './format.ts'

/** Bytes that are read or written at once: whole blocks. */
export const CHUNK_BYTES = 16 * BLOCK_BYTES

/** Chunks kept for the next upload; with more uploads at once the rest is left to the garbage collector. */
const KEPT = 64

const free: Buffer[] = []

/** A buffer to fill, visible to the hashing threads. Its content is whatever it was before. */
export function takeChunk(): Buffer {
  return free.pop() ?? Buffer.from(new SharedArrayBuffer(CHUNK_BYTES))
}

/** Gives a buffer back; nobody may look at it any more. */
export function returnChunk(chunk: Buffer): void {
  if (free.length < KEPT) free.push(chunk)
}

import { BLOB_BLOCK_BYTES } from './blob-format.ts'

/** Bytes that are read or written at once: whole blocks. */
export const CHUNK_BYTES = 16 * BLOB_BLOCK_BYTES

/** Chunks that are allocated together. */
const SLAB_CHUNKS = 16
const WASM_PAGE_BYTES = 64 * 1024

const freeChunks: Buffer[] = []

/**
 * A buffer to fill, whatever it held before. It is shared memory, so that the hashing threads see it, and begins at a page's
 * boundary, so that it can be written past the page cache: WebAssembly's memory is the only one of JavaScript that does.
 */
export function takeChunk(): Buffer {
  if (freeChunks.length === 0) allocateSlab()
  return freeChunks.pop() ?? Buffer.alloc(CHUNK_BYTES)
}

/** Returns a buffer to the pool; it must not be used afterwards. The pool keeps as much memory as was in use at once. */
export function returnChunk(chunk: Buffer): void {
  freeChunks.push(chunk)
}

function allocateSlab(): void {
  const pages = (SLAB_CHUNKS * CHUNK_BYTES) / WASM_PAGE_BYTES
  const { buffer } = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  for (let i = SLAB_CHUNKS - 1; i >= 0; i--) freeChunks.push(Buffer.from(buffer, i * CHUNK_BYTES, CHUNK_BYTES))
}

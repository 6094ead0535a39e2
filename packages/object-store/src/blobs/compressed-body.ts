import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw } from 'node:zlib'
import { type BodyHash, hashInOtherThread, hashInThisThread } from './body-hash.ts'
import { CHUNK_BYTES, returnChunk, takeChunk } from './chunk-pool.ts'

/*
 * A compressed body: its blocks of 1 MiB, each deflated by itself or, where that does not shrink it, as it came; then a
 * table with the stored bytes of each block (u32, little-endian; the top bit marks one that is stored as it came). So a
 * range is read from its blocks and the table alone.
 */

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

const BLOCK_BYTES = CHUNK_BYTES
const ENTRY_BYTES = 4
const UNCOMPRESSED_FLAG = 0x80000000
/** Blocks on their way per body. */
const IN_FLIGHT = 3
/** After this many consecutive blocks that did not shrink, the rest is stored uncompressed. */
const MAX_FUTILE = 4
/** The fastest level: better ones would be too slow for terabytes. */
const OPTIONS = { level: constants.Z_BEST_SPEED }

export interface ByteSink {
  write(bytes: Uint8Array): Promise<void>
}

/** Compresses on the way to a sink. Hashes here what came. */
export class Compressor {
  readonly #lengths: number[] = []
  /** The blocks being compressed, in order. */
  readonly #blocks: Promise<{ stored: Uint8Array; chunk: Buffer; shrunk: boolean }>[] = []
  #hash: BodyHash | undefined
  #chunk: Buffer | undefined
  #filled = 0
  #size = 0
  #futile = 0
  #shrunk = false

  constructor(private readonly sink: ByteSink) {}

  async write(bytes: Uint8Array): Promise<void> {
    for (let taken = 0; taken < bytes.length; ) {
      const part = bytes.subarray(taken, taken + BLOCK_BYTES - this.#filled)
      this.#chunk ??= takeChunk()
      this.#chunk.set(part, this.#filled)
      this.#filled += part.length
      taken += part.length
      if (this.#filled === BLOCK_BYTES) await this.#flush()
    }
  }

  /** @returns `compressed`: whether the sink got a compressed body; else it got what came */
  async end(): Promise<{ size: number; md5: string; compressed: boolean }> {
    if (this.#filled > 0) await this.#flush()
    while (this.#blocks.length > 0) await this.#store()
    const md5 = await (this.#hash ?? hashInThisThread()).digest()
    this.#hash = undefined
    if (this.#shrunk) {
      const table = Buffer.allocUnsafe(this.#lengths.length * ENTRY_BYTES)
      this.#lengths.forEach((length, i) => void table.writeUInt32LE(length, i * ENTRY_BYTES))
      await this.sink.write(table)
    }
    return { size: this.#size, md5, compressed: this.#shrunk }
  }

  /** Gives up. After `end` it does nothing. */
  async abort(): Promise<void> {
    for (const block of await Promise.allSettled(this.#blocks.splice(0))) {
      if (block.status === 'fulfilled') returnChunk(block.value.chunk)
    }
    if (this.#chunk) returnChunk(this.#chunk)
    this.#chunk = undefined
    // Takes it off the thread's list.
    void this.#hash?.digest().catch(() => undefined)
  }

  async #flush(): Promise<void> {
    const chunk = this.#chunk ?? takeChunk()
    const plain = chunk.subarray(0, this.#filled)
    this.#size += this.#filled
    this.#filled = 0
    this.#chunk = undefined
    this.#hash ??= plain.length === BLOCK_BYTES ? hashInOtherThread() : hashInThisThread()
    const hashed = this.#hash.update(plain)
    const deflated = this.#futile < MAX_FUTILE ? deflate(plain, OPTIONS) : undefined
    const block = Promise.all([deflated, hashed]).then(([smaller]) => {
      const shrunk = smaller !== undefined && smaller.length < plain.length
      return { stored: shrunk ? smaller : plain, chunk, shrunk }
    })
    // The later `await` gets the error; until then it must not count as unhandled.
    block.catch(() => undefined)
    this.#blocks.push(block)
    while (this.#blocks.length >= IN_FLIGHT) await this.#store()
  }

  async #store(): Promise<void> {
    const block = await this.#blocks[0]
    if (!block) return
    const { stored, chunk, shrunk } = block
    this.#futile = shrunk ? 0 : this.#futile + 1
    this.#shrunk ||= shrunk
    this.#lengths.push(shrunk ? stored.length : (stored.length | UNCOMPRESSED_FLAG) >>> 0)
    await this.sink.write(stored)
    void this.#blocks.shift()
    returnChunk(chunk)
  }
}

/**
 * Reads `[start, end)` of a body that was compressed.
 * @param plain bytes of the whole body
 * @param size of the whole body, compressed, with its table
 * @param read gives a range of the compressed body, in chunks that are good until the next one is asked for
 */
export async function* readCompressed(
  { start, end, plain, size }: { start: number; end: number; plain: number; size: number },
  read: (start: number, end: number) => AsyncGenerator<Buffer, void, void>,
): AsyncGenerator<Buffer, void, void> {
  if (start >= end) return
  if (plain <= BLOCK_BYTES) {
    const whole = await readExactly(read(0, size), size)
    const block = await inflateBlock(
      whole.readUInt32LE(size - ENTRY_BYTES),
      whole.subarray(0, size - ENTRY_BYTES),
      plain,
    )
    yield block.subarray(start, end)
    return
  }
  const tableBytes = Math.ceil(plain / BLOCK_BYTES) * ENTRY_BYTES
  const table = await readExactly(read(size - tableBytes, size), tableBytes)
  const entry = (block: number) => table.readUInt32LE(block * ENTRY_BYTES)
  const first = Math.floor(start / BLOCK_BYTES)
  const last = Math.floor((end - 1) / BLOCK_BYTES)
  let from = 0
  for (let block = 0; block < first; block++) from += storedBytes(entry(block))
  let to = from
  for (let block = first; block <= last; block++) to += storedBytes(entry(block))

  const open = async (block: number, stored: Buffer): Promise<Buffer> => {
    const offset = block * BLOCK_BYTES
    const length = Math.min(BLOCK_BYTES, plain - offset)
    const bytes = await inflateBlock(entry(block), stored, length)
    return bytes.subarray(Math.max(start - offset, 0), Math.min(end - offset, length))
  }
  // The next block is opened while the current one is sent.
  let ahead: Promise<Buffer> | undefined
  let block = first
  for await (const stored of cutIntoPieces(read(from, to), (index) => storedBytes(entry(first + index)))) {
    const opened = open(block++, stored)
    opened.catch(() => undefined)
    if (ahead) yield await ahead
    ahead = opened
  }
  if (ahead) yield await ahead
  if (block !== last + 1) throw new Error('a compressed body is shorter than it was')
}

async function inflateBlock(entry: number, stored: Buffer, length: number): Promise<Buffer> {
  const bytes = isUncompressed(entry) ? stored : await inflate(stored, { maxOutputLength: BLOCK_BYTES })
  if (bytes.length !== length) throw new Error('a compressed block has another length than it had')
  return bytes
}

const storedBytes = (entry: number) => (entry & ~UNCOMPRESSED_FLAG) >>> 0
const isUncompressed = (entry: number) => (entry & UNCOMPRESSED_FLAG) !== 0

async function readExactly(chunks: AsyncGenerator<Buffer, void, void>, length: number): Promise<Buffer> {
  for await (const whole of cutIntoPieces(chunks, () => length)) return whole
  throw new Error('a compressed body is shorter than it was')
}

/** Cuts bytes into pieces of given lengths, each in separate memory. */
async function* cutIntoPieces(
  chunks: AsyncGenerator<Buffer, void, void>,
  pieceLength: (index: number) => number,
): AsyncGenerator<Buffer, void, void> {
  let index = 0
  let piece: Buffer | undefined
  let filled = 0
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.length; ) {
      piece ??= Buffer.allocUnsafe(pieceLength(index))
      const part = chunk.subarray(taken, taken + piece.length - filled)
      piece.set(part, filled)
      filled += part.length
      taken += part.length
      if (filled < piece.length) continue
      yield piece
      piece = undefined
      filled = 0
      index++
    }
  }
}

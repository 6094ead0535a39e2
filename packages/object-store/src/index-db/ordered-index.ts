/**
 * An ordered map of bytes to bytes that changes in whole batches: `LmdbIndex` on a drive, `MemoryIndex` for tests. Values
 * get a checksum when they are written (`entry-checksum.ts`); it is checked when they are read.
 */
export interface OrderedIndex {
  /** @throws DamagedEntry */
  get(key: Uint8Array): Buffer | undefined
  /** Entries with `start <= key < end` in the order of their bytes; `reverse` gives the same ones backwards. */
  range(start: Uint8Array, end: Uint8Array, options?: { reverse?: boolean }): Iterable<IndexEntry>
  /** All or nothing; resolves when every reader sees it. */
  apply(batch: IndexBatch): Promise<void>
  /** The position of this index; changes with each `apply`. */
  position(): IndexPosition
  /** Number of the frame that reads see now; it may be ahead of `position` for a moment. */
  visibleFrame(): number
  /** Resolves when everything applied so far would survive a power failure. */
  flushed(): Promise<void>
  close(): Promise<void>
}

/** `value` without its checksum. */
export interface IndexEntry {
  key: Buffer
  value: Buffer
}

/** `value` ends with its checksum; undefined removes the key. */
export interface IndexOp {
  key: Buffer
  value: Buffer | undefined
}

export interface IndexBatch {
  ops: Iterable<IndexOp>
  /** The index's position after the batch. */
  position: IndexPosition
}

/** Written into the index by the same transaction as the changes that it counts. */
export interface IndexPosition {
  /** Number of the last journal frame applied. */
  frame: number
  /** Number of the last change. */
  seq: number
  /** Last number given to a version, a bucket, an upload. */
  id: number
  /** Entries, this one not counted. */
  count: number
  /** Sum of the entries' checksums modulo 2^48: together with `count` it reveals a lost entry. */
  sum: number
}

export const START_POSITION: IndexPosition = { frame: 0, seq: 0, id: 0, count: 0, sum: 0 }

/** Key of the position itself; no other key starts with a zero byte. */
export const POSITION_KEY = Buffer.from([0])

const SUM_LIMIT = 2 ** 48

/** The position's `sum` after an entry came (+1) or went (-1). */
export function addToSum(sum: number, seal: number, sign: 1 | -1): number {
  return (sum + sign * seal + SUM_LIMIT) % SUM_LIMIT
}

export function encodePosition(position: IndexPosition): Buffer {
  return Buffer.from(JSON.stringify([position.frame, position.seq, position.id, position.count, position.sum]))
}

export function decodePosition(value: Buffer): IndexPosition {
  const [frame = 0, seq = 0, id = 0, count = 0, sum = 0] = JSON.parse(value.toString('latin1')) as number[]
  return { frame, seq, id, count, sum }
}

import { MiB } from '@stowage/contract'

/** S3's limit on the number of parts of one object. */
const MAX_PARTS = 10_000
/** Large enough to keep the overhead of requests low, and small enough that repeating a lost part is cheap. */
const PART_SIZE = 16 * MiB

/** Returns the size of all parts but the last for a file of this size (bytes). */
export function partSizeFor(size: number): number {
  return Math.max(PART_SIZE, Math.ceil(size / MAX_PARTS / MiB) * MiB)
}

/** Returns the number of parts of a file. An empty file has one empty part. */
export function partCount(size: number, partSize: number): number {
  return Math.max(1, Math.ceil(size / partSize))
}

/** Returns the start and end of a part (counted from 1) in the file, in bytes. */
export function partRange(part: number, size: number, partSize: number): { start: number; end: number } {
  const start = (part - 1) * partSize
  return { start, end: Math.min(size, start + partSize) }
}

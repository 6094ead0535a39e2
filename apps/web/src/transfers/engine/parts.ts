import { MiB } from '@stowage/contract'

/** S3's limit on the number of parts of one object. */
const MAX_PARTS = 10_000
/** Large enough that a round trip costs little, small enough that a lost part costs little. */
const PART_SIZE = 16 * MiB

/** Bytes of each part but the last, for a file of this size. */
export function partSizeFor(size: number): number {
  return Math.max(PART_SIZE, Math.ceil(size / MAX_PARTS / MiB) * MiB)
}

/** How many parts a file has; an empty file has one, empty. */
export function partCount(size: number, partSize: number): number {
  return Math.max(1, Math.ceil(size / partSize))
}

/** Where part `part` (from 1) begins and ends in the file, in bytes. */
export function partRange(part: number, size: number, partSize: number): { start: number; end: number } {
  const start = (part - 1) * partSize
  return { start, end: Math.min(size, start + partSize) }
}

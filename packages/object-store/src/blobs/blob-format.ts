import { crc32 } from 'node:zlib'

/**
 * A blob's file: the data, a table with the CRC-32 of each block of data, and a footer. Little-endian:
 *
 *     data · table: u32 per block · magic u32 · block bytes u32 · data bytes f64 · crc32 of the table u32
 *     · blob name (32 hex digits) · crc32 of the footer before it u32
 *
 * So a range is verified by reading its blocks and the table, and a file under a wrong name is found.
 */
export const BLOB_BLOCK_BYTES = 64 * 1024
const MAGIC = 0x31425453
const NAME_BYTES = 32
export const BLOB_FOOTER_BYTES = 4 + 4 + 8 + 4 + NAME_BYTES + 4

export function checksumTableBytes(size: number): number {
  return Math.ceil(size / BLOB_BLOCK_BYTES) * 4
}

/** Returns the length of the file of a blob with this much data. */
export function blobFileBytes(size: number): number {
  return size + checksumTableBytes(size) + BLOB_FOOTER_BYTES
}

/** Table and footer of a blob. */
export function encodeBlobTail(blob: string, size: number, sums: readonly number[]): Buffer {
  const tail = Buffer.allocUnsafe(sums.length * 4 + BLOB_FOOTER_BYTES)
  sums.forEach((sum, i) => {
    tail.writeUInt32LE(sum, i * 4)
  })
  const at = sums.length * 4
  tail.writeUInt32LE(MAGIC, at)
  tail.writeUInt32LE(BLOB_BLOCK_BYTES, at + 4)
  tail.writeDoubleLE(size, at + 8)
  tail.writeUInt32LE(crc32(tail.subarray(0, at)), at + 16)
  tail.write(blob, at + 20, 'latin1')
  tail.writeUInt32LE(crc32(tail.subarray(at, tail.length - 4)), tail.length - 4)
  return tail
}

/** The table of a tail, if tail, blob and size belong together. */
export function decodeBlobTail(tail: Buffer, blob: string, size: number): Buffer | undefined {
  const at = checksumTableBytes(size)
  if (tail.length !== at + BLOB_FOOTER_BYTES) return undefined
  const sound =
    tail.readUInt32LE(tail.length - 4) === crc32(tail.subarray(at, tail.length - 4)) &&
    tail.readUInt32LE(at) === MAGIC &&
    tail.readUInt32LE(at + 4) === BLOB_BLOCK_BYTES &&
    tail.readDoubleLE(at + 8) === size &&
    tail.toString('latin1', at + 20, at + 20 + NAME_BYTES) === blob &&
    tail.readUInt32LE(at + 16) === crc32(tail.subarray(0, at))
  return sound ? tail.subarray(0, at) : undefined
}

/** Whether whole blocks (the last may be short), beginning with block `first`, match the table. */
export function blocksMatchChecksums(table: Buffer, first: number, data: Buffer): boolean {
  for (let at = 0, block = first; at < data.length; at += BLOB_BLOCK_BYTES, block++) {
    const sum = crc32(data.subarray(at, Math.min(at + BLOB_BLOCK_BYTES, data.length)))
    if (block * 4 + 4 > table.length || table.readUInt32LE(block * 4) !== sum) return false
  }
  return true
}

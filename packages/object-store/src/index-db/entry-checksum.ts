import { crc32 } from 'node:zlib'

/** Bytes of checksum behind every stored value. */
const CHECKSUM_BYTES = 4

/** A stored value failed its checksum, or an entry that must exist is missing. */
export class DamagedEntry extends Error {
  override readonly name = 'DamagedEntry'
  constructor(readonly key: Uint8Array) {
    super(`damaged index entry ${Buffer.from(key).toString('latin1')}`)
  }
}

/** CRC-32 of key and value together, so that a value under a wrong key is found as well. */
export function entryChecksum(key: Uint8Array, value: Uint8Array): number {
  return crc32(value, crc32(key))
}

/** Returns the stored form of a value: the value and its checksum. */
export function appendChecksum(key: Uint8Array, value: Uint8Array): Buffer {
  const sealed = Buffer.allocUnsafe(CHECKSUM_BYTES + value.length)
  sealed.set(value, 0)
  sealed.writeUInt32LE(entryChecksum(key, value), value.length)
  return sealed
}

/** Returns a value without its checksum (a view, no copy). @throws DamagedEntry */
export function stripChecksum(key: Uint8Array, sealed: Buffer): Buffer {
  if (!isIntactValue(key, sealed)) throw new DamagedEntry(key)
  return sealed.subarray(0, -CHECKSUM_BYTES)
}

export function isIntactValue(key: Uint8Array, sealed: Buffer): boolean {
  return (
    sealed.length >= CHECKSUM_BYTES &&
    storedChecksum(sealed) === entryChecksum(key, sealed.subarray(0, -CHECKSUM_BYTES))
  )
}

/** The same for a key followed by its value with checksum, as stored in a page. */
export function isIntactPageEntry(entry: Buffer, keyLength: number): boolean {
  return (
    entry.length >= keyLength + CHECKSUM_BYTES && storedChecksum(entry) === crc32(entry.subarray(0, -CHECKSUM_BYTES))
  )
}

/** Returns the checksum at the end of a stored value. */
export function storedChecksum(sealed: Buffer): number {
  return sealed.readUInt32LE(sealed.length - CHECKSUM_BYTES)
}

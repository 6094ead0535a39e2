/**
 * Parameters of a cyclic redundancy check as used by S3: reflected, initial value and final XOR all ones, any width. The
 * functions here are slow and meant for small inputs.
 */
export interface CrcParameters {
  bits: number
  polynomial: bigint
}

export const CRC_PARAMETERS: Record<'CRC32' | 'CRC32C' | 'CRC64NVME', CrcParameters> = {
  CRC32: { bits: 32, polynomial: 0xedb88320n },
  CRC32C: { bits: 32, polynomial: 0x82f63b78n },
  CRC64NVME: { bits: 64, polynomial: 0x9a6c9329ac4bc9b5n },
}

/** Returns the check value of a short input. */
export function computeCrc({ bits, polynomial }: CrcParameters, bytes: Uint8Array): bigint {
  const ones = (1n << BigInt(bits)) - 1n
  const table = Array.from({ length: 256 }, (_, i) => {
    let value = BigInt(i)
    for (let bit = 0; bit < 8; bit++) value = value & 1n ? (value >> 1n) ^ polynomial : value >> 1n
    return value
  })
  let crc = ones
  for (const byte of bytes) crc = (crc >> 8n) ^ (table[Number((crc ^ BigInt(byte)) & 0xffn)] ?? 0n)
  return crc ^ ones
}

/** Returns the check value of the concatenated parts from their own check values. `size` is in bytes. */
export function combineCrcs(crc: CrcParameters, parts: { value: bigint; size: number }[]): bigint {
  const shifts = new Map<number, bigint[]>()
  return parts.reduce((whole, { value, size }) => {
    const shift = shifts.get(size) ?? zeroBytesMap(crc, size)
    shifts.set(size, shift)
    return applyBitMap(shift, whole) ^ value
  }, 0n)
}

/** Applies a linear map on check values, given as the image of each bit. */
function applyBitMap(map: bigint[], value: bigint): bigint {
  let result = 0n
  for (let bit = 0, rest = value; rest > 0n; bit++, rest >>= 1n) if (rest & 1n) result ^= map[bit] ?? 0n
  return result
}

/** Returns the map that appends `size` zero bytes, computed by repeated squaring. */
function zeroBytesMap({ bits, polynomial }: CrcParameters, size: number): bigint[] {
  const unit = Array.from({ length: bits }, (_, i) => 1n << BigInt(i))
  let square = unit.map((_, i) => (i === 0 ? polynomial : 1n << BigInt(i - 1)))
  let result = unit
  for (let rest = BigInt(size) * 8n; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = result.map((column) => applyBitMap(square, column))
    square = square.map((column) => applyBitMap(square, column))
  }
  return result
}

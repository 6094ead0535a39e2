import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { createCRC32, createCRC64, type IHasher } from 'hash-wasm'
import type { Checksum, ChecksumAlgorithm } from '../../engine/interface/types.ts'
import { S3Error } from '../../lib/errors.ts'
import type { StoreCall } from '../call/call.ts'

/** Computes a checksum incrementally. */
export interface ChecksumHasher {
  update(chunk: Uint8Array): void
  /** Returns the checksum in base64. Must be called only once; the hasher cannot be used afterwards. */
  digest(): string
}

export const CHECKSUM_HEADERS: Record<ChecksumAlgorithm, string> = {
  CRC32: 'x-amz-checksum-crc32',
  CRC32C: 'x-amz-checksum-crc32c',
  CRC64NVME: 'x-amz-checksum-crc64nvme',
  SHA1: 'x-amz-checksum-sha1',
  SHA256: 'x-amz-checksum-sha256',
}
const ALGORITHMS = Object.keys(CHECKSUM_HEADERS) as ChecksumAlgorithm[]
const DIGEST_BYTES: Record<ChecksumAlgorithm, number> = { CRC32: 4, CRC32C: 4, CRC64NVME: 8, SHA1: 20, SHA256: 32 }

/** Returns the XML element of a checksum, such as `ChecksumCRC32`. */
export function checksumElement(algorithm: ChecksumAlgorithm): string {
  return `Checksum${algorithm}`
}

/** Reads `crc32c`, `CRC32C` …; undefined for an unknown name. */
export function parseChecksumAlgorithm(name: string): ChecksumAlgorithm | undefined {
  const upper = name.toUpperCase()
  return ALGORITHMS.find((algorithm) => algorithm === upper)
}

/** Returns the algorithm in `x-amz-checksum-algorithm` for a new object. @throws S3Error InvalidRequest: unknown */
export function requestedChecksumAlgorithm(call: StoreCall): ChecksumAlgorithm | undefined {
  const name = call.header('x-amz-checksum-algorithm')
  if (name === undefined) return undefined
  const algorithm = parseChecksumAlgorithm(name)
  if (!algorithm) throw new S3Error('InvalidRequest', 'Checksum algorithm provided is unsupported.')
  return algorithm
}

// WebAssembly instances are expensive to create and cheap to reset, so they are reused.
const pools: Record<'CRC32C' | 'CRC64NVME', { make: () => Promise<IHasher>; free: IHasher[] }> = {
  CRC32C: { make: () => createCRC32(0x82f63b78), free: [] },
  CRC64NVME: { make: () => createCRC64('9a6c9329ac4bc9b5'), free: [] },
}

export async function createHasher(algorithm: ChecksumAlgorithm): Promise<ChecksumHasher> {
  switch (algorithm) {
    case 'CRC32': {
      let value = 0
      return {
        update: (chunk) => {
          value = crc32(chunk, value)
        },
        digest: () => {
          const bytes = Buffer.alloc(4)
          bytes.writeUInt32BE(value)
          return bytes.toString('base64')
        },
      }
    }
    case 'SHA1':
    case 'SHA256': {
      const hash = createHash(algorithm.toLowerCase())
      return { update: (chunk) => void hash.update(chunk), digest: () => hash.digest('base64') }
    }
    default: {
      const pool = pools[algorithm]
      const instance = pool.free.pop() ?? (await pool.make())
      instance.init()
      return {
        update: (chunk) => void instance.update(chunk),
        digest: () => {
          const value = Buffer.from(instance.digest('binary')).toString('base64')
          pool.free.push(instance)
          return value
        },
      }
    }
  }
}

/** The checksum that a request carries or announces. */
export interface ExpectedChecksum {
  algorithm: ChecksumAlgorithm
  /** Base64; undefined if it is in the trailer. */
  value: string | undefined
}

/**
 * Reads the `x-amz-checksum-…` header or the announcement in `x-amz-trailer`.
 * @throws S3Error InvalidRequest: two checksums, an unknown one, or a value of the wrong length
 */
export function expectedChecksum(call: StoreCall): ExpectedChecksum | undefined {
  const { headers } = call.request
  let found: ExpectedChecksum | undefined
  for (const algorithm of ALGORITHMS) {
    const value = headers[CHECKSUM_HEADERS[algorithm]]
    if (typeof value !== 'string') continue
    if (found) throw new S3Error('InvalidRequest', 'Expecting a single x-amz-checksum- header.')
    found = { algorithm, value: requireChecksumDigest(algorithm, value) }
  }
  const trailer = headers['x-amz-trailer']
  if (typeof trailer !== 'string') return found
  const name = trailer.trim().toLowerCase()
  if (!name.startsWith('x-amz-checksum-')) return found
  const announced = ALGORITHMS.find((algorithm) => CHECKSUM_HEADERS[algorithm] === name)
  if (!announced)
    throw new S3Error('InvalidRequest', 'The value specified in the x-amz-trailer header is not supported')
  if (found) throw new S3Error('InvalidRequest', 'Expecting a single x-amz-checksum- header.')
  return { algorithm: announced, value: undefined }
}

/**
 * Decodes a digest from base64. Undefined if it has another length or is not in canonical form, for example without padding,
 * with spaces or with trailing text.
 */
export function decodeDigest(base64: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length === length && bytes.toString('base64') === base64 ? bytes : undefined
}

/** @throws S3Error InvalidRequest when the value is not the base64 of a digest of this algorithm */
export function requireChecksumDigest(algorithm: ChecksumAlgorithm, value: string): string {
  if (decodeDigest(value, DIGEST_BYTES[algorithm])) return value
  throw new S3Error('InvalidRequest', `Value for ${CHECKSUM_HEADERS[algorithm]} header is invalid.`)
}

/** Returns the headers of an answer with the checksum and its type. */
export function checksumHeaders(checksum: Checksum): Record<string, string> {
  return { [CHECKSUM_HEADERS[checksum.algorithm]]: checksum.value, 'x-amz-checksum-type': checksum.type }
}

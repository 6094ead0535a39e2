import { createHash } from 'node:crypto'
import { S3Error } from '../../lib/errors.ts'
import type { Checksum, ChecksumAlgorithm } from '../interface/types.ts'
import type { PartRecord, UploadRecord } from '../records/index-records.ts'
import { CRC_PARAMETERS, combineCrcs, computeCrc } from './crc.ts'

/**
 * Returns the checksum of an object made of parts: either of the whole object, combined from those of the parts (CRCs only),
 * or of the concatenated checksums of the parts, with `-n`. Undefined if the parts have no checksums.
 * @throws S3Error XAmzContentChecksumMismatch if it differs from the expected one
 */
export function compositeChecksum(
  upload: UploadRecord,
  parts: PartRecord[],
  expected: Checksum | undefined,
): Checksum | undefined {
  const algorithm = upload.checksumAlgorithm ?? parts[0]?.checksum?.algorithm
  const values = parts.map(({ checksum, size }) => ({ checksum, size }))
  if (!algorithm || values.some(({ checksum }) => checksum?.algorithm !== algorithm)) return undefined
  const known = values.flatMap(({ checksum, size }) =>
    checksum ? [{ value: Buffer.from(checksum.value, 'base64'), size }] : [],
  )
  const type = upload.checksumType ?? expected?.type ?? (algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE')
  const checksum = type === 'FULL_OBJECT' ? fullObjectChecksum(algorithm, known) : checksumOfChecksums(algorithm, known)
  if (
    expected &&
    expected.algorithm === algorithm &&
    withoutPartCount(expected.value) !== withoutPartCount(checksum.value)
  ) {
    throw new S3Error('XAmzContentChecksumMismatch', 'The provided checksum does not match what was computed.')
  }
  return checksum
}

/** Removes the number of parts, which some clients send. */
function withoutPartCount(value: string): string {
  return value.replace(/-\d+$/, '')
}

function fullObjectChecksum(algorithm: ChecksumAlgorithm, parts: { value: Buffer; size: number }[]): Checksum {
  if (algorithm === 'SHA1' || algorithm === 'SHA256') {
    throw new S3Error('InvalidRequest', `The ${algorithm} checksum of parts cannot be of the type FULL_OBJECT.`)
  }
  const joined = combineCrcs(
    CRC_PARAMETERS[algorithm],
    parts.map(({ value, size }) => ({ value: BigInt(`0x${value.toString('hex')}`), size })),
  )
  return { algorithm, value: base64(joined, CRC_PARAMETERS[algorithm].bits), type: 'FULL_OBJECT' }
}

function checksumOfChecksums(algorithm: ChecksumAlgorithm, parts: { value: Buffer }[]): Checksum {
  const all = Buffer.concat(parts.map(({ value }) => value))
  const value =
    algorithm === 'SHA1' || algorithm === 'SHA256'
      ? createHash(algorithm).update(all).digest('base64')
      : base64(computeCrc(CRC_PARAMETERS[algorithm], all), CRC_PARAMETERS[algorithm].bits)
  return { algorithm, value: `${value}-${parts.length}`, type: 'COMPOSITE' }
}

function base64(value: bigint, bits: number): string {
  return Buffer.from(value.toString(16).padStart(bits / 4, '0'), 'hex').toString('base64')
}

import type { Checksum, ChecksumAlgorithm, ObjectHandle } from '../../engine/types.ts'
import { createHasher } from '../checksums.ts'

/**
 * The checksum of the whole that a copy was asked to have. A copy shares its source's bytes and moves none, so they are
 * read for this alone, unless the source has that checksum already.
 */
export async function checksumOfCopy(source: ObjectHandle, algorithm: ChecksumAlgorithm): Promise<Checksum> {
  const known = source.info.checksum
  if (known?.algorithm === algorithm && known.type === 'FULL_OBJECT') return known
  const hasher = await createHasher(algorithm)
  for await (const chunk of source.read()) hasher.update(chunk)
  return { algorithm, value: hasher.digest(), type: 'FULL_OBJECT' }
}

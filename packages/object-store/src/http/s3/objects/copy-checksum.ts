import type { Checksum, ChecksumAlgorithm, ObjectHandle } from '../../../engine/interface/types.ts'
import { createHasher } from '../../bodies/checksums.ts'

/**
 * Returns the requested checksum of a copied object. A copy shares its source's bytes, so they are only read for this, unless
 * the source already has that checksum.
 */
export async function copyChecksum(source: ObjectHandle, algorithm: ChecksumAlgorithm): Promise<Checksum> {
  const known = source.info.checksum
  if (known?.algorithm === algorithm && known.type === 'FULL_OBJECT') return known
  const hasher = await createHasher(algorithm)
  for await (const chunk of source.read()) hasher.update(chunk)
  return { algorithm, value: hasher.digest(), type: 'FULL_OBJECT' }
}

import type { Checksum } from '../../engine/types.ts'
import { tag } from '../../xml.ts'
import { checksumElement } from '../checksums.ts'

/** Returns the XML elements for value and type of a checksum. */
export function checksumTags(checksum: Checksum | undefined): string {
  if (!checksum) return ''
  return tag(checksumElement(checksum.algorithm), checksum.value) + tag('ChecksumType', checksum.type)
}

/** Returns the kind of an object's checksum, in the form of listings. */
export function checksumAlgorithmTags(checksum: Checksum): string {
  return tag('ChecksumAlgorithm', checksum.algorithm) + tag('ChecksumType', checksum.type)
}

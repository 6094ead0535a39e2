import type { Checksum } from '../../engine/interface/types.ts'
import { xmlTag } from '../../lib/xml.ts'
import { checksumElement } from './checksums.ts'

/** Returns the XML elements for value and type of a checksum. */
export function checksumElements(checksum: Checksum | undefined): string {
  if (!checksum) return ''
  return xmlTag(checksumElement(checksum.algorithm), checksum.value) + xmlTag('ChecksumType', checksum.type)
}

/** Returns the kind of an object's checksum, in the form of listings. */
export function checksumAlgorithmElements(checksum: Checksum): string {
  return xmlTag('ChecksumAlgorithm', checksum.algorithm) + xmlTag('ChecksumType', checksum.type)
}

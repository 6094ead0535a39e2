import { compileGlob, globMatches } from '@stowage/iam-policy'
import type { ConfigValues } from '../config/config-target.ts'
import { parseSwitch, splitList } from '../config/value-types.ts'
import type { CompressionRule } from '../engine/interface/types.ts'

/** File extensions of compressed formats. */
const COMPRESSED_EXTENSIONS = /\.(gz|bz2|rar|zip|7z|xz|zst|mp4|mkv|mov|webm|mp3|jpe?g|png|gif|webp)$/i
const COMPRESSED_TYPES =
  /^(video|audio)\/|^application\/(zip|x-gzip|gzip|x-zip-compressed|x-compress|x-bzip2?|x-xz|zstd|x-7z-compressed|vnd\.rar)$/i

/** Returns the rule for compressed objects from the values of `compression`: their extension or content type is listed. */
export function compressionRule(values: ConfigValues): CompressionRule {
  if (parseSwitch(values.enable ?? '') !== true) return () => false
  const allowEncryption = parseSwitch(values.allow_encryption ?? '') === true
  const endings = splitList(values.extensions ?? '').map((item) => item.toLowerCase())
  const types = splitList(values.mime_types ?? '').map((item) =>
    compileGlob(item.toLowerCase(), { questionMark: 'unit' }),
  )
  return ({ key, contentType, isEncrypted }) => {
    if (isEncrypted && !allowEncryption) return false
    const [type = ''] = contentType.toLowerCase().split(';')
    const name = key.toLowerCase()
    if (COMPRESSED_EXTENSIONS.test(name) || COMPRESSED_TYPES.test(type.trim())) return false
    return (
      endings.some((ending) => ending === '*' || name.endsWith(ending)) ||
      types.some((glob) => globMatches(glob, type.trim()))
    )
  }
}

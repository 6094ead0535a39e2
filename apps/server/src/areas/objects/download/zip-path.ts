import { markMisleadingCharacters, shortenFileName } from '../../../lib/http/downloads/file-name.ts'

/**
 * Returns the path in a zip for a key: relative, without `..`, drive letters, or names that file systems refuse. Misleading
 * characters are replaced by markers.
 */
export function zipPath(key: string): string {
  const parts = markMisleadingCharacters(key)
    .replaceAll('\\', '_')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => shortenFileName(part === '..' || part === '.' ? part.replaceAll('.', '_') : part))
  const path = parts.join('/').replace(/^([A-Za-z]):/, '$1_')
  return key.endsWith('/') ? `${path}/` : path
}

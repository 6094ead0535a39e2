import { cutName, visibleName } from '../../lib/http/file-name.ts'

/**
 * The path in a zip for a key: relative, without steps up, drive letters, or names that no file can have. Characters that
 * mislead the reader are shown as markers.
 */
export function zipPath(key: string): string {
  const parts = visibleName(key)
    .replaceAll('\\', '_')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => cutName(part === '..' || part === '.' ? part.replaceAll('.', '_') : part))
  const path = parts.join('/').replace(/^([A-Za-z]):/, '$1_')
  return key.endsWith('/') ? `${path}/` : path
}

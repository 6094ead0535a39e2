import { hash } from 'node:crypto'
import { visibleName } from '../../lib/http/file-name.ts'

/** What file systems take as one name, in bytes of UTF-8. */
const LONGEST = 255

/**
 * The path in a zip for a key: relative, without steps up, drive letters, or names that no file can have. Characters that
 * mislead the reader are shown as markers.
 */
export function zipPath(key: string): string {
  const parts = visibleName(key)
    .replaceAll('\\', '_')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => fileName(part === '..' || part === '.' ? part.replaceAll('.', '_') : part))
  const path = parts.join('/').replace(/^([A-Za-z]):/, '$1_')
  return key.endsWith('/') ? `${path}/` : path
}

/** A name cut to what a file can have; a hash of the whole keeps two of them apart, and the extension stays. */
export function fileName(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST) return name
  const [extension = ''] = /\.\w{1,10}$/.exec(name) ?? []
  const end = `~${hash('sha256', name, 'hex').slice(0, 8)}${extension}`
  const head = Buffer.from(name).subarray(0, LONGEST - end.length)
  // The cut may split a character; what is left of it is dropped.
  return head.toString().replace(/\ufffd+$/, '') + end
}

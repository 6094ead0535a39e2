import { cutName, visibleName } from './file-name.ts'

/**
 * The header that names a download (RFC 6266): an ASCII name for old clients and, if that differs, the real name as RFC 5987
 * encodes it. Misleading characters become markers (`visibleName`), and the name is shortened, because proxies refuse answers
 * with long headers.
 */
export function contentDisposition(kind: 'attachment' | 'inline', name: string): string {
  const shown = cutName(visibleName(name)) || 'download'
  const plain = shown.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  const header = `${kind}; filename="${plain}"`
  return plain === shown ? header : `${header}; filename*=UTF-8''${encodeExtended(shown)}`
}

/** RFC 5987 allows fewer characters than `encodeURIComponent` leaves. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*!]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The file name of an object: the part of its key after the last slash. */
export function fileNameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

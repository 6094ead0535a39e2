import { markMisleadingCharacters, shortenFileName } from './file-name.ts'

/**
 * Returns the header with the name of a download (RFC 6266): an ASCII name for old clients and, if it differs, the real name
 * encoded as in RFC 5987. Misleading characters are replaced by markers (`markMisleadingCharacters`), and the name is shortened, because
 * proxies refuse answers with long headers.
 */
export function contentDisposition(kind: 'attachment' | 'inline', name: string): string {
  const shown = shortenFileName(markMisleadingCharacters(name)) || 'download'
  const plain = shown.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  const header = `${kind}; filename="${plain}"`
  return plain === shown ? header : `${header}; filename*=UTF-8''${encodeExtended(shown)}`
}

/** Encodes a text for RFC 5987, which allows fewer characters than `encodeURIComponent` leaves unescaped. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*!]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Returns the file name of an object: the part of its key after the last slash. */
export function objectFileName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

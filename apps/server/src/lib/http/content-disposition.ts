import { cutName, visibleName } from './file-name.ts'

/**
 * The header that names a download, by RFC 6266: a plain name for old clients and, where that cannot say it all, the real
 * one by RFC 5987. Characters that mislead the reader are shown as `visibleName` does,
 * and a name is cut to what a file can have: proxies refuse answers with long headers.
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

/** The name under which an object is saved: what stands behind the last slash of its key. */
export function fileNameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

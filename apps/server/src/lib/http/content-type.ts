import mime from 'mime'

const OCTETS = 'application/octet-stream'

/** The type of content: the stored one, or where that says nothing, what the key's extension means. */
export function contentTypeOf(stored: string | undefined, key: string): string {
  if (stored && stored !== OCTETS && stored !== 'binary/octet-stream') return stored
  return mime.getType(key.slice(key.lastIndexOf('/') + 1)) ?? OCTETS
}

/** Types that a browser shows without running anything of theirs. No SVG, no XML, no HTML: those carry script. */
const SAFE = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/heic',
  'image/heif',
  'image/x-icon',
  'image/vnd.microsoft.icon',
  'application/pdf',
])

/**
 * The type under which content may be shown in a page, or undefined when it may only be saved. Every other text is shown
 * as plain text.
 */
export function previewTypeOf(type: string): string | undefined {
  const bare = (type.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (SAFE.has(bare) || /^(audio|video)\/[\w.+-]+$/.test(bare)) return bare
  if (bare === 'application/json' || (bare.startsWith('text/') && !/^text\/(html|xml|xsl|.*xml)$/.test(bare)))
    return 'text/plain; charset=utf-8'
  return undefined
}

/**
 * The policy of users' content. Chromium shows no PDF inside a sandbox, and its viewer lets no script of the document out,
 * so a PDF goes without that word.
 */
export function contentPolicy(type: string): string {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; frame-ancestors 'self'"
  return type === 'application/pdf' ? `${policy}; object-src 'self'` : `${policy}; sandbox`
}

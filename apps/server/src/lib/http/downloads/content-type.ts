import mime from 'mime'

const OCTETS = 'application/octet-stream'

/** Returns the content type: the stored one or, if that is generic, the type of the key's extension. */
export function guessContentType(stored: string | undefined, key: string): string {
  if (stored && stored !== OCTETS && stored !== 'binary/octet-stream') return stored
  return mime.getType(key.slice(key.lastIndexOf('/') + 1)) ?? OCTETS
}

/** Types that a browser displays without running their scripts. SVG, XML and HTML are excluded. */
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
 * Returns the type with which content may be shown in a page; undefined if it may only be downloaded. Other kinds of text are
 * shown as plain text.
 */
export function previewContentType(type: string): string | undefined {
  const bare = (type.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (SAFE.has(bare) || /^(audio|video)\/[\w.+-]+$/.test(bare)) return bare
  if (bare === 'application/json' || (bare.startsWith('text/') && !/^text\/(html|xml|xsl|.*xml)$/.test(bare)))
    return 'text/plain; charset=utf-8'
  return undefined
}

/**
 * Returns the Content-Security-Policy of users' content. Chromium does not display a PDF in a sandbox, and its viewer isolates
 * scripts of the document, so a PDF is sent without `sandbox`.
 */
export function userContentPolicy(type: string): string {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; frame-ancestors 'self'"
  return type === 'application/pdf' ? `${policy}; object-src 'self'` : `${policy}; sandbox`
}

/*
 * The writer of an object chooses its type, and a browser that opens it would run its scripts in the store's origin, on
 * the same host as the console and all other buckets.
 */

/** Types that browsers never execute. All others count as active, including unknown ones. */
const INERT = new Set([
  'application/gzip',
  'application/json',
  'application/octet-stream',
  'application/vnd.apache.parquet',
  'application/x-gzip',
  'application/x-ndjson',
  'application/x-tar',
  'application/zip',
  'application/zstd',
  'binary/octet-stream',
  'image/apng',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/heic',
  'image/heif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/vnd.microsoft.icon',
  'image/webp',
  'image/x-icon',
  'text/css',
  'text/csv',
  'text/javascript',
  'text/markdown',
  'text/plain',
])

/** Matches a single type with optional parameters. Browsers use the last of several types separated by commas. */
const ONE_TYPE = /^([a-z0-9.+-]+\/[a-z0-9.+-]+)\s*(?:;[^,]*)?$/i

const STYLED = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; font-src 'self'"
const SANDBOX = `${STYLED}; sandbox`
/** Chromium does not show PDFs inside a sandbox, and its viewer isolates scripts of the document. */
const PDF = `${STYLED}; object-src 'self'`

/**
 * Returns the Content-Security-Policy for content of this type; undefined if it needs none.
 * @param type content type as sent
 */
export function sandboxPolicy(type: string): string | undefined {
  const bare = ONE_TYPE.exec(type)?.[1]?.toLowerCase() ?? ''
  if (INERT.has(bare) || /^(?:audio|video|font)\/[^+]+$/.test(bare)) return undefined
  return bare === 'application/pdf' ? PDF : SANDBOX
}

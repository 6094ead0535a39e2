/*
 * The writer of an object chooses its type, and a browser that opens it would run its scripts in the store's origin, on
 * the same host as the console and all other buckets.
 */

/** Types of which browsers run nothing. All others count as active, including unknown ones. */
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

/** One type, perhaps with parameters. Of several, separated by commas, browsers use the last. */
const ONE_TYPE = /^([a-z0-9.+-]+\/[a-z0-9.+-]+)\s*(?:;[^,]*)?$/i

const STYLED = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; font-src 'self'"
const SANDBOX = `${STYLED}; sandbox`
/** Chromium shows no PDF inside a sandbox, and its viewer lets no script of the document out. */
const PDF = `${STYLED}; object-src 'self'`

/**
 * The Content-Security-Policy with which content of this type may be opened; undefined where it needs none.
 * @param type as it is sent
 */
export function sandboxPolicy(type: string): string | undefined {
  const bare = ONE_TYPE.exec(type)?.[1]?.toLowerCase() ?? ''
  if (INERT.has(bare) || /^(?:audio|video|font)\/[^+]+$/.test(bare)) return undefined
  return bare === 'application/pdf' ? PDF : SANDBOX
}

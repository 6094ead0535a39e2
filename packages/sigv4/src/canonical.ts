import { formatScope } from './scope.ts'
import { hmacHex, sha256Hex } from './signing-key.ts'
import type { SignableHeaders, SigningScope } from './types.ts'

export const SIGNING_ALGORITHM = 'AWS4-HMAC-SHA256'

/**
 * The canonical value of a header: trimmed, and each run of blanks and tabs replaced by one blank. Other white space is kept:
 * the value has one character for each byte, and U+00A0 may be the second byte of an `à` in UTF-8.
 */
export function canonicalHeaderValue(value: string | readonly string[]): string {
  const text = (typeof value === 'string' ? value : value.join(',')).replace(/[ \t]+/g, ' ')
  return text.slice(text.startsWith(' ') ? 1 : 0, text.endsWith(' ') ? -1 : undefined)
}

export interface CanonicalParts {
  readonly method: string
  /** Already canonical. */
  readonly path: string
  /** Already canonical. */
  readonly query: string
  readonly headers: SignableHeaders
  /** Lower case, sorted. */
  readonly signedHeaders: readonly string[]
  readonly payloadHash: string
}

/**
 * The text whose hash is signed. It is hashed as one byte per character: `node:http` and undici write and read header values
 * as Latin-1, so these are the bytes that are sent, even if a Go client sends UTF-8.
 */
export function canonicalRequest(parts: CanonicalParts): string {
  let headers = ''
  for (const name of parts.signedHeaders) headers += `${name}:${canonicalHeaderValue(parts.headers[name] ?? '')}\n`
  return [parts.method, parts.path, parts.query, headers, parts.signedHeaders.join(';'), parts.payloadHash].join('\n')
}

export function stringToSign(amzDate: string, scope: SigningScope, canonical: string): string {
  return `${SIGNING_ALGORITHM}\n${amzDate}\n${formatScope(scope)}\n${sha256Hex(canonical)}`
}

export function requestSignature(key: Buffer, amzDate: string, scope: SigningScope, canonical: string): string {
  return hmacHex(key, stringToSign(amzDate, scope, canonical))
}

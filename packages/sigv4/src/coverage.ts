import { SignatureError } from './signature-error.ts'
import type { SignableHeaders } from './types.ts'

/** Headers with these prefixes may change what a request does, including ones that do not exist yet. */
const EFFECTIVE = ['x-amz-', 'x-minio-']

/** Conditions decide whether a write happens. */
const CONDITIONS = new Set(['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'])

/**
 * Whether the signature of a request must cover this header. Anyone who forwards a request or opens a presigned URL can add
 * headers, so an unsigned header must have no effect. Conditions of a read, `Range` and `If-Range` need not be signed:
 * browsers add them to presigned links, and they reveal no more than the signer allowed.
 * @param name lower case
 * @param method upper case
 */
export function mustBeSigned(name: string, method: string): boolean {
  if (EFFECTIVE.some((prefix) => name.startsWith(prefix))) return true
  return CONDITIONS.has(name) && method !== 'GET' && method !== 'HEAD'
}

/** @throws SignatureError AccessDenied, SignatureDoesNotMatch (a header was signed and is not there) */
export function checkSignedHeaders(method: string, headers: SignableHeaders, signedHeaders: readonly string[]): void {
  if (!signedHeaders.includes('host')) throw new SignatureError('AccessDenied', 'The header host must be signed.')
  for (const name of Object.keys(headers)) {
    if (mustBeSigned(name, method) && headers[name] !== undefined && !signedHeaders.includes(name)) {
      throw new SignatureError(
        'AccessDenied',
        `There were headers present in the request which were not signed: ${name}`,
      )
    }
  }
  for (const name of signedHeaders) {
    // The names come from the client: `constructor` must not be found on the prototype.
    if (Object.hasOwn(headers, name) && headers[name] !== undefined) continue
    throw new SignatureError('SignatureDoesNotMatch', `The signed header ${name} is missing.`)
  }
}

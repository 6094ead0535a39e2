import { SignatureError } from './errors.ts'
import type { SignableHeaders } from './types.ts'

/** Headers that begin like this change what a request does, whatever comes after it: new ones are covered too. */
const EFFECTIVE = ['x-amz-', 'x-minio-']

/** Conditions decide whether a write happens. */
const CONDITIONS = new Set(['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'])

/**
 * Whether a signed request may carry this header only if the signature covers it. Anybody who forwards a request or opens
 * a presigned URL can add headers, so an unsigned one must have no effect. The conditions of a read are free, and so are
 * `Range` and `If-Range`: browsers add them to presigned links, and they show no more than the signer has allowed.
 * @param name lower case
 * @param method upper case
 */
export function mustBeSigned(name: string, method: string): boolean {
  if (EFFECTIVE.some((prefix) => name.startsWith(prefix))) return true
  return CONDITIONS.has(name) && method !== 'GET' && method !== 'HEAD'
}

/** @throws SignatureError AccessDenied, SignatureDoesNotMatch (a header was signed and is not there) */
export function checkCoverage(method: string, headers: SignableHeaders, signedHeaders: readonly string[]): void {
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
    // The names come from the client: `constructor` is no header that was sent.
    if (Object.hasOwn(headers, name) && headers[name] !== undefined) continue
    throw new SignatureError('SignatureDoesNotMatch', `The signed header ${name} is missing.`)
  }
}

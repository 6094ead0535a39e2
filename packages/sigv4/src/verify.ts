import type { Authorization } from './authorization.ts'
import { canonicalRequest, requestSignature } from './canonical.ts'
import { checkSignedHeaders } from './coverage.ts'
import { UNSIGNED_PAYLOAD } from './payload.ts'
import type { SignatureSeed } from './sign.ts'
import { SignatureError } from './signature-error.ts'
import { deriveSigningKey, isSameSignature, type SigningKeys } from './signing-key.ts'
import type { SignableRequest } from './types.ts'
import { canonicalPairs, canonicalPath, sortPairs, sortPairsByName } from './uri-encoding.ts'

/** Maximum difference between the clocks of client and server. */
export const MAX_SKEW_MS = 15 * 60 * 1000

export interface VerifyOptions {
  /** Default: now. */
  readonly now?: Date
  /** Avoids deriving the key for each request. */
  readonly keys?: SigningKeys
  /** Hex SHA-256 of the body, for requests whose clients do not send `x-amz-content-sha256` (STS). */
  readonly payloadHash?: string
}

/**
 * Checks that a request was signed with a secret, that its time is right, and that the signature covers all that it must.
 * The caller checks access key, region, service and session token, and the body, as
 * `payloadMode(authorization.payloadHash)` requires.
 * @returns the start of a chain of chunk signatures
 * @throws SignatureError SignatureDoesNotMatch, RequestTimeTooSkewed, AccessDenied (expired, not yet valid, or a header
 *   that must be signed is not), InvalidRequest (no `x-amz-content-sha256`)
 */
export function verifyRequest(
  request: SignableRequest,
  authorization: Authorization,
  secretKey: string,
  options: VerifyOptions = {},
): SignatureSeed {
  const { amzDate, scope, signature } = authorization
  checkTime(authorization, options.now ?? new Date())
  checkSignedHeaders(request.method, request.headers, authorization.signedHeaders)
  const payloadHash = options.payloadHash ?? signedPayloadHash(authorization)
  const key = options.keys ? options.keys.get(secretKey, scope) : deriveSigningKey(secretKey, scope)
  for (const { path, query } of spellings(request, authorization.kind)) {
    const { method, headers } = request
    const { signedHeaders } = authorization
    const canonical = canonicalRequest({ method, path, query, headers, signedHeaders, payloadHash })
    const expected = requestSignature(key, amzDate, scope, canonical)
    if (isSameSignature(expected, signature)) return { key, scope, amzDate, signature }
  }
  throw new SignatureError(
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  )
}

function checkTime(authorization: Authorization, now: Date): void {
  const ageMs = now.getTime() - authorization.time.getTime()
  if (authorization.expiresSeconds === undefined) {
    if (Math.abs(ageMs) <= MAX_SKEW_MS) return
    throw new SignatureError(
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
    )
  }
  if (ageMs < -MAX_SKEW_MS) throw new SignatureError('AccessDenied', 'Request is not valid yet')
  // A URL that is valid for 0 seconds is well-formed, but always expired.
  const { expiresSeconds } = authorization
  if (expiresSeconds === 0 || ageMs > expiresSeconds * 1000)
    throw new SignatureError('AccessDenied', 'Request has expired')
}

function signedPayloadHash(authorization: Authorization): string {
  if (authorization.payloadHash !== undefined) return authorization.payloadHash
  if (authorization.kind === 'query') return UNSIGNED_PAYLOAD
  throw new SignatureError('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256')
}

/**
 * The canonical forms that a client may have signed for the same bytes. First the form that S3 documents; then, if they differ, the
 * path exactly as sent (curl and others sign `(` unencoded) and repeated parameters in the order sent (Go's clients).
 */
function* spellings(request: SignableRequest, kind: Authorization['kind']): Generator<{ path: string; query: string }> {
  const pairs = canonicalPairs(request.query).filter(([name]) => kind === 'header' || !isSignature(name))
  const paths = new Set([canonicalPath(request.path), request.path])
  const queries = new Set([sortPairs(pairs), sortPairsByName(pairs)])
  for (const path of paths) for (const query of queries) yield { path, query }
}

function isSignature(name: string): boolean {
  return name.toLowerCase() === 'x-amz-signature'
}

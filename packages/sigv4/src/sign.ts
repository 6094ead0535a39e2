import { formatAmzDate } from './amz-date.ts'
import { canonicalRequest, requestSignature, SIGNING_ALGORITHM } from './canonical.ts'
import { EMPTY_SHA256, UNSIGNED_PAYLOAD } from './payload.ts'
import { formatCredential } from './scope.ts'
import { deriveSigningKey, type SigningKeys } from './signing-key.ts'
import type { SignableHeaders, SignableRequest, SigningCredentials, SigningScope } from './types.ts'
import { canonicalPairs, encodeText, sortPairs } from './uri-encoding.ts'

/** Headers that proxies and HTTP clients change or add, so they are never signed. */
const UNSIGNED = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'transfer-encoding',
  'user-agent',
])

export interface SignOptions {
  readonly credentials: SigningCredentials
  readonly region: string
  /** Default `s3`. */
  readonly service?: string
  /** Default: now. */
  readonly now?: Date
  /** A cache of derived keys. */
  readonly keys?: SigningKeys
}

/** What signed the request: the first link of a chain of chunk signatures. */
export interface SignatureSeed {
  readonly key: Buffer
  readonly scope: SigningScope
  /** `20261121T115125Z` */
  readonly amzDate: string
  /** Hex. */
  readonly signature: string
}

export interface SignedHeaders {
  /** All given headers in lower case, with `x-amz-date`, `x-amz-content-sha256`, the token and `authorization`. */
  readonly headers: Record<string, string>
  readonly seed: SignatureSeed
}

/**
 * Signs a request by its headers. `headers` must contain `host` (without the default port) and all headers to be signed;
 * path and query must be encoded already and must be sent unchanged.
 * @param options.payloadHash hex SHA-256 of the body or one of the words of `payload.ts`; default: hash of no body
 */
export function signHeaders(request: SignableRequest, options: SignOptions & { payloadHash?: string }): SignedHeaders {
  const { credentials, amzDate, scope, key } = prepareSigning(options)
  const payloadHash = options.payloadHash ?? EMPTY_SHA256
  const headers: Record<string, string> = { ...lowerCase(request.headers), 'x-amz-date': amzDate }
  headers['x-amz-content-sha256'] = payloadHash
  if (credentials.sessionToken) headers['x-amz-security-token'] = credentials.sessionToken
  const signedHeaders = listSignableHeaders(headers)
  const query = sortPairs(canonicalPairs(request.query))
  const canonical = canonicalRequest({ ...request, query, headers, signedHeaders, payloadHash })
  const signature = requestSignature(key, amzDate, scope, canonical)
  headers.authorization =
    `${SIGNING_ALGORITHM} Credential=${formatCredential(credentials.accessKey, scope)}, ` +
    `SignedHeaders=${signedHeaders.join(';')}, Signature=${signature}`
  return { headers, seed: { key, scope, amzDate, signature } }
}

/**
 * Signs a request by its query, for a URL that others can open. Only `host` and the given headers are signed; whoever
 * opens the URL must send those headers with the same values.
 * @param options.expiresSeconds 1 to 604800 (seven days); servers refuse anything else
 * @returns the whole query without `?`, signature last
 */
export function presign(request: SignableRequest, options: SignOptions & { expiresSeconds: number }): string {
  const { credentials, amzDate, scope, key } = prepareSigning(options)
  const headers = lowerCase(request.headers)
  const signedHeaders = listSignableHeaders(headers)
  const auth: [string, string][] = [
    ['X-Amz-Algorithm', SIGNING_ALGORITHM],
    ['X-Amz-Credential', formatCredential(credentials.accessKey, scope)],
    ['X-Amz-Date', amzDate],
    ['X-Amz-Expires', String(options.expiresSeconds)],
    ['X-Amz-SignedHeaders', signedHeaders.join(';')],
  ]
  if (credentials.sessionToken) auth.push(['X-Amz-Security-Token', credentials.sessionToken])
  const encoded = auth.map(([name, value]) => [name, encodeText(value)] as const)
  const query = sortPairs([...canonicalPairs(request.query), ...encoded])
  const canonical = canonicalRequest({ ...request, query, headers, signedHeaders, payloadHash: UNSIGNED_PAYLOAD })
  return `${query}&X-Amz-Signature=${requestSignature(key, amzDate, scope, canonical)}`
}

function prepareSigning(options: SignOptions) {
  const { credentials, region, service = 's3', now = new Date(), keys } = options
  const amzDate = formatAmzDate(now)
  const scope: SigningScope = { date: amzDate.slice(0, 8), region, service }
  const key = keys ? keys.get(credentials.secretKey, scope) : deriveSigningKey(credentials.secretKey, scope)
  return { credentials, amzDate, scope, key }
}

function listSignableHeaders(headers: Record<string, string>): string[] {
  return Object.keys(headers)
    .filter((name) => !UNSIGNED.has(name))
    .sort()
}

function lowerCase(headers: SignableHeaders): Record<string, string> {
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) out[name.toLowerCase()] = typeof value === 'string' ? value : value.join(',')
  }
  return out
}

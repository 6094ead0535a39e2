import { formatAmzDate, parseAmzDate } from './amz-date.ts'
import { SIGNING_ALGORITHM } from './canonical.ts'
import { parseCredential } from './scope.ts'
import { SignatureError, type SignatureErrorCode } from './signature-error.ts'
import { isVersion2Header, isVersion2Query, version2Error } from './signature-v2.ts'
import type { SignableHeaders, SignableRequest, SigningScope } from './types.ts'
import { canonicalPairs, decodeText } from './uri-encoding.ts'

/** The parsed signature of a request. It is not verified; see `verifyRequest`. */
export interface Authorization {
  /** Where the signature is: in the header or in the query (a presigned URL). */
  readonly kind: 'header' | 'query'
  readonly accessKey: string
  readonly scope: SigningScope
  /** Lower case, sorted. */
  readonly signedHeaders: readonly string[]
  /** Hex. */
  readonly signature: string
  readonly amzDate: string
  readonly time: Date
  /** Presigned only: seconds from `time`, 0 (never valid) to 604800. */
  readonly expiresSeconds?: number
  readonly sessionToken?: string
  /** `x-amz-content-sha256` from the header or, if presigned, from the query. */
  readonly payloadHash?: string
}

const HEADER = 'AuthorizationHeaderMalformed'
const QUERY = 'AuthorizationQueryParametersError'
const MAX_EXPIRES_SECONDS = 7 * 24 * 3600

/**
 * Parses the signature of a request; undefined if it has none (an anonymous request).
 * @throws SignatureError AuthorizationHeaderMalformed, AuthorizationQueryParametersError, AccessDenied (no date),
 *   InvalidRequest (SigV2, another mechanism, or header and query at once)
 */
export function readAuthorization(request: SignableRequest): Authorization | undefined {
  const header = one(request.headers, 'authorization')
  // An optimization: the long query of an anonymous listing need not be split.
  const presigned = /x-amz-(algorithm|signature)=/i.test(request.query)
  if (header !== undefined && presigned) {
    throw new SignatureError('InvalidRequest', 'Only one authentication mechanism is allowed: header or query.')
  }
  if (header !== undefined) return readHeader(header, request.headers)
  if (isVersion2Query(request.query)) throw version2Error()
  return presigned ? readQuery(request.query) : undefined
}

function readHeader(header: string, headers: SignableHeaders): Authorization {
  if (isVersion2Header(header)) throw version2Error()
  if (!header.startsWith(`${SIGNING_ALGORITHM} `)) {
    throw new SignatureError(
      'InvalidRequest',
      `The authorization mechanism you have provided is not supported. Please use ${SIGNING_ALGORITHM}.`,
    )
  }
  const fields = new Map<string, string>()
  for (const part of header.slice(SIGNING_ALGORITHM.length + 1).split(',')) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    if (at < 0 || fields.has(name)) {
      throw new SignatureError(HEADER, 'Expected the fields Credential, SignedHeaders and Signature, once each.')
    }
    fields.set(name, part.slice(at + 1).trim())
  }
  const amzDate = one(headers, 'x-amz-date') ?? httpDate(one(headers, 'date'))
  if (amzDate === undefined) throw new SignatureError('AccessDenied', 'A signed request needs a valid date.')
  const sessionToken = one(headers, 'x-amz-security-token')
  const payloadHash = one(headers, 'x-amz-content-sha256')
  return {
    kind: 'header',
    ...readCommon(HEADER, amzDate, (name) => fields.get(name)),
    ...(sessionToken && { sessionToken }),
    ...(payloadHash !== undefined && { payloadHash }),
  }
}

function readQuery(query: string): Authorization {
  const fields = new Map<string, string>()
  for (const [name, value] of canonicalPairs(query)) {
    const lower = name.toLowerCase()
    if (!lower.startsWith('x-amz-')) continue
    if (fields.has(lower)) throw new SignatureError(QUERY, `${name} is given twice.`)
    fields.set(lower, decodeText(value))
  }
  if (fields.get('x-amz-algorithm') !== SIGNING_ALGORITHM) {
    throw new SignatureError(QUERY, `X-Amz-Algorithm must be ${SIGNING_ALGORITHM}.`)
  }
  const amzDate = fields.get('x-amz-date')
  if (amzDate === undefined) throw new SignatureError(QUERY, 'X-Amz-Date is missing.')
  const expires = fields.get('x-amz-expires') ?? ''
  const expiresSeconds = /^\d{1,9}$/.test(expires) ? Number(expires) : Number.POSITIVE_INFINITY
  if (expiresSeconds > MAX_EXPIRES_SECONDS) {
    throw new SignatureError(QUERY, `X-Amz-Expires must be 1 to ${MAX_EXPIRES_SECONDS} seconds (seven days).`)
  }
  const sessionToken = fields.get('x-amz-security-token')
  const payloadHash = fields.get('x-amz-content-sha256')
  return {
    kind: 'query',
    ...readCommon(QUERY, amzDate, (name) => fields.get(`x-amz-${name.toLowerCase()}`)),
    expiresSeconds,
    ...(sessionToken && { sessionToken }),
    ...(payloadHash !== undefined && { payloadHash }),
  }
}

function readCommon(code: SignatureErrorCode, amzDate: string, field: (name: string) => string | undefined) {
  const credential = parseCredential(field('Credential') ?? '')
  if (!credential)
    throw new SignatureError(code, 'The credential must be <access key>/<date>/<region>/<service>/aws4_request.')
  const signature = field('Signature') ?? ''
  if (!/^[0-9a-fA-F]{64}$/.test(signature)) throw new SignatureError(code, 'The signature must be 64 hex digits.')
  const signedHeaders = (field('SignedHeaders') ?? '').split(';')
  const wellFormed = signedHeaders.every(
    (name, i) => /^[!#-'*+.0-9A-Z^-z|~-]+$/i.test(name) && name !== signedHeaders[i - 1],
  )
  if (!wellFormed) throw new SignatureError(code, 'SignedHeaders must be header names separated by semicolons.')
  const time = parseAmzDate(amzDate)
  if (!time) throw new SignatureError(code, 'The date must have the form 20060102T150405Z.')
  if (credential.scope.date !== amzDate.slice(0, 8)) {
    throw new SignatureError(code, 'The date of the credential is not the date of the request.')
  }
  return { ...credential, signature: signature.toLowerCase(), signedHeaders, amzDate, time }
}

function one(headers: SignableHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(',')
}

/** `Date` may replace `x-amz-date`; the signature then uses it in the protocol's own format. */
function httpDate(text: string | undefined): string | undefined {
  if (text === undefined || parseAmzDate(text)) return text
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? undefined : formatAmzDate(time)
}

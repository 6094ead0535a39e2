import { createHmac, timingSafeEqual } from 'node:crypto'
import { mustBeSigned } from './coverage.ts'
import { SignatureError } from './signature-error.ts'
import type { SignableRequest } from './types.ts'
import { canonicalPairs, canonicalPath, decodeText } from './uri-encoding.ts'

/** The query parameters of a SigV2 signature; their names are case-sensitive. */
const QUERY = /(?:^|&)AWSAccessKeyId=/

/** Whether an `Authorization` header is a SigV2 one: `AWS <access key>:<signature>`. */
export function isVersion2Header(header: string): boolean {
  return header.startsWith('AWS ')
}

/** Whether a query is that of a URL presigned with SigV2. */
export function isVersion2Query(query: string): boolean {
  return QUERY.test(query)
}

/** Whether a browser's form is signed with SigV2 alone. @param fields lower-case names */
export function isVersion2Form(fields: Readonly<Record<string, string | undefined>>): boolean {
  if (fields['x-amz-algorithm'] !== undefined) return false
  return fields.awsaccesskeyid !== undefined || fields.signature !== undefined
}

/**
 * The error for Version 2 where it is refused: it uses SHA-1, covers neither the body nor most headers, and is valid in
 * every region on every day. The code is the one that S3 answers in regions without Version 2.
 */
export function version2Error(): SignatureError {
  return new SignatureError(
    'InvalidRequest',
    'The request is signed with Signature Version 2, which is not supported here. Please use AWS4-HMAC-SHA256: ' +
      'set the signature version of your client to s3v4 (`aws configure set default.s3.signature_version s3v4`), ' +
      'or use a newer client.',
  )
}

/** The signer of a presigned URL or form with SigV2, not verified yet. */
export interface Version2Authorization {
  readonly accessKey: string
  /** Base64. */
  readonly signature: string
  readonly sessionToken?: string
}

/** The parameters of the signature itself. `x-id` is a name that some SDKs add for readers of logs. */
const OWN = new Set(['AWSAccessKeyId', 'Expires', 'Signature', 'x-id'])

/** Headers that boto writes into the query; what counts is the header that is sent. */
const IN_HEADERS = new Set(['content-type', 'content-md5'])

const TOKEN = 'x-amz-security-token'

/** The parameters that are signed: those by which S3 names a part of a bucket or object, or changes the answer. */
const SIGNED = new Set([
  'accelerate',
  'acl',
  'analytics',
  'cors',
  'defaultObjectAcl',
  'delete',
  'encryption',
  'inventory',
  'legal-hold',
  'lifecycle',
  'location',
  'logging',
  'metrics',
  'notification',
  'object-lock',
  'partNumber',
  'policy',
  'replication',
  'requestPayment',
  'response-cache-control',
  'response-content-disposition',
  'response-content-encoding',
  'response-content-language',
  'response-content-type',
  'response-expires',
  'restore',
  'retention',
  'select',
  'select-type',
  'storageClass',
  'tagging',
  'torrent',
  'uploadId',
  'uploads',
  'versionId',
  'versioning',
  'versions',
  'website',
])

/**
 * Reads who presigned a URL with SigV2.
 * @throws SignatureError InvalidRequest (another mechanism as well), AccessDenied (a parameter or a header that has an
 *   effect and that this version does not sign, or a parameter given twice)
 */
export function readVersion2Query({ method, query, headers }: SignableRequest): Version2Authorization {
  if (headers.authorization !== undefined) {
    throw new SignatureError('InvalidRequest', 'Only one authentication mechanism is allowed: header or query.')
  }
  const parameters = new Map<string, string>()
  for (const [encoded, value] of canonicalPairs(query)) {
    const name = decodeText(encoded)
    if (parameters.has(name)) throw uncoveredError(`the parameter ${name} is given twice`)
    parameters.set(name, decodeText(value))
    const covered = OWN.has(name) || SIGNED.has(name) || IN_HEADERS.has(name.toLowerCase()) || name === TOKEN
    if (!covered && !repeatsHeader(name, decodeText(value), headers))
      throw uncoveredError(`the parameter ${name} is not covered by a signature of version 2`)
  }
  for (const name of Object.keys(headers)) {
    if (headers[name] !== undefined && mustBeSigned(name, method) && !name.startsWith('x-amz-'))
      throw uncoveredError(`the header ${name} is not covered by a signature of version 2`)
  }
  const sessionToken = parameters.get(TOKEN)
  if (sessionToken !== undefined && headers[TOKEN] !== undefined)
    throw uncoveredError('the session token is given twice')
  return {
    accessKey: parameters.get('AWSAccessKeyId') ?? '',
    signature: parameters.get('Signature') ?? '',
    ...(sessionToken ? { sessionToken } : {}),
  }
}

/** Whether a parameter only repeats an `x-amz-` header that is sent and signed; boto writes metadata into both. */
function repeatsHeader(name: string, value: string, headers: SignableRequest['headers']): boolean {
  return name.startsWith('x-amz-') && Object.hasOwn(headers, name) && headers[name] === value
}

/** SigV2 also signs the bucket of a virtual-host request. */
export type Version2Request = SignableRequest & { readonly hostedBucket: string | undefined }

/**
 * Checks that a URL was presigned with a secret, and when.
 * @throws SignatureError SignatureDoesNotMatch, AccessDenied (expired)
 */
export function verifyVersion2Query(request: Version2Request, secretKey: string, now = new Date()): void {
  const parameters = new Map(
    canonicalPairs(request.query).map(([name, value]) => [decodeText(name), decodeText(value)] as const),
  )
  const expires = parameters.get('Expires') ?? ''
  if (!/^\d{1,10}$/.test(expires)) throw new SignatureError('AccessDenied', 'Expires must be seconds since 1970.')
  const signature = parameters.get('Signature') ?? ''
  const head = [request.method, headerText(request, 'content-md5'), headerText(request, 'content-type'), expires]
  const rest = amzHeaders(request, parameters.get(TOKEN))
  const paths = new Set([request.path, canonicalPath(request.path)])
  const matches = [...paths].some((path) => {
    const resource = (request.hostedBucket === undefined ? '' : `/${request.hostedBucket}`) + path
    const text = `${head.join('\n')}\n${rest}${resource}${subResources(parameters)}`
    return sameBase64(sign(secretKey, text), signature)
  })
  if (!matches) throw mismatch()
  // Check the expiry after the signature, so that only the owner of the secret learns about it.
  if (Number(expires) * 1000 <= now.getTime()) throw new SignatureError('AccessDenied', 'Request has expired')
}

/**
 * Reads who signed a form with SigV2.
 * @param fields lower-case names
 * @throws SignatureError MissingFields
 */
export function readVersion2Form(
  fields: Readonly<Record<string, string | undefined>>,
): Version2Authorization & { readonly policy: string } {
  const need = (name: string): string => {
    const value = fields[name]
    if (!value) throw new SignatureError('MissingFields', `The form field ${name} is missing.`)
    return value
  }
  const sessionToken = fields[TOKEN]
  return {
    policy: need('policy'),
    accessKey: need('awsaccesskeyid'),
    signature: need('signature'),
    ...(sessionToken ? { sessionToken } : {}),
  }
}

/** Checks the signature of a form. Expiration and conditions stay with the caller. @throws SignatureError */
export function verifyVersion2Form({ policy, signature }: { policy: string; signature: string }, secret: string): void {
  if (!sameBase64(sign(secret, policy), signature)) throw mismatch()
}

function headerText({ headers }: SignableRequest, name: string): string {
  const value = headers[name]
  return (typeof value === 'string' || value === undefined ? (value ?? '') : value.join(',')).trim()
}

function amzHeaders(request: SignableRequest, token: string | undefined): string {
  const names = Object.keys(request.headers).filter(
    (name) => name.startsWith('x-amz-') && request.headers[name] !== undefined,
  )
  const lines = names.map((name) => [name, headerText(request, name)])
  // In a URL the token is in the query, and is signed as a header.
  if (token !== undefined) lines.push([TOKEN, token])
  return lines
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}\n`)
    .join('')
}

function subResources(parameters: ReadonlyMap<string, string>): string {
  const names = [...parameters.keys()].filter((name) => SIGNED.has(name)).sort()
  const parts = names.map((name) => (parameters.get(name) === '' ? name : `${name}=${parameters.get(name)}`))
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** Keys and values in the query are UTF-8. */
function sign(secretKey: string, text: string): Buffer {
  return createHmac('sha1', secretKey).update(text, 'utf8').digest()
}

function sameBase64(expected: Buffer, given: string): boolean {
  const bytes = Buffer.from(given, 'base64')
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

function mismatch(): SignatureError {
  return new SignatureError(
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  )
}

function uncoveredError(what: string): SignatureError {
  return new SignatureError('AccessDenied', `Not signed: ${what}. Use Signature Version 4.`)
}

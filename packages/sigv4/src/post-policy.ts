import { formatAmzDate, parseAmzDate } from './amz-date.ts'
import type { Authorization } from './authorization.ts'
import { SIGNING_ALGORITHM } from './canonical.ts'
import { formatCredential, parseCredential } from './scope.ts'
import type { SignOptions } from './sign.ts'
import { SignatureError } from './signature-error.ts'
import { isVersion2Form, version2Error } from './signature-v2.ts'
import { deriveSigningKey, hmacHex, isSameSignature, type SigningKeys } from './signing-key.ts'
import type { SigningScope } from './types.ts'

/** The form fields of a browser upload that carry its signature. */
export type PostPolicyFields = Record<
  'policy' | 'x-amz-algorithm' | 'x-amz-credential' | 'x-amz-date' | 'x-amz-signature',
  string
> &
  Partial<Record<'x-amz-security-token', string>>

/**
 * Signs a POST policy. The policy's conditions must name the credential, algorithm and date that are returned, so it
 * is built by the caller from them.
 * @param policy makes the policy document's JSON
 */
export function signPostPolicy(
  policy: (fields: Omit<PostPolicyFields, 'policy' | 'x-amz-signature'>) => string,
  options: SignOptions,
): PostPolicyFields {
  const { credentials, region, service = 's3', now = new Date(), keys } = options
  const amzDate = formatAmzDate(now)
  const scope: SigningScope = { date: amzDate.slice(0, 8), region, service }
  const fields = {
    'x-amz-algorithm': SIGNING_ALGORITHM,
    'x-amz-credential': formatCredential(credentials.accessKey, scope),
    'x-amz-date': amzDate,
    ...(credentials.sessionToken && { 'x-amz-security-token': credentials.sessionToken }),
  }
  const base64 = Buffer.from(policy(fields)).toString('base64')
  const key = keys ? keys.get(credentials.secretKey, scope) : deriveSigningKey(credentials.secretKey, scope)
  return { ...fields, policy: base64, 'x-amz-signature': hmacHex(key, base64) }
}

/** The signature of a POST policy and its credential. */
export type PostAuthorization = Pick<
  Authorization,
  'accessKey' | 'scope' | 'signature' | 'amzDate' | 'time' | 'sessionToken'
> & { readonly policy: string }

/**
 * Reads the signature of a browser upload; undefined when the form has no policy (an anonymous upload).
 * @param fields lower-case names
 * @throws SignatureError MissingFields, InvalidArgument, InvalidRequest (SigV2)
 */
export function readPostAuthorization(
  fields: Readonly<Record<string, string | undefined>>,
): PostAuthorization | undefined {
  const { policy } = fields
  if (policy === undefined) return undefined
  if (isVersion2Form(fields)) throw version2Error()
  const need = (name: string): string => {
    const value = fields[name]
    if (!value) throw new SignatureError('MissingFields', `The form field ${name} is missing.`)
    return value
  }
  if (need('x-amz-algorithm') !== SIGNING_ALGORITHM) {
    throw new SignatureError('InvalidArgument', `x-amz-algorithm must be ${SIGNING_ALGORITHM}.`)
  }
  const credential = parseCredential(need('x-amz-credential'))
  const amzDate = need('x-amz-date')
  const time = parseAmzDate(amzDate)
  if (!credential || !time || credential.scope.date !== amzDate.slice(0, 8)) {
    throw new SignatureError('InvalidArgument', 'x-amz-credential or x-amz-date is malformed, or their days differ.')
  }
  const sessionToken = fields['x-amz-security-token']
  const signature = need('x-amz-signature').toLowerCase()
  return { ...credential, signature, amzDate, time, policy, ...(sessionToken && { sessionToken }) }
}

/**
 * Checks the signature of a POST policy. The caller checks its expiration and conditions.
 * @throws SignatureError SignatureDoesNotMatch
 */
export function verifyPostPolicy(authorization: PostAuthorization, secretKey: string, keys?: SigningKeys): void {
  const { scope, policy, signature } = authorization
  const key = keys ? keys.get(secretKey, scope) : deriveSigningKey(secretKey, scope)
  if (isSameSignature(hmacHex(key, policy), signature)) return
  throw new SignatureError('SignatureDoesNotMatch', 'The signature of the POST policy does not match.')
}

import type { SigningCredentials } from '@stowage/sigv4'
import { readXml, type XmlDocument, xmlChild, xmlChildText } from '../formats/xml.ts'
import { type ParsedFailure, parseFailure } from '../transport/parse-failure.ts'
import { type StorageAnswer, type StorageConnection, sendCall } from '../transport/send.ts'
import type { AdminCallOptions } from '../transport/transport.ts'
import { StsError } from './sts-error.ts'

export interface StsOptions extends StorageConnection {
  /** The credentials of a user or of root; service accounts and temporary credentials cannot assume a role. */
  readonly credentials: SigningCredentials
  /** The server compares it with its configured region, if any. Default `us-east-1`. */
  readonly region?: string
}

export interface AssumeRoleRequest extends AdminCallOptions {
  /** 900 to 31,536,000 (a year; RustFS: 43,200). Default: one hour, set by the server. */
  readonly durationSeconds?: number
  /** A policy document that limits the rights further, up to 2048 bytes. */
  readonly policy?: object
  /** A label by which `revokeTokens` can end these credentials; ignored by servers before March 2025. */
  readonly tokenRevokeType?: string
}

export interface TemporaryCredentials {
  readonly credentials: Required<SigningCredentials>
  readonly expiration: Date
}

/**
 * Exchanges an access key and a secret key for temporary credentials with the same rights.
 * @throws StsError InvalidAccessKeyId, SignatureDoesNotMatch, AccessDenied (a service account or temporary credentials),
 *   InvalidParameterValue (duration), MalformedPolicyDocument; the network's own errors
 */
export async function assumeRole(options: StsOptions, request: AssumeRoleRequest = {}): Promise<TemporaryCredentials> {
  const { credentials, region = 'us-east-1' } = options
  const { durationSeconds, policy, tokenRevokeType, signal } = request
  const form = new URLSearchParams({ Action: 'AssumeRole', Version: '2011-06-15' })
  if (durationSeconds !== undefined) form.set('DurationSeconds', String(durationSeconds))
  if (policy !== undefined) form.set('Policy', JSON.stringify(policy))
  if (tokenRevokeType !== undefined) form.set('TokenRevokeType', tokenRevokeType)
  const answer = await sendCall(options, {
    method: 'POST',
    path: '/',
    body: Buffer.from(form.toString()),
    contentType: 'application/x-www-form-urlencoded',
    sign: { credentials, region, service: 'sts' },
    // May be repeated: credentials that were lost in transit do no harm.
    idempotent: true,
    signal,
  })
  return readAnswer('AssumeRole', answer)
}

export interface WebIdentityRequest extends AssumeRoleRequest {
  /** The ID token. */
  readonly token: string
  /** Identifies a provider with role policies; otherwise a claim of the token contains the policies. */
  readonly roleArn?: string | undefined
}

/**
 * Exchanges the ID token of an OpenID provider for temporary credentials. Nothing is signed.
 * @throws StsError InvalidParameterValue (the token or role), InternalError; network errors
 */
export async function assumeRoleWithWebIdentity(
  connection: StorageConnection,
  { token, roleArn, ...request }: WebIdentityRequest,
): Promise<TemporaryCredentials> {
  const fields = { WebIdentityToken: token, ...(roleArn === undefined ? {} : { RoleArn: roleArn }) }
  // As for `assumeRole`.
  return await assumeUnsigned(connection, 'AssumeRoleWithWebIdentity', fields, { ...request, idempotent: true })
}

export interface LdapIdentityRequest extends AssumeRoleRequest {
  /** User name in the directory. */
  readonly username: string
  readonly password: string
}

/**
 * Exchanges the password of a user of the server's directory (LDAP) for temporary credentials. Nothing is signed.
 * @throws StsError InvalidParameterValue (name, password, no policy, or no directory); the network's own errors
 */
export async function assumeRoleWithLdapIdentity(
  connection: StorageConnection,
  { username, password, ...request }: LdapIdentityRequest,
): Promise<TemporaryCredentials> {
  const fields = { LDAPUsername: username, LDAPPassword: password }
  // Not repeated: directories lock users out after some attempts.
  return await assumeUnsigned(connection, 'AssumeRoleWithLDAPIdentity', fields, { ...request, idempotent: false })
}

/** All fields are in the body, because URLs are written to logs. */
async function assumeUnsigned(
  connection: StorageConnection,
  action: string,
  fields: Record<string, string>,
  request: AssumeRoleRequest & { idempotent: boolean },
): Promise<TemporaryCredentials> {
  const form = new URLSearchParams({ Action: action, Version: '2011-06-15', ...fields })
  if (request.durationSeconds !== undefined) form.set('DurationSeconds', String(request.durationSeconds))
  if (request.policy !== undefined) form.set('Policy', JSON.stringify(request.policy))
  if (request.tokenRevokeType !== undefined) form.set('TokenRevokeType', request.tokenRevokeType)
  const answer = await sendCall(connection, {
    method: 'POST',
    path: '/',
    body: Buffer.from(form.toString()),
    contentType: 'application/x-www-form-urlencoded',
    idempotent: request.idempotent,
    signal: request.signal,
  })
  return readAnswer(action, answer)
}

function readAnswer(action: string, { status, body }: StorageAnswer): TemporaryCredentials {
  const text = body.toString('utf8')
  if (status !== 200) throw new StsError({ ...precise(parseFailure(status, text)), status })
  const given = readCredentials(action, text)
  if (given) return given
  throw new StsError({ code: '', message: 'The answer holds no credentials. Is this a storage server?', status })
}

/** Returns the precise code: MinIO's STS answers AccessDenied for every signature error; only the message differs. */
function precise(failure: ParsedFailure): ParsedFailure {
  if (failure.code !== 'AccessDenied') return failure
  if (/access key id you provided does not exist/i.test(failure.message))
    return { ...failure, code: 'InvalidAccessKeyId' }
  if (/signature we calculated does not match/i.test(failure.message))
    return { ...failure, code: 'SignatureDoesNotMatch' }
  return failure
}

function readCredentials(action: string, text: string): TemporaryCredentials | undefined {
  let document: XmlDocument
  try {
    document = readXml(text)
  } catch {
    return undefined // The caller reports an answer without credentials.
  }
  if (document.name !== `${action}Response`) return undefined
  const given = xmlChild(xmlChild(document.node, `${action}Result`), 'Credentials')
  const member = (name: string) => xmlChildText(given, name) ?? ''
  const accessKey = member('AccessKeyId')
  const expiration = new Date(member('Expiration'))
  if (accessKey === '' || Number.isNaN(expiration.getTime())) return undefined
  const secretKey = member('SecretAccessKey')
  return { credentials: { accessKey, secretKey, sessionToken: member('SessionToken') }, expiration }
}

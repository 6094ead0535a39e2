import type { Credentials } from '@stowage/sigv4'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { type Failure, failureOf } from './failure.ts'
import { at, textOf } from './json.ts'
import { type Connection, send } from './send.ts'
import { StsError } from './sts-error.ts'
import type { CallOptions } from './transport.ts'

export interface StsOptions extends Connection {
  /** Of a user or of root; neither service accounts nor temporary credentials can assume a role. */
  readonly credentials: Credentials
  /** The server compares it with its own when it has one. Default `us-east-1`. */
  readonly region?: string
}

export interface AssumeRoleRequest extends CallOptions {
  /** 900 to 31,536,000 (a year; RustFS: 43,200). Default: the server's, one hour. */
  readonly durationSeconds?: number
  /** A policy document that limits the rights further, up to 2048 bytes. */
  readonly policy?: object
  /** A word by which `revokeTokens` can end these credentials; ignored by servers before March 2025. */
  readonly tokenRevokeType?: string
}

export interface TemporaryCredentials {
  readonly credentials: Required<Credentials>
  readonly expiration: Date
}

const xml = new XMLParser({ parseTagValue: false, trimValues: false, htmlEntities: true })

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
  const answer = await send(options, {
    method: 'POST',
    path: '/',
    body: Buffer.from(form.toString()),
    contentType: 'application/x-www-form-urlencoded',
    sign: { credentials, region, service: 'sts' },
    // Credentials that nobody got to see do no harm, and a sign-in should not fail over a broken connection.
    idempotent: true,
    signal,
  })
  const text = answer.body.toString('utf8')
  if (answer.status !== 200) throw new StsError({ ...precise(failureOf(answer.status, text)), status: answer.status })
  const given = XMLValidator.validate(text) === true ? readAssumeRole(text) : undefined
  if (given) return given
  const message = 'The answer holds no credentials. Is this a storage server?'
  throw new StsError({ code: '', message, status: answer.status })
}

/** MinIO's STS says AccessDenied for everything about the signature, and what is wrong only in the text. */
function precise(failure: Failure): Failure {
  if (failure.code !== 'AccessDenied') return failure
  if (/access key id you provided does not exist/i.test(failure.message))
    return { ...failure, code: 'InvalidAccessKeyId' }
  if (/signature we calculated does not match/i.test(failure.message))
    return { ...failure, code: 'SignatureDoesNotMatch' }
  return failure
}

function readAssumeRole(text: string): TemporaryCredentials | undefined {
  const given = at(at(at(xml.parse(text), 'AssumeRoleResponse'), 'AssumeRoleResult'), 'Credentials')
  const accessKey = textOf(at(given, 'AccessKeyId'))
  const expiration = new Date(textOf(at(given, 'Expiration')))
  if (accessKey === '' || Number.isNaN(expiration.getTime())) return undefined
  const secretKey = textOf(at(given, 'SecretAccessKey'))
  return { credentials: { accessKey, secretKey, sessionToken: textOf(at(given, 'SessionToken')) }, expiration }
}

import { createSession, type SessionCredentials } from '../../iam/sessions.ts'
import { S3Error } from '../../lib/errors.ts'
import { XML_HEAD, xmlTag } from '../../lib/xml.ts'
import type { StoreCall } from '../call/call.ts'

const DEFAULT_SECONDS = 3600

/** Opens a session with the caller's rights. Derived credentials may not. RoleArn and its companions are ignored. */
export async function handleAssumeRole(call: StoreCall, form: URLSearchParams): Promise<void> {
  const { identity } = call
  if (identity?.kind !== 'root' && identity?.kind !== 'user') {
    throw new S3Error('AccessDenied', 'Temporary credentials and service accounts cannot assume a role.')
  }
  const session = await createSession(call.store.iam, {
    parent: identity.user,
    durationSeconds: parseDurationSeconds(form.get('DurationSeconds')),
    policy: form.get('Policy') || undefined,
    revokeType: form.get('TokenRevokeType') || undefined,
  })
  call.xml(
    `${XML_HEAD}<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>` +
      '<AssumedRoleUser><Arn></Arn><AssumeRoleId></AssumeRoleId></AssumedRoleUser>' +
      `${sessionCredentialsXml(session)}</AssumeRoleResult><ResponseMetadata>${xmlTag('RequestId', call.id)}</ResponseMetadata></AssumeRoleResponse>`,
  )
}

/** Returns the element with the credentials of a session, which all STS answers contain. */
export function sessionCredentialsXml({ accessKey, secretKey, sessionToken, expiresAt }: SessionCredentials): string {
  const expiration = new Date(expiresAt).toISOString().replace('.000Z', 'Z')
  return (
    `<Credentials>${xmlTag('AccessKeyId', accessKey)}${xmlTag('SecretAccessKey', secretKey)}` +
    `${xmlTag('SessionToken', sessionToken)}${xmlTag('Expiration', expiration)}</Credentials>`
  )
}

/** @returns NaN if it is not a number of seconds */
export function parseDurationSeconds(text: string | null): number {
  if (text === null || text === '') return DEFAULT_SECONDS
  // Digits only: `Number` accepts 1e3 and 0x400 too. `createSession` refuses values that are too short or too long.
  return /^\d+$/.test(text) ? Number(text) : Number.NaN
}

import { createSession } from '../../iam/sessions.ts'
import { S3Error } from '../../lib/errors.ts'
import { XML_HEAD, xmlTag } from '../../lib/xml.ts'
import type { StoreCall } from '../call/call.ts'
import { parseDurationSeconds, sessionCredentialsXml } from './assume-role.ts'

/** Opens a session for the holder of an ID token from a known provider. The request is not signed: the token authenticates it. */
export async function handleAssumeRoleWithWebIdentity(call: StoreCall, form: URLSearchParams): Promise<void> {
  const { iam, openid } = call.store
  const token = form.get('WebIdentityToken') ?? ''
  if (token === '') throw new S3Error('MissingParameter', 'Missing WebIdentityToken')
  const user = await openid.verify(token, form.get('RoleArn') || undefined)
  const asked = form.get('DurationSeconds')
  const session = await createSession(iam, {
    parent: user.parent,
    external: { provider: user.provider, policies: user.policies, claims: user.claims },
    // Without a duration the session ends with the token.
    durationSeconds: asked
      ? parseDurationSeconds(asked)
      : Math.max(900, Math.ceil((user.expiresAt - iam.now()) / 1000)),
    policy: form.get('Policy') || undefined,
    revokeType: form.get('TokenRevokeType') || undefined,
  })
  call.xml(
    `${XML_HEAD}<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">` +
      '<AssumeRoleWithWebIdentityResult><AssumedRoleUser><Arn></Arn><AssumeRoleId></AssumeRoleId></AssumedRoleUser>' +
      `${sessionCredentialsXml(session)}${xmlTag('SubjectFromWebIdentityToken', user.subject)}</AssumeRoleWithWebIdentityResult>` +
      `<ResponseMetadata>${xmlTag('RequestId', call.id)}</ResponseMetadata></AssumeRoleWithWebIdentityResponse>`,
  )
}

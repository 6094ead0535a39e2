import { isLdapSignInRefusal } from '../../iam/ldap/ldap-user.ts'
import { allowedSessionSeconds, createSession } from '../../iam/sessions.ts'
import { S3Error } from '../../lib/errors.ts'
import { XML_HEAD, xmlTag } from '../../lib/xml.ts'
import { clientNetwork } from '../../requests/request-origin.ts'
import type { StoreCall } from '../call/call.ts'
import { parseDurationSeconds, sessionCredentialsXml } from './assume-role.ts'

/**
 * Creates a session for a user of the directory. Nothing is signed: the password is the credential. It is only read from the
 * body, because URLs are written to logs.
 */
export async function handleAssumeRoleWithLdapIdentity(call: StoreCall, form: URLSearchParams): Promise<void> {
  const { iam, ldap, ldapGuesses, ldapTurns } = call.store
  // As on MinIO; STS has no specific code for this.
  if (!ldap.isConfigured) throw new S3Error('InvalidParameterValue', 'LDAP is not configured.')
  const [username, password] = [form.get('LDAPUsername') ?? '', form.get('LDAPPassword') ?? '']
  if (username === '' || password === '') {
    throw new S3Error('MissingParameter', 'LDAPUsername and LDAPPassword must not be empty')
  }
  const asked = form.get('DurationSeconds')
  const durationSeconds = allowedSessionSeconds(asked ? parseDurationSeconds(asked) : ldap.sessionSeconds)
  // Query the directory only if the request is otherwise valid.
  const from = clientNetwork(call.record.remoteAddress)
  const user = await ldapGuesses.run(
    { name: username, from },
    isLdapSignInRefusal,
    async () => await ldapTurns.run(from, async () => await ldap.signIn(username, password)),
  )
  const external = { kind: 'ldap' as const, username: user.username, groups: user.groups }
  if (iam.externalPolicyNames(user.dn, external).length === 0) {
    const message = `No policy is attached to ${user.dn} or to one of its groups.`
    throw new S3Error('InvalidParameterValue', message)
  }
  const session = await createSession(iam, {
    parent: user.dn,
    external,
    durationSeconds,
    policy: form.get('Policy') || undefined,
    revokeType: form.get('TokenRevokeType') || undefined,
  })
  call.xml(
    `${XML_HEAD}<AssumeRoleWithLDAPIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">` +
      `<AssumeRoleWithLDAPIdentityResult>${sessionCredentialsXml(session)}</AssumeRoleWithLDAPIdentityResult>` +
      `<ResponseMetadata>${xmlTag('RequestId', call.id)}</ResponseMetadata></AssumeRoleWithLDAPIdentityResponse>`,
  )
}

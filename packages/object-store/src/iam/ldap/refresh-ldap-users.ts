import { setInterval } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { PendingIamChange } from '../collection.ts'
import type { Iam } from '../iam.ts'
import type { LdapRecord } from '../iam-records.ts'
import type { LdapDirectory } from './ldap-directory.ts'

const INTERVAL_MS = 10 * 60_000

/** Checks every ten minutes whether users of the directory still exist, and which groups they have. */
export async function refreshPeriodically(
  iam: Iam,
  ldap: LdapDirectory,
  log: Logger,
  closing: AbortSignal,
): Promise<void> {
  try {
    for await (const _ of setInterval(INTERVAL_MS, undefined, { signal: closing, ref: false })) {
      await refreshLdapUsers(iam, ldap).catch((err: unknown) => log.warn({ err }, 'the directory could not be asked'))
    }
  } catch (error) {
    if (!closing.aborted) throw error
  }
}

/**
 * Ends the sessions of users that no longer exist in the directory, disables their service accounts, and updates the groups of
 * all others. Changes nothing if the directory does not answer.
 * @throws S3Error ServiceUnavailable, SlowDown
 */
export async function refreshLdapUsers(iam: Iam, ldap: LdapDirectory): Promise<void> {
  if (!ldap.canLookUp) return
  const users = new Map<string, string>()
  for (const [, { parent, external }] of [...iam.sessions.entries(), ...iam.serviceAccounts.entries()]) {
    if (external?.kind === 'ldap') users.set(parent, external.username)
  }
  if (users.size === 0) return
  const memberships = await ldap.currentGroups(users)
  await iam.update(() => refreshChanges(iam, memberships))
}

function refreshChanges(iam: Iam, memberships: ReadonlyMap<string, string[] | undefined>): PendingIamChange[] {
  const changes: PendingIamChange[] = []
  for (const [accessKey, session] of iam.sessions.entries()) {
    const external = ldapRecord(session.external, session.parent, memberships)
    if (!external) continue
    const groups = memberships.get(session.parent)
    if (!groups) changes.push(iam.sessions.change(accessKey, undefined))
    else if (differs(groups, external.groups)) {
      changes.push(iam.sessions.change(accessKey, { ...session, external: { ...external, groups } }))
    }
  }
  for (const [accessKey, account] of iam.serviceAccounts.entries()) {
    const external = ldapRecord(account.external, account.parent, memberships)
    if (!external) continue
    const groups = memberships.get(account.parent)
    if (!groups) {
      if (account.status === 'on') changes.push(iam.serviceAccounts.change(accessKey, { ...account, status: 'off' }))
    } else if (differs(groups, external.groups)) {
      changes.push(iam.serviceAccounts.change(accessKey, { ...account, external: { ...external, groups } }))
    }
  }
  return changes
}

/** Returns undefined if this is not a user of the directory, or was created after the directory was queried. */
function ldapRecord(
  external: { kind?: string } | undefined,
  parent: string,
  memberships: ReadonlyMap<string, unknown>,
): LdapRecord | undefined {
  return external?.kind === 'ldap' && memberships.has(parent) ? (external as LdapRecord) : undefined
}

const differs = (a: readonly string[], b: readonly string[]) => a.join('\n') !== b.join('\n')

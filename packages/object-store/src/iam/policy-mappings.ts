import { S3Error } from '../lib/errors.ts'
import type { IamCollection, PendingIamChange } from './collection.ts'
import { requireGroup } from './groups.ts'
import type { Iam } from './iam.ts'
import type { MappingRecord } from './iam-records.ts'
import { noSuchPolicy } from './policies.ts'

/** The holder of policies. Users and groups of a directory must already be resolved to their distinguished names. */
export interface PolicyHolder {
  kind: 'user' | 'group' | 'ldap-user' | 'ldap-group'
  name: string
}

/**
 * Replaces all policies of a user or group; none removes the mapping.
 * @throws S3Error XMinioAdminNoSuchUser (also for a disabled user), XMinioAdminNoSuchGroup, XMinioAdminNoSuchPolicy
 */
export function setPolicies(iam: Iam, holder: PolicyHolder, policies: readonly string[]): Promise<void> {
  return iam.update(() => {
    requireHolder(iam, holder)
    requirePolicies(iam, policies)
    return [mappingChange(iam, holder, [...new Set(policies)])]
  })
}

/**
 * Adds policies to those of a user or group.
 * @returns those that were not attached before, and when
 * @throws S3Error as `setPolicies`, XMinioAdminPolicyChangeAlreadyApplied, XMinioAdminGroupDisabled
 */
export function attachPolicies(iam: Iam, holder: PolicyHolder, policies: readonly string[]): Promise<MappingChange> {
  return changePolicies(iam, holder, policies, (current, asked) => asked.filter((name) => !current.includes(name)))
}

/** The opposite of `attachPolicies`. */
export function detachPolicies(iam: Iam, holder: PolicyHolder, policies: readonly string[]): Promise<MappingChange> {
  return changePolicies(iam, holder, policies, (current, asked) => asked.filter((name) => current.includes(name)))
}

export interface MappingChange {
  policies: string[]
  /** ms since 1970. */
  updatedAt: number
}

async function changePolicies(
  iam: Iam,
  holder: PolicyHolder,
  policies: readonly string[],
  effective: (current: readonly string[], asked: readonly string[]) => string[],
): Promise<MappingChange> {
  let changed: string[] = []
  await iam.update(() => {
    requireHolder(iam, holder)
    if (holder.kind === 'group' && iam.groups.get(holder.name)?.status !== 'enabled') {
      throw new S3Error('XMinioAdminGroupDisabled', 'The specified group is disabled.')
    }
    requirePolicies(iam, policies)
    const current = holderMappings(iam, holder).get(holder.name)?.policies ?? []
    changed = effective(current, [...new Set(policies)])
    if (changed.length === 0) {
      throw new S3Error('XMinioAdminPolicyChangeAlreadyApplied', 'The specified policy change is already in effect.')
    }
    // The names to change are either all in the current list, or none of them is.
    const kept = current.filter((name) => !changed.includes(name))
    return [mappingChange(iam, holder, kept.length < current.length ? kept : [...current, ...changed])]
  })
  return { policies: changed, updatedAt: iam.now() }
}

function mappingChange(iam: Iam, holder: PolicyHolder, policies: string[]): PendingIamChange {
  const record = policies.length === 0 ? undefined : { policies, updatedAt: iam.now() }
  return holderMappings(iam, holder).change(holder.name, record)
}

export function holderMappings(iam: Iam, { kind }: Pick<PolicyHolder, 'kind'>): IamCollection<MappingRecord> {
  switch (kind) {
    case 'user':
      return iam.userPolicies
    case 'group':
      return iam.groupPolicies
    case 'ldap-user':
      return iam.ldapUserPolicies
    case 'ldap-group':
      return iam.ldapGroupPolicies
  }
}

function requireHolder(iam: Iam, { kind, name }: PolicyHolder): void {
  if (kind === 'group') requireGroup(iam, name)
  else if (kind === 'user' && iam.users.get(name)?.status !== 'enabled') {
    throw new S3Error('XMinioAdminNoSuchUser', 'The specified user does not exist or is disabled.')
  }
}

function requirePolicies(iam: Iam, policies: readonly string[]): void {
  if (policies.some((name) => iam.policyText(name) === undefined)) throw noSuchPolicy()
}

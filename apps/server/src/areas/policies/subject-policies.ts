import { reason } from '@stowage/contract'
import type { AccessExplanation, AccessSource, AccessSubject } from '@stowage/contract/policies/explain-access'
import { isEmptyPolicy, type PolicyDocument, policyFromJson } from '@stowage/iam-policy'
import { type Madmin, MadminError } from '@stowage/madmin'
import pMap from 'p-map'
import { HttpError } from '../../lib/errors/http-errors.ts'
import type { SessionContext } from '../../lib/http/serve.ts'

/** Groups and policies that are read at the same time. */
const CONCURRENCY = 8

type SubjectContext = Pick<SessionContext, 'madmin' | 'session'>

/** A policy of a subject, with its document. */
export interface HeldPolicy extends Omit<AccessSource, 'policy' | 'statements'> {
  document: PolicyDocument
}

/** Everything that decides what a subject may do, except bucket policies. */
export interface SubjectPolicies {
  /** Undefined for an anonymous caller or a group. */
  user?: string
  groups: readonly string[]
  kind: AccessSubject['type']
  policies: readonly HeldPolicy[]
  /** The policy of the access key, which must allow the action as well. */
  embedded?: HeldPolicy
  suspended?: AccessExplanation['suspended']
  /** A user of a directory. Its `user` is a distinguished name; the name to sign in with is unknown if it was not asked for. */
  directory?: { loginName?: string }
  /** The groups of a directory's user cannot be read. */
  groupsUnknown?: boolean
  /** Their policies are known, but not the names of the groups, which conditions may need. */
  groupNamesUnknown?: boolean
  /** The subject is root, or an access key of root: allowed unless denied. */
  owner?: boolean
  /** The rights of the access key's parent cannot be read. */
  parentUnknown?: boolean
}

/**
 * Reads the policies of a subject, with the rights of the caller. Everyone may ask about themselves: if the server does not let
 * callers read their policies one by one, their effective policy is used instead.
 * @throws HttpError 404 unknown subject; MadminError AccessDenied
 */
export async function readSubjectPolicies(subject: AccessSubject, context: SubjectContext): Promise<SubjectPolicies> {
  switch (subject.type) {
    case 'anonymous':
      return { kind: 'anonymous', groups: [], policies: [] }
    case 'group':
      return (
        (await readGroup(context.madmin, subject.name)) ??
        (await readDirectoryGroup(context.madmin, subject.name)) ??
        notFound(reason('group-not-found'))
      )
    case 'user':
      return (
        (await readUser(context, subject.name)) ??
        (await readDirectoryUser(context.madmin, subject.name)) ??
        notFound(reason('user-not-found'))
      )
    case 'access-key':
      return await readAccessKey(context, subject.name)
  }
}

async function readGroup(madmin: Madmin, name: string): Promise<SubjectPolicies | undefined> {
  const group = await undefinedIfCode(madmin.getGroup(name), 'XMinioAdminNoSuchGroup')
  if (!group) return undefined
  const policies = await readPolicies(madmin, new Map(group.policies.map((policy) => [policy, directAttachment()])))
  const suspended = group.status === 'disabled' ? { suspended: { type: 'group' as const, name } } : {}
  return { kind: 'group', groups: [name], policies, ...suspended }
}

/** Where a policy is attached. */
interface Attachment {
  direct: boolean
  groups: string[]
}
const directAttachment = (): Attachment => ({ direct: true, groups: [] })

async function readUser(context: SubjectContext, name: string): Promise<SubjectPolicies | undefined> {
  const { madmin, session } = context
  const self = name === session.user
  try {
    const holder = await readBuiltInUser(madmin, name)
    // Root, and users of an identity provider, are not in the list of users.
    return holder ?? (self ? await readSelf(madmin, name) : undefined)
  } catch (error) {
    if (self && error instanceof MadminError && error.code === 'AccessDenied') return await readSelf(madmin, name)
    throw error
  }
}

async function readBuiltInUser(madmin: Madmin, name: string): Promise<SubjectPolicies | undefined> {
  const user = await undefinedIfCode(madmin.getUser(name), 'XMinioAdminNoSuchUser')
  if (!user) return undefined
  const groups = await pMap(user.memberOf, (group) => madmin.getGroup(group), { concurrency: CONCURRENCY })
  const attached = new Map<string, Attachment>(user.policies.map((policy) => [policy, { direct: true, groups: [] }]))
  for (const group of groups) addGroupPolicies(attached, group.name, group.policies)
  const off = groups.find(({ status }) => status === 'disabled')
  const suspended: SubjectPolicies['suspended'] =
    user.status === 'disabled' ? { type: 'user', name } : off && { type: 'group', name: off.name }
  return {
    kind: 'user',
    user: name,
    groups: user.memberOf,
    policies: await readPolicies(madmin, attached),
    ...(suspended ? { suspended } : {}),
  }
}

function addGroupPolicies(attached: Map<string, Attachment>, group: string, policies: readonly string[]): void {
  for (const policy of policies) {
    const at = attached.get(policy) ?? { direct: false, groups: [] }
    at.groups.push(group)
    attached.set(policy, at)
  }
}

/** Returns a user of the directory, by distinguished name or, on our own store, by the name to sign in with. */
async function readDirectoryUser(madmin: Madmin, name: string): Promise<SubjectPolicies | undefined> {
  const entities = await undefinedWithoutDirectory(madmin.listPolicyEntities({ provider: 'ldap', users: [name] }))
  const found = entities?.users[0]
  if (!entities || (!found && !isDistinguishedName(name))) return undefined
  const { user, policies, groups, memberOf } = found ?? { user: name, policies: [], groups: [], memberOf: undefined }
  const attached = new Map<string, Attachment>(policies.map((policy) => [policy, { direct: true, groups: [] }]))
  for (const { group, policies: ofGroup } of groups) addGroupPolicies(attached, group, ofGroup)
  return {
    kind: 'user',
    user,
    groups: memberOf ?? [],
    policies: await readPolicies(madmin, attached),
    directory: isDistinguishedName(name) ? {} : { loginName: name },
    ...(memberOf === undefined ? { groupsUnknown: true } : {}),
  }
}

async function readDirectoryGroup(madmin: Madmin, name: string): Promise<SubjectPolicies | undefined> {
  if (!isDistinguishedName(name)) return undefined
  const entities = await undefinedWithoutDirectory(madmin.listPolicyEntities({ provider: 'ldap', groups: [name] }))
  if (!entities) return undefined
  const { group, policies } = entities.groups[0] ?? { group: name, policies: [] }
  const attached = new Map(policies.map((policy) => [policy, directAttachment()]))
  return { kind: 'group', groups: [group], policies: await readPolicies(madmin, attached) }
}

/** Built-in names have no `=`. */
const isDistinguishedName = (name: string) => name.includes('=')

/** Returns undefined if the server has no directory, or if the caller has no right to the policies of its users. */
async function undefinedWithoutDirectory<T>(call: Promise<T>): Promise<T | undefined> {
  return await call.catch((error: unknown) => {
    if (!(error instanceof MadminError)) throw error
    if (error.unsupported || error.code === 'AccessDenied' || error.rawCode === 'XMinioLDAPNotEnabled') return undefined
    throw error
  })
}

/** Returns the caller with its effective policy. */
async function readSelf(madmin: Madmin, user: string): Promise<SubjectPolicies> {
  const { policy, rights } = await madmin.accountInfo({ buckets: false })
  const { owner = false } = rights ?? {}
  // Not the policy of the session that asks: the question is about the user.
  const policies = [effectivePolicy(user, rights?.policy ?? policy)]
  return { kind: 'user', user, groups: [], policies, ...(owner ? { owner } : { groupNamesUnknown: true }) }
}

const effectivePolicy = (user: string, policy: unknown): HeldPolicy => ({
  kind: 'effective',
  name: user,
  direct: true,
  groups: [],
  found: true,
  document: policyFromJson(policy),
})

async function readPolicies(madmin: Madmin, attached: ReadonlyMap<string, Attachment>): Promise<HeldPolicy[]> {
  return await pMap(
    attached,
    async ([name, { direct, groups }]) => {
      const policy = await undefinedIfCode(madmin.getPolicy(name), 'XMinioAdminNoSuchPolicy')
      const document = policyFromJson(policy?.policy ?? {})
      return { kind: 'policy' as const, name, direct, groups, found: policy !== undefined, document }
    },
    { concurrency: CONCURRENCY },
  )
}

async function readAccessKey(context: SubjectContext, accessKey: string): Promise<SubjectPolicies> {
  const { madmin } = context
  const account = await findServiceAccount(madmin, accessKey)
  // The name of a user is an access key too.
  if (!account || account instanceof MadminError) {
    const user = await readUser(context, accessKey)
    if (user) return user
    if (account) throw account
    return notFound(reason('access-key-not-found'))
  }
  const parent = await readUser(context, account.parentUser)
  const embedded: HeldPolicy | undefined = account.impliedPolicy
    ? undefined
    : { ...effectivePolicy(accessKey, account.policy), kind: 'embedded' }
  const suspended: SubjectPolicies['suspended'] =
    account.status === 'disabled' ? { type: 'access-key', name: accessKey } : parent?.suspended
  return {
    ...(parent ?? fromAccount(account)),
    kind: 'access-key',
    ...(embedded ? { embedded } : {}),
    ...(suspended ? { suspended } : {}),
  }
}

/** MinIO answers AccessDenied for names of users, even to root: treat it as an error only if no user has the name. */
async function findServiceAccount(madmin: Madmin, accessKey: string) {
  try {
    return await undefinedIfCode(
      madmin.getServiceAccount(accessKey),
      'XMinioInvalidIAMCredentials',
      'XMinioAdminNoSuchAccessKey',
      'XMinioAdminServiceAccountNotFound',
    )
  } catch (error) {
    if (error instanceof MadminError && error.code === 'AccessDenied') return error
    throw error
  }
}

/** Used if the parent is root or a user of an identity provider: its rights are those reported for the account. */
function fromAccount({ parentUser: user, impliedPolicy, policy }: Awaited<ReturnType<Madmin['getServiceAccount']>>) {
  const isReported = impliedPolicy && !isEmptyPolicy(policyFromJson(policy))
  return isReported
    ? { user, groups: [], policies: [effectivePolicy(user, policy)] }
    : { user, groups: [], policies: [], parentUnknown: true }
}

function notFound(detail: ReturnType<typeof reason>): never {
  throw new HttpError(404, detail)
}

/** Returns the answer, or undefined if the server answers with one of these codes. */
async function undefinedIfCode<T>(call: Promise<T>, ...codes: readonly string[]): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof MadminError && codes.includes(error.code)) return undefined
    throw error
  }
}

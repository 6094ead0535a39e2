import { formatPolicy, parsePolicy, problemText } from '@stowage/iam-policy'
import { S3Error } from '../lib/errors.ts'
import { cannedPolicyNames, cannedPolicyText } from './canned-policies.ts'
import type { Iam } from './iam.ts'
import { checkIamName } from './iam-names.ts'

export interface PolicyDetails {
  /** JSON text. */
  document: string
  /** ms since 1970; undefined for a canned policy. */
  createdAt: number | undefined
  updatedAt: number | undefined
}

/** @throws S3Error XMinioMalformedIAMPolicy, XMinioInvalidResource and XMinioInvalidUTF (the name) */
export async function setPolicy(iam: Iam, name: string, text: string): Promise<void> {
  if (!iam.policies.has(name)) checkIamName('policy', name)
  const document = parseIamPolicy(text)
  return iam.update(() => {
    const now = iam.now()
    const createdAt = iam.policies.get(name)?.createdAt ?? now
    return [iam.policies.change(name, { document, createdAt, updatedAt: now })]
  })
}

/**
 * Removes a stored policy; an unknown name is not an error.
 * @throws S3Error XMinioIAMPolicyInUse, InternalError (built-in policies cannot be removed)
 */
export function removePolicy(iam: Iam, name: string): Promise<void> {
  return iam.update(() => {
    const all = [iam.userPolicies, iam.groupPolicies, iam.ldapUserPolicies, iam.ldapGroupPolicies]
    if (all.flatMap((mappings) => [...mappings.entries()]).some(([, mapping]) => mapping.policies.includes(name))) {
      throw new S3Error('XMinioIAMPolicyInUse', 'The policy is attached to a user or group; detach it first.')
    }
    if (iam.policies.has(name)) return [iam.policies.change(name, undefined)]
    if (cannedPolicyText(name) !== undefined) {
      throw new S3Error('XMinioAdminInvalidArgument', 'A built-in policy cannot be removed.')
    }
    return []
  })
}

/** @throws S3Error XMinioAdminNoSuchPolicy */
export function getPolicy(iam: Iam, name: string): PolicyDetails {
  const stored = iam.policies.get(name)
  if (stored) return stored
  const document = cannedPolicyText(name)
  if (document === undefined) throw noSuchPolicy()
  return { document, createdAt: undefined, updatedAt: undefined }
}

export function listPolicies(iam: Iam): Map<string, PolicyDetails> {
  const names = new Set([...cannedPolicyNames(), ...[...iam.policies.entries()].map(([name]) => name)])
  return new Map([...names].toSorted().map((name) => [name, getPolicy(iam, name)]))
}

/** Returns the normal form of a policy. @throws S3Error XMinioMalformedIAMPolicy with the first problem */
export function parseIamPolicy(text: string): string {
  const result = parsePolicy(text)
  if (result.ok) return formatPolicy(result.policy, { indent: 0 })
  const [problem] = result.errors
  throw new S3Error('XMinioMalformedIAMPolicy', problem ? problemText(problem) : 'The policy cannot be read.')
}

export function noSuchPolicy(): S3Error {
  return new S3Error('XMinioAdminNoSuchPolicy', 'The canned policy does not exist.')
}

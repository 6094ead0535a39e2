import { isEmptyPolicy, policyFromJson } from '@stowage/iam-policy'
import type { ServiceAccountRecord, SessionRecord } from './iam-records.ts'

/** Returns the policies that restrict a session, as JSON texts. */
export function sessionPolicies({ sessionPolicy }: SessionRecord): string[] {
  return sessionPolicy === undefined ? [] : [sessionPolicy]
}

/** Returns the policies that restrict a service account: its own, and those of the credential that created it. */
export function serviceAccountPolicies({ policy, bounds = [] }: ServiceAccountRecord): string[] {
  return policy === undefined || inheritsAllRights(policy) ? bounds : [policy, ...bounds]
}

/**
 * Whether the policy of a service account is empty, so that the account has all rights of its parent: consoles send `null` or
 * `{}` for that. A policy with an empty list of statements allows nothing. MinIO 2025-10-15 behaves the same. The policy of a
 * session always has a version, so it is never empty.
 */
export function inheritsAllRights(text: string): boolean {
  let policy: unknown
  try {
    policy = JSON.parse(text)
  } catch {
    // A policy that cannot be parsed must not extend rights.
    return false
  }
  if (policy === null) return true
  if (typeof policy !== 'object' || Array.isArray(policy)) return false
  const hasStatements = Object.entries(policy).some(([name, value]) => /^statement$/i.test(name) && value !== null)
  return !hasStatements && isEmptyPolicy(policyFromJson(policy))
}

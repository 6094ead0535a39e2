import { isEmptyPolicy, policyFromJson } from '@stowage/iam-policy'
import type { ServiceAccountRecord, SessionRecord } from './records.ts'

/** The policies that narrow a session, as JSON texts. */
export function policiesOfSession({ sessionPolicy }: SessionRecord): string[] {
  return sessionPolicy === undefined ? [] : [sessionPolicy]
}

/** The policies that narrow a service account: its own, and those of the credential that made it. */
export function policiesOfAccount({ policy, bounds = [] }: ServiceAccountRecord): string[] {
  return policy === undefined || inheritsAll(policy) ? bounds : [policy, ...bounds]
}

/**
 * Whether the policy of a service account says nothing, so that the account has all its parent's rights: consoles send
 * `null` or `{}` for "as the parent". An empty list of statements is something else: it allows nothing. MinIO
 * 2025-10-15 answers the same. The policy of a session always has a version, so it never says nothing.
 */
export function inheritsAll(text: string): boolean {
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

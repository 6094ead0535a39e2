import { asObject, asText, asTime, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

export interface AdminPolicy {
  readonly name: string
  /** The document. */
  readonly policy: unknown
  /** RFC 3339; undefined for built-in policies and on older servers. */
  readonly created: string | undefined
  readonly updated: string | undefined
}

/**
 * Returns policy documents by name, including built-in ones. Needs `admin:ListUserPolicies`. @throws MadminError AccessDenied
 */
export async function listPolicies(
  t: Transport,
  options: AdminCallOptions & { bucket?: string } = {},
): Promise<Record<string, unknown>> {
  const { bucket, ...rest } = options
  return asObject(await t.call({ method: 'GET', path: 'list-canned-policies', query: { bucket }, ...rest }))
}

/** Returns a policy. Needs `admin:GetPolicy`. @throws MadminError XMinioAdminNoSuchPolicy */
export async function getPolicy(t: Transport, name: string, options?: AdminCallOptions): Promise<AdminPolicy> {
  return readAdminPolicy(
    name,
    await t.call({ method: 'GET', path: 'info-canned-policy', query: { name, v: '2' }, ...options }),
  )
}

/** Parses the wrapped policy of MinIO and RustFS, and the bare document of MinIO in 2021. */
export function readAdminPolicy(name: string, answer: unknown): AdminPolicy {
  const wrapped = pickMember(answer, 'PolicyName', 'policy_name') !== undefined
  return {
    name,
    policy: wrapped ? pickMember(answer, 'Policy', 'policy') : answer,
    created: wrapped ? asTime(asText(pickMember(answer, 'CreateDate', 'create_date'))) : undefined,
    updated: wrapped ? asTime(asText(pickMember(answer, 'UpdateDate', 'update_date'))) : undefined,
  }
}

/**
 * Adds or replaces a policy, even a built-in one. Needs `admin:CreatePolicy`.
 * @param name without commas, or spaces at either end
 * @param policy the document, up to 20 KiB; `Version` must not be empty
 * @throws MadminError XMinioMalformedIAMPolicy
 */
export async function addPolicy(t: Transport, name: string, policy: object, options?: AdminCallOptions): Promise<void> {
  await t.call({ method: 'PUT', path: 'add-canned-policy', query: { name }, json: policy, ...options })
}

/**
 * Deletes a policy. A missing policy is not an error. Needs `admin:DeletePolicy`.
 * @throws MadminError XMinioIAMPolicyInUse (attached to a user or group), InternalError (built-in)
 */
export async function removePolicy(t: Transport, name: string, options?: AdminCallOptions): Promise<void> {
  await t.call({ method: 'DELETE', path: 'remove-canned-policy', query: { name }, ...options })
}

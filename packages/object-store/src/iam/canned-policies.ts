import { cannedPolicies, formatPolicy } from '@stowage/iam-policy'

const TEXTS = new Map(
  Object.entries(cannedPolicies()).map(([name, policy]) => [name, formatPolicy(policy, { indent: 0 })]),
)

/** Returns the JSON text of a built-in policy. */
export function cannedPolicyText(name: string): string | undefined {
  return TEXTS.get(name)
}

export function cannedPolicyNames(): string[] {
  return [...TEXTS.keys()]
}

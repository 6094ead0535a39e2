import { cannedPolicies, type PolicyDocument, policyFromJson } from '@stowage/iam-policy'
import type { Iam } from './iam.ts'
import type { IamIdentity } from './identity.ts'

/** Returns one document with all statements that apply to a user. Root has the rights of consoleAdmin. */
export function effectivePolicy(iam: Iam, { user, external }: Pick<IamIdentity, 'user' | 'external'>): PolicyDocument {
  if (user === iam.root.accessKey) return cannedPolicies().consoleAdmin
  const names = external ? iam.externalPolicyNames(user, external) : iam.userPolicyNames(user)
  const texts = names.flatMap((name) => iam.policyText(name) ?? [])
  const documents = texts.map((text) => policyFromJson(text))
  return { Version: '2012-10-17', Statement: documents.flatMap(({ Statement }) => Statement) }
}

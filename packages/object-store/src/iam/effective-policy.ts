import { cannedPolicies, type PolicyDocument, policyFromJson } from '@stowage/iam-policy'
import type { Iam } from './iam.ts'
import type { Identity } from './identity.ts'

/** Returns one document with all statements that apply to a user. Root has the rights of consoleAdmin. */
export function effectivePolicy(iam: Iam, { user, external }: Pick<Identity, 'user' | 'external'>): PolicyDocument {
  if (user === iam.root.accessKey) return cannedPolicies().consoleAdmin
  const names = external ? iam.policyNamesOfExternal(user, external) : iam.policyNamesOf(user)
  const texts = names.flatMap((name) => iam.policyText(name) ?? [])
  const documents = texts.map((text) => policyFromJson(text))
  return { Version: '2012-10-17', Statement: documents.flatMap(({ Statement }) => Statement) }
}

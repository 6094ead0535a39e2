import { cannedPolicies, type PolicyDocument, policyFromJson } from '@stowage/iam-policy'
import type { Iam } from './iam.ts'

/** The statements in force for a user, in one document; root has all rights, as consoleAdmin has. */
export function effectivePolicy(iam: Iam, user: string): PolicyDocument {
  if (user === iam.root.accessKey) return cannedPolicies().consoleAdmin
  const documents = iam.policyNamesOf(user).map((name) => policyFromJson(iam.policyText(name) ?? ''))
  return { Version: '2012-10-17', Statement: documents.flatMap(({ Statement }) => Statement) }
}

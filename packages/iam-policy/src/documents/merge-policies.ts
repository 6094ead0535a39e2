import type { PolicyDocument, Statement } from '../language/document.ts'
import { formatPolicy } from './format-policy.ts'

/** Returns one policy with the statements of all policies, without duplicates: the effective policy of a user on servers. */
export function mergePolicies(policies: readonly PolicyDocument[]): PolicyDocument {
  const statements = new Map<string, Statement>()
  for (const statement of policies.flatMap((policy) => policy.Statement)) {
    const { Sid: _, ...rest } = statement
    const text = formatPolicy({ Version: '', Statement: [sortLists(rest)] }, { indent: 0 })
    if (!statements.has(text)) statements.set(text, structuredClone(statement))
  }
  return {
    Version: policies.find((policy) => policy.Version !== '')?.Version ?? '',
    Statement: [...statements.values()],
  }
}

/** Sorts lists of a statement, whose order has no meaning. */
function sortLists(statement: Statement): Statement {
  const lists = Object.entries(statement).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.toSorted() : value,
  ])
  return { ...statement, ...Object.fromEntries(lists) }
}

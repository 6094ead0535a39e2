import type { PolicyDocument, Statement } from './document.ts'
import { formatPolicy } from './format.ts'

/** One policy with the statements of all, each once: what servers call the effective policy of a user. */
export function mergePolicies(policies: readonly PolicyDocument[]): PolicyDocument {
  const statements = new Map<string, Statement>()
  for (const statement of policies.flatMap((policy) => policy.Statement)) {
    const { Sid: _, ...rest } = statement
    const text = formatPolicy({ Version: '', Statement: [sorted(rest)] }, { indent: 0 })
    if (!statements.has(text)) statements.set(text, structuredClone(statement))
  }
  return {
    Version: policies.find((policy) => policy.Version !== '')?.Version ?? '',
    Statement: [...statements.values()],
  }
}

/** Lists of a statement are sets: their order makes no difference. */
function sorted(statement: Statement): Statement {
  const lists = Object.entries(statement).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.toSorted() : value,
  ])
  return { ...statement, ...Object.fromEntries(lists) }
}

import type { BucketStatement, PolicyDocument, Statement } from '../language/document.ts'

export interface FormatOptions {
  /** Spaces per level; 0 for one line. Default 2. */
  indent?: number
}

/** Returns the canonical JSON of a policy: fixed order of members, always arrays, no empty members. */
export function formatPolicy(policy: PolicyDocument, { indent = 2 }: FormatOptions = {}): string {
  const { ID, Version, Statement } = policy
  const document = { ...(ID ? { ID } : {}), Version, Statement: Statement.map(orderStatement) }
  return JSON.stringify(document, null, indent)
}

function orderStatement(statement: Statement & Partial<BucketStatement>): Record<string, unknown> {
  const { Sid, Effect, Principal, Action, NotAction, Resource, NotResource, Condition } = statement
  const members = { Sid, Effect, Principal, Action, NotAction, Resource, NotResource, Condition }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

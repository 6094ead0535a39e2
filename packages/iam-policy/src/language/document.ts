/** The only version of the policy language that servers accept. */
export const POLICY_VERSION = '2012-10-17'

export type Effect = 'Allow' | 'Deny'

/** A condition value in JSON. */
export type ConditionValue = string | number | boolean

/** Operator (with its qualifier) → condition key → values. */
export type ConditionBlock = Record<string, Record<string, ConditionValue[]>>

/** A statement in normalized form: every list is an array, missing elements are absent. */
export interface Statement {
  Sid?: string
  Effect: Effect
  Action?: string[]
  NotAction?: string[]
  Resource?: string[]
  NotResource?: string[]
  Condition?: ConditionBlock
}

/** A normalized IAM policy, in wire spelling. `Version` is '' if a server sent none. */
export interface PolicyDocument {
  ID?: string
  Version: string
  Statement: Statement[]
}

/** Callers that a statement of a bucket policy applies to: `*` for everyone, names of users, or their ARNs. */
export interface Principal {
  AWS: string[]
}

export interface BucketStatement extends Statement {
  Principal: Principal
}

/** A normalized bucket policy. */
export interface BucketPolicyDocument {
  ID?: string
  Version: string
  Statement: BucketStatement[]
}

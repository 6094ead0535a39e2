/** The only version of the policy language that servers accept. */
export const POLICY_VERSION = '2012-10-17'

export type Effect = 'Allow' | 'Deny'

/** One value of a condition, as JSON writes it. */
export type ConditionValue = string | number | boolean

/** Operator (with its qualifier) → condition key → values. */
export type ConditionBlock = Record<string, Record<string, ConditionValue[]>>

/** One statement in its normal form: every list is an array, an absent element is an absent member. */
export interface Statement {
  Sid?: string
  Effect: Effect
  Action?: string[]
  NotAction?: string[]
  Resource?: string[]
  NotResource?: string[]
  Condition?: ConditionBlock
}

/** An IAM policy in its normal form, in the spelling of the wire. `Version` is '' where a server sent none. */
export interface PolicyDocument {
  ID?: string
  Version: string
  Statement: Statement[]
}

/** Who a statement of a bucket policy is about: `*` for everybody, names of users, or their ARNs. */
export interface Principal {
  AWS: string[]
}

export interface BucketStatement extends Statement {
  Principal: Principal
}

/** The policy of one bucket, in its normal form. */
export interface BucketPolicyDocument {
  ID?: string
  Version: string
  Statement: BucketStatement[]
}

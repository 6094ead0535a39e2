import type { ActionFamily } from '../actions/catalogue.ts'
import type { ConditionLookup } from '../condition/values.ts'
import type { Dialect } from '../dialects.ts'
import type { ConditionValue } from '../document.ts'
import type { Target, Targets } from '../match/target.ts'
import type { Tri } from '../tri.ts'
import type { StatementRef, Verdict } from './verdict.ts'

/* What compiled policies and the questions that they are asked look like. A question can carry a compiled policy. */

/** What statements are asked. */
export interface Question {
  readonly action: string
  readonly family: ActionFamily
  readonly targets: Targets
  readonly bucketPolicy: CompiledBucketPolicy | undefined
  readonly values: ConditionLookup
  /** Keys without a value are unknown rather than absent. */
  readonly open: boolean
}

export interface CompiledCondition {
  /** As written: `StringEquals`, `ForAnyValue:StringLike`. */
  readonly operator: string
  readonly key: string
  readonly allowed: readonly ConditionValue[]
  /** Why the condition has no meaning here. */
  readonly unreadable?: string
  holds(question: Question): Tri
}

/** A statement ready to be asked. A request has to pass all of its parts. */
export interface CompiledStatement {
  readonly ref: StatementRef
  /** The decision for a request that this statement matches. */
  readonly verdict: Verdict
  /**
   * Whether the statement is about a caller: the name of a user, or undefined for an anonymous one. Absent: about
   * everybody.
   */
  readonly matchesPrincipal: ((name: string | undefined) => boolean) | undefined
  readonly conditions: readonly CompiledCondition[]
  matchesAction(action: string): boolean
  matchesResource(question: Question): Tri
  /** What the resources are matched against. */
  targetOf(question: Question): Target
}

/** `iam`: of users, groups and sessions. */
export type PolicyKind = 'iam' | 'bucket'

export interface Compiled<Kind extends PolicyKind> {
  readonly name: string
  readonly dialect: Dialect
  readonly kind: Kind
  readonly statements: readonly CompiledStatement[]
  /** The statements that speak of an action. */
  about(action: string): Candidates
}

/** A policy of users, groups or sessions, ready to be asked. It is a copy: later changes of the document do not reach it. */
export type CompiledPolicy = Compiled<'iam'>

/** The same of the policy of a bucket. */
export type CompiledBucketPolicy = Compiled<'bucket'>

export interface Candidates {
  readonly deny: readonly CompiledStatement[]
  readonly allow: readonly CompiledStatement[]
}

import type { ActionFamily, ActionName, FamilyWildcard } from '../actions/catalogue.ts'
import type { Certainty } from '../language/certainty.ts'
import type { ConditionLookup } from '../language/condition-values.ts'
import type { Dialect } from '../language/dialects.ts'
import type { ConditionValue } from '../language/document.ts'
import type { ResourceTarget, ResourceTargets } from '../match/resource-target.ts'
import type { EvaluationResult, StatementRef } from './evaluation-result.ts'

/*
 * Types of compiled policies and of the questions they answer. They are in one file because a question can contain a compiled
 * policy.
 */

/** A question to the statements. */
export interface PolicyQuestion {
  readonly action: ActionName | FamilyWildcard
  readonly family: ActionFamily
  readonly targets: ResourceTargets
  readonly bucketPolicy: CompiledBucketPolicy | undefined
  readonly values: ConditionLookup
  /** Keys without a value are unknown, not absent. */
  readonly open: boolean
}

export interface CompiledCondition {
  /** As written: `StringEquals`, `ForAnyValue:StringLike`. */
  readonly operator: string
  readonly key: string
  readonly allowed: readonly ConditionValue[]
  /** Why the condition is invalid. */
  readonly unreadable?: string
  holds(question: PolicyQuestion): Certainty
}

/** A compiled statement. It matches a request if all of its parts do. */
export interface CompiledStatement {
  readonly ref: StatementRef
  /** The decision for a request that this statement matches. */
  readonly verdict: EvaluationResult
  /**
   * Whether the statement applies to a caller: the name of a user, or undefined for an anonymous one. Absent: applies to
   * everyone.
   */
  readonly matchesPrincipal: ((name: string | undefined) => boolean) | undefined
  readonly conditions: readonly CompiledCondition[]
  matchesAction(action: string): boolean
  matchesResource(question: PolicyQuestion): Certainty
  /** Returns what the resources are matched against. */
  resourceTarget(question: PolicyQuestion): ResourceTarget
}

/** `iam`: policies of users, groups and sessions. */
export type PolicyKind = 'iam' | 'bucket'

export interface CompiledDocument<Kind extends PolicyKind> {
  readonly name: string
  readonly dialect: Dialect
  readonly kind: Kind
  readonly statements: readonly CompiledStatement[]
  /** Returns the statements that name an action. */
  statementsAbout(action: string): ActionStatements
}

/** A compiled policy of users, groups or sessions. It is a copy: later changes to the document do not affect it. */
export type CompiledPolicy = CompiledDocument<'iam'>

/** A compiled bucket policy. */
export type CompiledBucketPolicy = CompiledDocument<'bucket'>

export interface ActionStatements {
  readonly deny: readonly CompiledStatement[]
  readonly allow: readonly CompiledStatement[]
}

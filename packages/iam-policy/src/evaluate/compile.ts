import { ACTIONS } from '../actions/catalogue.ts'
import type { Dialect } from '../dialects.ts'
import type { BucketPolicyDocument, PolicyDocument } from '../document.ts'
import { type CompiledStatement, compileStatement, type PolicyKind } from './statement.ts'

export interface CompileOptions {
  /** Names the policy in verdicts. */
  name?: string
  /** Default `stowage`. */
  dialect?: Dialect
}

interface Compiled<Kind extends PolicyKind> {
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

/**
 * Compiles a policy of users, groups or sessions. Never throws: a statement with a part that has no meaning here
 * (an operator of another server) allows nothing, or denies whatever the rest of it describes.
 */
export function compilePolicy(document: PolicyDocument, options: CompileOptions = {}): CompiledPolicy {
  return compile(document, 'iam', options)
}

/** Compiles the policy of a bucket. Never throws, as `compilePolicy`. */
export function compileBucketPolicy(
  document: BucketPolicyDocument,
  options: CompileOptions = {},
): CompiledBucketPolicy {
  return compile(document, 'bucket', options)
}

function compile<Kind extends PolicyKind>(
  document: PolicyDocument,
  kind: Kind,
  options: CompileOptions,
): Compiled<Kind> {
  const { name = '', dialect = 'stowage' } = options
  const statements = document.Statement.map((statement, index) =>
    compileStatement(statement, { policy: name, index, dialect, kind }),
  )
  const known = new Map<string, Candidates>()
  return {
    name,
    dialect,
    kind,
    statements,
    about(action) {
      const found = known.get(action) ?? candidates(statements, action)
      // Names come from requests too: only known ones are kept, so that this stays small.
      if (ACTIONS.has(action)) known.set(action, found)
      return found
    },
  }
}

function candidates(statements: readonly CompiledStatement[], action: string): Candidates {
  const about = statements.filter((statement) => statement.matchesAction(action))
  return {
    deny: about.filter((statement) => statement.ref.effect === 'Deny'),
    allow: about.filter((statement) => statement.ref.effect === 'Allow'),
  }
}

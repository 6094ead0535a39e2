import { ACTIONS } from '../actions/catalogue.ts'
import type { Dialect } from '../language/dialects.ts'
import type { BucketPolicyDocument, PolicyDocument } from '../language/document.ts'
import { compileStatement } from './compile-statement.ts'
import type {
  ActionStatements,
  CompiledBucketPolicy,
  CompiledDocument,
  CompiledPolicy,
  CompiledStatement,
  PolicyKind,
} from './compiled-policy.ts'

export interface CompileOptions {
  /** Identifies the policy in verdicts. */
  name?: string
  /** Default `stowage`. */
  dialect?: Dialect
}

/**
 * Compiles a policy of users, groups or sessions. Never throws: a statement with an invalid part (such as an unknown operator)
 * allows nothing, and denies everything that the rest of it matches.
 */
export function compilePolicy(document: PolicyDocument, options: CompileOptions = {}): CompiledPolicy {
  return compile(document, 'iam', options)
}

/** Compiles a bucket policy. Never throws, like `compilePolicy`. */
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
): CompiledDocument<Kind> {
  const { name = '', dialect = 'stowage' } = options
  const statements = document.Statement.map((statement, index) =>
    compileStatement(statement, { policy: name, index, dialect, kind }),
  )
  const known = new Map<string, ActionStatements>()
  return {
    name,
    dialect,
    kind,
    statements,
    statementsAbout(action) {
      const found = known.get(action) ?? actionStatements(statements, action)
      // Names also come from requests: only known ones are cached, to limit memory.
      if (ACTIONS.has(action)) known.set(action, found)
      return found
    },
  }
}

function actionStatements(statements: readonly CompiledStatement[], action: string): ActionStatements {
  const about = statements.filter((statement) => statement.matchesAction(action))
  return {
    deny: about.filter((statement) => statement.ref.effect === 'Deny'),
    allow: about.filter((statement) => statement.ref.effect === 'Allow'),
  }
}

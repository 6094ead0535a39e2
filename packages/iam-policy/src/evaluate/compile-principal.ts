import { DIALECTS, type Dialect } from '../language/dialects.ts'
import type { BucketStatement, Statement } from '../language/document.ts'
import { compileGlob, globMatches } from '../match/glob.ts'
import { principalUser } from '../match/principal-user.ts'

/** Returns whether a statement of a bucket policy applies to a caller; see `CompiledStatement.matchesPrincipal`. */
export function compilePrincipal(statement: Statement, dialect: Dialect): (name: string | undefined) => boolean {
  // Statements of bucket policies always have one; `bucketPolicyFromJson` and the parser ensure it.
  const principals = (statement as Partial<BucketStatement>).Principal?.AWS ?? []
  if (!DIALECTS[dialect].principalsAreUsers) {
    const globs = principals.map((principal) => compileGlob(principal))
    // An anonymous caller has an empty name, which only a pattern of stars matches.
    return (name = '') => globs.some((glob) => globMatches(glob, name))
  }
  const users = new Set(principals.map(principalUser))
  // To be safe, an invalid principal is allowed nothing, and denied to everyone.
  const everybody = principals.includes('*') || (statement.Effect === 'Deny' && users.has(undefined))
  return everybody ? () => true : (name) => name !== undefined && users.has(name)
}

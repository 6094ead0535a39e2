import { ACTIONS, familyOf } from '../actions/catalogue.ts'
import type { Dialect, Effect } from '../document.ts'
import { compileGlob, globMatches } from './glob.ts'

export interface ActionMatcher {
  readonly source: string
  matches(action: string): boolean
}

/**
 * An action or pattern of a statement.
 *
 * A pattern that names no family before its first wildcard (`*`, `*:*`) covers s3 alone when it allows, so nobody
 * becomes administrator by a star; when it denies, it denies everything. MinIO 2025 lets it cover everything.
 */
export function compileAction(source: string, effect: Effect, dialect: Dialect): ActionMatcher {
  const matches = textMatcher(source)
  const anyFamily = /^[^:]*[*?]/.test(source)
  if (!anyFamily) return { source, matches }
  if (dialect === 'minio-2025' || (dialect === 'stowage' && effect === 'Deny')) return { source, matches }
  return { source, matches: (action) => familyOf(action) === 's3' && matches(action) }
}

function textMatcher(pattern: string): (action: string) => boolean {
  // A server takes a right to read versions for a right to read; not so the wildcards that cover it.
  if (pattern === 's3:GetObjectVersion') return (action) => action === pattern || action === 's3:GetObject'
  if (!/[*?]/.test(pattern)) return (action) => action === pattern
  const glob = compileGlob(pattern)
  return (action) => globMatches(glob, action)
}

/** The known actions that an action or pattern of a statement covers, by its text alone. */
export function coveredActions(pattern: string): string[] {
  const glob = compileGlob(pattern)
  return [...ACTIONS.keys()].filter((action) => globMatches(glob, action))
}

import { ACTIONS, actionFamily } from '../actions/catalogue.ts'
import { DIALECTS, type Dialect } from '../language/dialects.ts'
import type { Effect } from '../language/document.ts'
import { compileGlob, globMatches } from './glob.ts'

export interface ActionMatcher {
  readonly source: string
  matches(action: string): boolean
}

/**
 * Compiles an action or pattern of a statement.
 *
 * The dialect defines what a pattern covers if it names no family before its first wildcard (`*`, `*:*`).
 */
export function compileAction(source: string, effect: Effect, dialect: Dialect): ActionMatcher {
  const { allowStar, denyStar, versionRights } = DIALECTS[dialect]
  const matches = textMatcher(source, versionRights === 'same')
  const anyFamily = /^[^:]*[*?]/.test(source)
  if (!anyFamily) return { source, matches }
  if ((effect === 'Allow' ? allowStar : denyStar) === 'everything') return { source, matches }
  return { source, matches: (action) => actionFamily(action) === 's3' && matches(action) }
}

/** @param readsLatest the right to read versions includes the right to read, except through a wildcard that covers it */
function textMatcher(pattern: string, readsLatest: boolean): (action: string) => boolean {
  if (readsLatest && pattern === 's3:GetObjectVersion')
    return (action) => action === pattern || action === 's3:GetObject'
  if (!/[*?]/.test(pattern)) return (action) => action === pattern
  const glob = compileGlob(pattern)
  return (action) => globMatches(glob, action)
}

/** Returns the known actions that an action or pattern covers, by name only. */
export function coveredActions(pattern: string): string[] {
  const glob = compileGlob(pattern)
  return [...ACTIONS.keys()].filter((action) => globMatches(glob, action))
}

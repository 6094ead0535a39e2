import { ACTIONS, type ActionFamily, type ActionInfo, actionFamily, FAMILY_WILDCARDS } from '../actions/catalogue.ts'
import { DIALECTS, type Dialect } from '../language/dialects.ts'
import { coveredActions } from '../match/match-action.ts'
import type { ProblemCollector } from './problems.ts'
import type { LocatedText } from './read-members.ts'

/** Checks the actions of a statement, and that they are of one family; returns that family. */
export function checkActions(
  actions: readonly LocatedText[],
  dialect: Dialect,
  problems: ProblemCollector,
): ActionFamily {
  for (const action of actions) checkAction(action, dialect, problems)
  const families = new Set(actions.map(({ text }) => familyIn(text, dialect)))
  const [first] = actions
  const other = actions.find(({ text }) => first && familyIn(text, dialect) !== familyIn(first.text, dialect))
  if (first && other) {
    problems.error(
      'MixedFamilies',
      other.node,
      other.path,
      `"${other.text}" and "${first.text}" cannot stand in one statement; ` +
        'actions of s3, admin, kms and sts need a statement of their own',
    )
  }
  // One wrong action name must not cause errors about the resources of the other actions.
  return families.has('s3') ? 's3' : first ? familyIn(first.text, dialect) : 's3'
}

const familyIn = (action: string, dialect: Dialect): ActionFamily =>
  action === '*' ? DIALECTS[dialect].starFamily : actionFamily(action)

function checkAction({ text, node, path }: LocatedText, dialect: Dialect, problems: ProblemCollector): void {
  if (text === '*') {
    problems.warn(
      'BareStar',
      node,
      path,
      'a bare "*" means every s3 action here, but everything including admin to MinIO 2025; write "s3:*" or "admin:*"',
    )
    return
  }
  const family = actionFamily(text)
  const wildcard = /[*?]/.test(text)
  if (wildcard && family !== 's3' && FAMILY_WILDCARDS.has(text)) {
    if (family === 'kms' && !DIALECTS[dialect].since2025) notSupported({ text, node, path }, problems)
    return
  }
  if (wildcard && family !== 's3') {
    const allowed = FAMILY_WILDCARDS.has(`${family}:*`) ? `, except "${family}:*"` : ''
    const message = `"${text}": wildcards are not accepted in ${family} actions${allowed}`
    problems.error('UnsupportedWildcard', node, path, message)
    return
  }
  const covered = coveredInfos(text)
  if (covered.length === 0) {
    const what = wildcard ? 'matches no known action' : 'is not a known action'
    problems.error('UnknownAction', node, path, `"${text}" ${what}${problems.suggestion(text, ACTIONS.keys())}`)
  } else if (!covered.some((info) => info.servers.includes(dialect))) notSupported({ text, node, path }, problems)
}

function notSupported({ text, node, path }: LocatedText, problems: ProblemCollector): void {
  problems.error('NotSupportedByServer', node, path, `"${text}" is not known to this server`)
}

/** Returns what is known about the actions that an action or s3 pattern covers. */
export function coveredInfos(text: string): ActionInfo[] {
  return coveredActions(text).flatMap((name) => {
    const info = ACTIONS.get(name)
    return info && (name === text || info.family === 's3') ? [info] : []
  })
}

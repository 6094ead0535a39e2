import { actionInfo } from '../actions/catalogue.ts'
import { type JsonNode, kindText } from '../json/json-node.ts'
import { DIALECTS, type Dialect } from '../language/dialects.ts'
import type { BucketStatement, Principal } from '../language/document.ts'
import { compileGlob, globMatches, globMatchesPrefix } from '../match/glob.ts'
import { resourcePattern } from '../match/match-resource.ts'
import { principalUser, USER_ARN } from '../match/principal-user.ts'
import { coveredInfos } from './check-actions.ts'
import { warnNotForBuckets } from './never-matches.ts'
import type { ProblemCollector } from './problems.ts'
import { joinPath, type LocatedText, readMembers, readTexts } from './read-members.ts'
import type { ParsedStatement } from './read-statement.ts'

/** Adds and checks the members that only statements of bucket policies have. */
export function readBucketStatement(
  at: ParsedStatement,
  bucket: string,
  dialect: Dialect,
  problems: ProblemCollector,
): BucketStatement {
  for (const resource of [...at.resources, ...at.notResources]) checkInside(resource, bucket, problems)
  checkKinds(at, problems)
  warnNotForBuckets(at.actions, problems)
  return { ...at.statement, Principal: readPrincipal(at, dialect, problems) }
}

function readPrincipal(
  { members, node, path }: ParsedStatement,
  dialect: Dialect,
  problems: ProblemCollector,
): Principal {
  const principalPath = joinPath(path, 'Principal')
  if (members.NotPrincipal) {
    const message =
      'is not supported; write Principal "*" with a condition on aws:username, such as ' +
      '{"StringNotEquals": {"aws:username": ["alice"]}}'
    problems.error('NotSupportedByServer', members.NotPrincipal.key, joinPath(path, 'NotPrincipal'), message)
    return { AWS: [] }
  }
  if (!members.Principal) {
    const message = 'is missing; "*" means everybody, without signing in too'
    problems.error('MissingPrincipal', node, principalPath, message)
    return { AWS: [] }
  }
  const { value } = members.Principal
  if (value.kind === 'string' && value.value === '*') return { AWS: ['*'] }
  if (value.kind !== 'object') return invalidPrincipal(value, principalPath, problems)
  const aws = readMembers(value, ['AWS'], principalPath, problems).AWS
  const names = aws ? readTexts(aws.value, joinPath(principalPath, 'AWS'), problems) : []
  if (names.length === 0) return invalidPrincipal(value, principalPath, problems)
  if (DIALECTS[dialect].principalsAreUsers) {
    for (const name of names) checkUser(name, problems)
  }
  return { AWS: [...new Set(names.map(({ text }) => text))] }
}

function checkUser({ text, node, path }: LocatedText, problems: ProblemCollector): void {
  if (text === '*' || principalUser(text) !== undefined) return
  const message = `"${text}" is no user of this server; it has to be "*" or like "${USER_ARN}alice"`
  problems.error('InvalidPrincipal', node, path, message)
}

function invalidPrincipal(node: JsonNode, path: string, problems: ProblemCollector): Principal {
  const written = node.kind === 'string' ? `"${node.value}"` : kindText(node)
  problems.error('InvalidPrincipal', node, path, `is ${written}; it has to be "*" or {"AWS": ["${USER_ARN}alice"]}`)
  return { AWS: [] }
}

/** Checks that a resource is the bucket, an object in it, or a pattern that can match one. */
function checkInside({ text, node, path }: LocatedText, bucket: string, problems: ProblemCollector): void {
  const glob = compileGlob(resourcePattern(text))
  if (globMatches(glob, bucket) || globMatchesPrefix(glob, `${bucket}/`) !== 'none') return
  const allowed = `"arn:aws:s3:::${bucket}" or "arn:aws:s3:::${bucket}/*"`
  problems.error('ResourceOutsideBucket', node, path, `"${text}" is not in this bucket; allowed is ${allowed}`)
}

const nameABucket = (resources: readonly LocatedText[]) =>
  resources.some(({ text }) => !text.replace(/^arn:[^:]*:[^:]*:::/, '').includes('/'))
const nameObjects = (resources: readonly LocatedText[]) =>
  resources.some(({ text }) => /[/*]/.test(text.replace(/^arn:[^:]*:[^:]*:::/, '')))

/** Checks that each action has a resource of its kind in the statement. */
function checkKinds({ actions, resources, notResources, path }: ParsedStatement, problems: ProblemCollector): void {
  for (const list of [resources, notResources]) {
    if (list.length === 0) continue
    for (const action of actions) {
      const ofObjects = isObjectAction(action.text)
      if (ofObjects ? nameObjects(list) : nameABucket(list)) continue
      const needed = ofObjects
        ? 'with a key, such as "arn:aws:s3:::bucket/*"'
        : 'without a key, such as "arn:aws:s3:::bucket"'
      const message = `${action.text} needs a resource ${needed}, in this statement`
      const listPath = joinPath(path, list === resources ? 'Resource' : 'NotResource')
      problems.error('ResourceKindMismatch', action.node, listPath, message)
    }
  }
}

/** Whether an action is an object action, or a pattern that covers one. */
function isObjectAction(action: string): boolean {
  return actionInfo(action)?.level === 'object' || coveredInfos(action).some((info) => info.level === 'object')
}

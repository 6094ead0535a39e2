import type { ReachableFolder } from '@stowage/contract/session/session'
import {
  type CallerAccess,
  conditionValues,
  evaluateCapability,
  type PolicyDocument,
  type Statement,
} from '@stowage/iam-policy'

/** Maximum number of places in a session. Policies with more are used by programs, not by people. */
const MAX_PLACES = 50
/** Maximum number of folders in a policy that are checked. */
const MAX_NAMED = 500

const LIST = 's3:ListBucket'
const ACTIONS = [LIST, 's3:GetObject', 's3:PutObject'] as const

/**
 * Returns the buckets and folders that a caller's policy names and gives access to: starting points for callers that cannot
 * list all buckets. If a whole bucket can be listed, its folders are left out.
 * @param user value of `${aws:username}` in the policy
 */
export function findReachableFolders(
  { policy, access }: { policy: PolicyDocument; access: CallerAccess },
  user: string,
): ReachableFolder[] {
  const named = policy.Statement.filter(({ Effect }) => Effect === 'Allow').flatMap((statement) =>
    statementFolders(statement, user),
  )
  const found = new Map(named.map((place) => [`${place.bucket}/${place.prefix}`, place]))
  const places: ReachableFolder[] = []
  for (const { bucket, prefix } of [...found.values()].slice(0, MAX_NAMED)) {
    if (places.length === MAX_PLACES) break
    const place = { bucket, prefix, list: mayList(access, bucket, prefix, user) }
    if (
      place.list ||
      ACTIONS.some((action) => evaluateCapability(access, { action, bucket, prefix }).decision !== 'deny')
    ) {
      places.push(place)
    }
  }
  const whole = new Set(places.flatMap(({ bucket, prefix, list }) => (prefix === '' && list ? [bucket] : [])))
  return (
    places
      .filter(({ bucket, prefix }) => prefix === '' || !whole.has(bucket))
      // The root of a bucket that cannot be listed is useless if its folders are known.
      .filter(
        ({ bucket, prefix, list }) =>
          prefix !== '' || list || !places.some((p) => p.bucket === bucket && p.prefix !== ''),
      )
      .sort((a, b) => (`${a.bucket}/${a.prefix}` < `${b.bucket}/${b.prefix}` ? -1 : 1))
  )
}

function mayList(access: CallerAccess, bucket: string, prefix: string, user: string): boolean {
  const known = conditionValues({ 's3:prefix': [prefix], 'aws:username': [user] })
  return evaluateCapability(access, { action: LIST, bucket, known }).decision !== 'deny'
}

interface Folder {
  bucket: string
  /** Empty or with a trailing slash. */
  prefix: string
}

/** Returns the folders that a statement names: in its resources, and as prefixes in its conditions on listings. */
function statementFolders({ Resource = [], Condition = {} }: Statement, user: string): Folder[] {
  const resources = Resource.flatMap((resource): Folder[] => {
    const path = literalPart(resource.replace(/^arn:[^:]*:s3:::/, ''), user)
    const slash = path.text.indexOf('/')
    if (slash < 0) return path.whole && path.text !== '' ? [{ bucket: path.text, prefix: '' }] : []
    return [{ bucket: path.text.slice(0, slash), prefix: folderIn(path.text.slice(slash + 1)) }]
  }).filter(({ bucket }) => /^[a-z0-9][a-z0-9.-]{2,62}$/.test(bucket))
  const prefixes = Object.values(Condition).flatMap((block) =>
    Object.entries(block).flatMap(([key, values]) => (key.toLowerCase() === 's3:prefix' ? values : [])),
  )
  const folders = prefixes.map((value) => folderIn(literalPart(String(value), user).text))
  return [...resources, ...resources.flatMap(({ bucket }) => folders.map((prefix) => ({ bucket, prefix })))]
}

/** Returns the text before the first wildcard, with the user's name in place of its variable. */
function literalPart(text: string, user: string): { text: string; whole: boolean } {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a policy
  const filled = text.replaceAll('${aws:username}', user)
  const end = filled.search(/[*?]|\$\{/)
  return end < 0 ? { text: filled, whole: true } : { text: filled.slice(0, end), whole: false }
}

/** Returns the folder of a prefix: for `bob/in*` it is `bob/`. */
const folderIn = (text: string) => text.slice(0, text.lastIndexOf('/') + 1)

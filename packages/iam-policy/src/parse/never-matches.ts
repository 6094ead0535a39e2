import { type ActionFamily, familyOf } from '../actions/catalogue.ts'
import { resourcePattern } from '../match/resource.ts'
import { coveredInfos } from './actions.ts'
import type { TextAt } from './members.ts'
import type { Problems } from './problems.ts'

/** Warns of actions and resources of an s3 statement that cannot meet. */
export function warnNeverMatches(
  actions: readonly TextAt[],
  resources: readonly TextAt[],
  family: ActionFamily,
  problems: Problems,
): void {
  if (family !== 's3' || actions.length === 0 || resources.length === 0) return
  const levels = new Set(actions.flatMap(({ text }) => coveredInfos(text).map((info) => info.level)))
  for (const { text, node, path } of resources) {
    const pattern = resourcePattern(text)
    if (pattern === '' || pattern.includes('/') || pattern.includes('${')) continue
    if (!/[*?]/.test(pattern) && levels.size === 1 && levels.has('object')) {
      const message = `"${text}" is a bucket as a whole, while all actions here are about objects; add "/*"`
      problems.warn('NeverMatches', node, path, message)
    } else if (/[*?]/.test(pattern) && !pattern.endsWith('*') && levels.has('bucket')) {
      // Servers hold the pattern against "bucket/", and only a pattern that ends with a star takes the slash.
      const message = `"${text}" matches no bucket as a whole, because it does not end with "*"; add "/" or "*"`
      problems.warn('NeverMatches', node, path, message)
    }
  }
}

/** Warns of actions that a bucket policy is never asked about. */
export function warnNotForBuckets(actions: readonly TextAt[], problems: Problems): void {
  for (const { text, node, path } of actions) {
    if (familyOf(text) === 's3') continue
    problems.warn('NeverMatches', node, path, `"${text}" is not about a bucket, so it has no effect in its policy`)
  }
}

import { type ActionFamily, actionFamily } from '../actions/catalogue.ts'
import type { ActionLevel } from '../actions/s3.ts'
import { DIALECTS, type Dialect } from '../language/dialects.ts'
import { resourcePattern } from '../match/match-resource.ts'
import { coveredInfos } from './check-actions.ts'
import type { ProblemCollector } from './problems.ts'
import type { LocatedText } from './read-members.ts'

/** Warns about actions and resources of an s3 statement that can never match together. */
export function warnNeverMatches(
  actions: readonly LocatedText[],
  resources: readonly LocatedText[],
  family: ActionFamily,
  dialect: Dialect,
  problems: ProblemCollector,
): void {
  if (family !== 's3' || actions.length === 0 || resources.length === 0) return
  const levels = new Set(actions.flatMap(({ text }) => coveredInfos(text).map((info) => info.level)))
  const only = (level: ActionLevel) => levels.size === 1 && levels.has(level)
  const strict = DIALECTS[dialect].userTargets === 'aws'
  for (const { text, node, path } of resources) {
    const pattern = resourcePattern(text)
    if (pattern === '' || pattern.includes('${')) continue
    const inBucket = pattern.includes('/')
    if (!inBucket && !/[*?]/.test(pattern) && only('object')) {
      const message = `"${text}" is a bucket as a whole, while all actions here are about objects; add "/*"`
      problems.warn('NeverMatches', node, path, message)
    } else if (strict && inBucket && only('bucket')) {
      const message = `"${text}" is about objects, while all actions here are about a bucket as a whole; name the bucket`
      problems.warn('NeverMatches', node, path, message)
    } else if (!strict && !inBucket && /[*?]/.test(pattern) && !pattern.endsWith('*') && levels.has('bucket')) {
      // MinIO compares the pattern with "bucket/", and only a pattern that ends with a star matches the slash.
      const message = `"${text}" matches no bucket as a whole, because it does not end with "*"; add "/" or "*"`
      problems.warn('NeverMatches', node, path, message)
    }
  }
}

/** Warns about actions that are never checked against a bucket policy. */
export function warnNotForBuckets(actions: readonly LocatedText[], problems: ProblemCollector): void {
  for (const { text, node, path } of actions) {
    if (actionFamily(text) === 's3') continue
    problems.warn('NeverMatches', node, path, `"${text}" is not about a bucket, so it has no effect in its policy`)
  }
}

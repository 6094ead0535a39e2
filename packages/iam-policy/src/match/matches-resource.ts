import { NO_VALUES } from '../condition/values.ts'
import type { Statement } from '../document.ts'
import { YES } from '../tri.ts'
import { compileResource } from './resource.ts'

/**
 * Whether a resource of the statement matches the text as it stands: a bucket's name (`b`, for which `b/*` is no match)
 * or `bucket/key`. Answers "which policies speak of this bucket"; what they allow is `evaluate`'s business.
 */
export function matchesResource(statement: Statement, text: string): boolean {
  return (statement.Resource ?? []).some(
    (resource) => compileResource(resource, 'stowage').matches({ text, reach: 'exact' }, NO_VALUES, false) === YES,
  )
}

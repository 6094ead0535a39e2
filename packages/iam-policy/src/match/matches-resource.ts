import { YES } from '../language/certainty.ts'
import { NO_CONDITION_VALUES } from '../language/condition-values.ts'
import type { Statement } from '../language/document.ts'
import { compileResource } from './match-resource.ts'

/**
 * Whether a resource of the statement matches a text: a bucket's name (`b`, which `b/*` does not match) or `bucket/key`.
 * Answers which policies mention this bucket; `evaluate` decides what they allow.
 */
export function matchesResource(statement: Statement, text: string): boolean {
  return (statement.Resource ?? []).some(
    (resource) =>
      compileResource(resource, 'stowage').matches({ text, reach: 'exact' }, NO_CONDITION_VALUES, false) === YES,
  )
}

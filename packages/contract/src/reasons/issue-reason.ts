import type { z } from 'zod'
import { reason } from './reason.ts'
import type { Reason } from './value-reasons.ts'

/**
 * Returns an argument for `refine` that rejects a value with a reason. `words` is the text of the API, which follows the
 * field's name.
 */
export function withReason(why: Reason, words: string): { message: string; params: { reason: Reason } } {
  return { message: words, params: { reason: why } }
}

/** Returns the reason why a schema rejects a value, for the server's response and for form fields. */
export function issueReason(issue: z.core.$ZodIssue): Reason {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? reason('required') : reason('wrong-type', { type: issue.expected })
    case 'invalid_value':
      return issue.input === undefined
        ? reason('required')
        : reason('not-one-of', { values: issue.values.map(String).join(', ') })
    case 'too_small': {
      const minimum = Number(issue.minimum)
      if (issue.origin === 'string')
        return minimum === 1 ? reason('required') : reason('text-too-short', { count: minimum })
      return issue.origin === 'array'
        ? reason('list-too-short', { count: minimum })
        : reason('number-too-small', { minimum })
    }
    case 'too_big': {
      const maximum = Number(issue.maximum)
      if (issue.origin === 'string') return reason('text-too-long', { count: maximum })
      return issue.origin === 'array'
        ? reason('list-too-long', { count: maximum })
        : reason('number-too-large', { maximum })
    }
    case 'custom':
      return (issue.params?.reason as Reason | undefined) ?? reason('wrong-format')
    default:
      return reason('wrong-format')
  }
}

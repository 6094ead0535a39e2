import { reason } from '@stowage/contract'
import type { Route } from '@stowage/contract/call/route'
import { issueReason } from '@stowage/contract/reasons/issue-reason'
import type { z } from 'zod'
import { HttpError } from '../errors/http-errors.ts'

/** The part of a request that a schema reads. */
export type RequestPart = 'path' | 'query' | 'body'

/** Parses a part of a request. @throws HttpError 400 with the first invalid field */
export function parseRequestPart<T extends z.ZodType>(schema: T, part: RequestPart, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (!issue) throw new HttpError(400, reason('wrong-format'))
  const field = issue.path.join('.')
  const subject = field ? `${field} in ${part}` : part
  const { code, text } = describeIssue(issue)
  throw new HttpError(400, issueReason(issue), { message: `${subject} ${text}`, code, ...(field ? { field } : {}) })
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Refuses a body that contradicts the URL.
 * @param repeats body field → path or query parameter, in addition to fields with the name of a path parameter
 * @throws HttpError 400 with the field
 */
export function refuseContradiction(body: unknown, params: Fields, query: Fields, repeats: Route['repeats']): void {
  if (typeof body !== 'object' || body === null) return
  const address = { ...query, ...params }
  const pairs = { ...Object.fromEntries(Object.keys(params).map((name) => [name, name])), ...repeats }
  for (const [field, parameter] of Object.entries(pairs)) {
    const inBody = Object.hasOwn(body, field) ? (body as Fields)[field] : undefined
    const wanted = address[parameter]
    if (inBody == null || wanted === undefined || String(inBody) === String(wanted)) continue
    throw new HttpError(400, reason('body-contradicts-address', { field, parameter }), { field })
  }
}

/** Returns the original's code and English text of a validation error; scripts may look for either. */
function describeIssue(issue: z.core.$ZodIssue): { code: number; text: string } {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? { code: 602, text: 'is required' }
        : { code: 601, text: `must be of type ${issue.expected}` }
    case 'invalid_value':
      return issue.input === undefined
        ? { code: 602, text: 'is required' }
        : { code: 606, text: `should be one of [${issue.values.map(String).join(' ')}]` }
    case 'too_small':
      if (issue.origin === 'string') return { code: 604, text: `should be at least ${issue.minimum} chars long` }
      if (issue.origin === 'array') return { code: 612, text: `should have at least ${issue.minimum} items` }
      return { code: 609, text: `should be greater than or equal to ${issue.minimum}` }
    case 'too_big':
      if (issue.origin === 'string') return { code: 603, text: `should be at most ${issue.maximum} chars long` }
      if (issue.origin === 'array') return { code: 611, text: `should have at most ${issue.maximum} items` }
      return { code: 608, text: `should be less than or equal to ${issue.maximum}` }
    case 'invalid_format':
      return { code: 605, text: issue.message }
    default:
      return { code: 600, text: issue.message }
  }
}

import { type Input, reason } from '@stowage/contract'
import { actionInfo, type CapabilityQuestion, type ConditionLookup } from '@stowage/iam-policy'
import { HttpError } from '../../lib/errors/http-errors.ts'

type AskedAccess = Pick<Input<'explainAccess'>['body'], 'action' | 'resource' | 'conditions'>

/** Actions whose requests contain the prefix to list. */
const LISTINGS = new Set(['s3:ListBucket', 's3:ListBucketVersions', 's3:ListBucketMultipartUploads'])

/** A question in the form of the evaluator. */
export type AccessQuestion = Pick<CapabilityQuestion, 'action' | 'bucket' | 'object' | 'prefix'> & {
  known: ConditionLookup
}

/**
 * Reads a question: the resource by what the action is about, and the conditions.
 * @param caller values that follow from the subject, such as `aws:username`; an empty list means "no value"
 * @throws HttpError 400 for an unknown action
 */
export function readAccessQuestion(
  asked: AskedAccess,
  caller: Readonly<Record<string, readonly string[]>>,
): AccessQuestion {
  const { action, resource = '', conditions = [] } = asked
  const info = actionInfo(action)
  if (!info) throw new HttpError(400, reason('unknown-action', { action }), { field: 'action' })
  const known = new Map<string, readonly string[]>(Object.entries(caller))
  const { bucket, key } = parseResource(resource)
  if (LISTINGS.has(action) && key !== undefined) known.set('s3:prefix', [key.replace(/\*$/, '')])
  const given = new Map<string, string[]>()
  for (const { key: name, value, absent } of conditions) {
    given.set(name, absent ? [] : [...(given.get(name) ?? []), value ?? ''])
  }
  for (const [name, values] of given) known.set(name, values)
  // Actions on no bucket have no resource, whatever the question names.
  if (info.level === 'account') return { action: info.name, known }
  return { action: info.name, bucket, ...(info.level === 'object' ? parseKeyPattern(key) : {}), known }
}

/** Returns the bucket and key of an ARN, or of `bucket/key`; undefined means any. */
export function parseResource(text: string): { bucket?: string; key?: string } {
  const path = text.trim().replace(/^arn:[^:]*:[^:]*:[^:]*:[^:]*:/, '')
  if (path === '' || path === '*') return {}
  const slash = path.indexOf('/')
  return slash < 0 ? { bucket: path } : { bucket: path.slice(0, slash), key: path.slice(slash + 1) }
}

/** Reads a key; one that ends in `*` means all keys with that prefix. */
function parseKeyPattern(key: string | undefined): Pick<CapabilityQuestion, 'object' | 'prefix'> {
  if (key === undefined || key === '') return {}
  return key.endsWith('*') ? { prefix: key.slice(0, -1) } : { object: key }
}

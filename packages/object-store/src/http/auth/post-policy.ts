import { z } from 'zod'
import { S3Error } from '../../lib/errors.ts'

/** The conditions of a signed POST policy. */
export interface PostPolicy {
  /** ms since 1970. */
  expiresAt: number
  conditions: PolicyCondition[]
  /** Bytes, inclusive; undefined without the condition. */
  length: { min: number; max: number } | undefined
}

interface PolicyCondition {
  operator: 'eq' | 'starts-with'
  /** Lower case. */
  field: string
  value: string
}

const Condition = z.union([
  z.tuple([z.string(), z.string(), z.string()]),
  z.tuple([z.literal('content-length-range'), z.coerce.number(), z.coerce.number()]),
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)),
])
const Document = z.object({ expiration: z.string(), conditions: z.array(Condition) })

/** Reads a base64 policy. @throws S3Error InvalidPolicyDocument, AccessDenied if it is not limited to a bucket */
export function parsePostPolicy(base64: string): PostPolicy {
  const policy: PostPolicy = { expiresAt: 0, conditions: [], length: undefined }
  let document: z.infer<typeof Document>
  try {
    document = Document.parse(JSON.parse(Buffer.from(base64, 'base64').toString('utf8')))
  } catch (error) {
    throw invalidPolicy('it is no policy document', error)
  }
  policy.expiresAt = Date.parse(document.expiration)
  if (Number.isNaN(policy.expiresAt)) throw invalidPolicy('the expiration is no time')
  for (const condition of document.conditions) {
    if (!Array.isArray(condition)) {
      for (const [field, value] of Object.entries(condition)) {
        policy.conditions.push({ operator: 'eq', field: field.toLowerCase(), value })
      }
      continue
    }
    const [name, first, second] = condition
    const operator = name.toLowerCase()
    if (operator === 'content-length-range') {
      const [min, max] = [Number(first), Number(second)]
      if (!(min >= 0 && max >= min)) throw invalidPolicy('the content-length-range is none')
      const { min: atLeast, max: atMost } = policy.length ?? { min, max }
      policy.length = { min: Math.max(min, atLeast), max: Math.min(max, atMost) }
    } else if (
      (operator === 'eq' || operator === 'starts-with') &&
      typeof first === 'string' &&
      first.startsWith('$')
    ) {
      policy.conditions.push({ operator, field: first.slice(1).toLowerCase(), value: String(second) })
    } else {
      throw invalidPolicy(`the condition ${JSON.stringify(condition)} is unknown`)
    }
  }
  // The signature is valid for all buckets of the signer, so the policy must name one.
  if (!policy.conditions.some(({ field }) => field === 'bucket')) throw denied('it has no condition for the bucket')
  return policy
}

/** Fields for the signature or the file, which need no condition. */
const FREE = [
  'policy',
  'x-amz-signature',
  'file',
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  // Signature Version 2.
  'awsaccesskeyid',
  'signature',
]

/**
 * Checks a form against its signed policy: the time, each condition, and that each field has a condition.
 * @param fields by name in lower case, `key` as in the form
 * @param target the object to write: the bucket in the URL, and the key with the file name filled in
 * @throws S3Error AccessDenied
 */
export function checkPostPolicy(
  policy: PostPolicy,
  fields: Readonly<Record<string, string>>,
  target: { bucket: string; key: string },
  now: number,
): void {
  if (policy.expiresAt <= now) throw denied('Policy expired')
  // A map, because conditions may use names such as `constructor`.
  const given = new Map([...Object.entries(fields), ...Object.entries(target)])
  for (const { operator, field, value } of policy.conditions) {
    const actual = given.get(field) ?? ''
    const holds = operator === 'eq' ? actual === value : fitsPrefix(field, actual, value)
    if (!holds) throw denied(`Policy Condition failed: ["${operator}", "$${field}", "${value}"]`)
  }
  for (const field of Object.keys(fields)) {
    if (FREE.includes(field) || field.startsWith('x-ignore-')) continue
    if (!policy.conditions.some((condition) => condition.field === field)) {
      throw denied(`Each form field that you specify in a form must appear in the list of policy conditions: ${field}`)
    }
  }
}

/** A content type may be a list. Then each item must match. */
function fitsPrefix(field: string, actual: string, prefix: string): boolean {
  if (field !== 'content-type') return actual.startsWith(prefix)
  return actual.split(',').every((type) => type.trim().startsWith(prefix))
}

function invalidPolicy(what: string, cause?: unknown): S3Error {
  return new S3Error('InvalidPolicyDocument', `The content of the form does not meet the conditions: ${what}.`, {
    cause,
  })
}

function denied(what: string): S3Error {
  return new S3Error('AccessDenied', `Invalid according to Policy: ${what}`)
}

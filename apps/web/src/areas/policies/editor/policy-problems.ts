import type { Capability } from '@stowage/contract'
import {
  type Dialect,
  type ParseOptions,
  type PolicyProblem,
  parseBucketPolicy,
  parsePolicy,
} from '@stowage/iam-policy'

/** Returns the policy dialect of the connected server, in the same way as the console's server. */
export function policyDialect(capabilities: readonly Capability[]): Dialect {
  if (capabilities.includes('aws-policies')) return 'stowage'
  return capabilities.includes('quota-fifo') ? 'minio-2021' : 'minio-2025'
}

/**
 * Returns the errors and warnings of a policy text; none for an empty text.
 * @param bucket the bucket of a bucket policy; undefined for a policy of users
 */
export function policyProblems(
  text: string,
  capabilities: readonly Capability[],
  purpose: ParseOptions['purpose'] = 'policy',
  bucket?: string,
): PolicyProblem[] {
  if (text.trim() === '') return []
  const options = { dialect: policyDialect(capabilities), purpose }
  const { errors, warnings } =
    bucket === undefined ? parsePolicy(text, options) : parseBucketPolicy(text, bucket, options)
  return [...errors, ...warnings]
}

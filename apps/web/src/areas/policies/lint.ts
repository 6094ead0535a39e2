import type { Capability } from '@stowage/contract'
import { type Dialect, type ParseOptions, type Problem, parseBucketPolicy, parsePolicy } from '@stowage/iam-policy'

/** Whose rules decide about policies on the connected server; the same as in the console's server. */
export function dialectOf(capabilities: readonly Capability[]): Dialect {
  if (capabilities.includes('aws-policies')) return 'stowage'
  return capabilities.includes('quota-fifo') ? 'minio-2021' : 'minio-2025'
}

/**
 * All that is wrong with the text of a policy, and what it may not mean; nothing for a blank one.
 * @param bucket whose policy it is; absent for a policy of users
 */
export function problemsOf(
  text: string,
  capabilities: readonly Capability[],
  purpose: ParseOptions['purpose'] = 'policy',
  bucket?: string,
): Problem[] {
  if (text.trim() === '') return []
  const options = { dialect: dialectOf(capabilities), purpose }
  const { errors, warnings } =
    bucket === undefined ? parsePolicy(text, options) : parseBucketPolicy(text, bucket, options)
  return [...errors, ...warnings]
}

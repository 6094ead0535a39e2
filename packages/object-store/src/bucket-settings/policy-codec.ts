import { bucketPolicyFromJson, type CompiledBucketPolicy, compileBucketPolicy } from '@stowage/iam-policy'
import type { SettingCodec } from './setting-codec.ts'

export interface BucketPolicySetting {
  /** The original document. */
  document: string
  compiled: CompiledBucketPolicy
}

/**
 * A bucket's policy. The call that sets it validates it with the bucket and its users; if the rules have become stricter since,
 * the denials of a stored policy still apply.
 */
export const policyCodec: SettingCodec<BucketPolicySetting> = {
  read: (document) => ({
    document,
    compiled: compileBucketPolicy(bucketPolicyFromJson(document), { name: 'bucket policy' }),
  }),
  write: ({ document }) => document,
}

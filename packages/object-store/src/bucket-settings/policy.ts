import { bucketPolicyFromJson, type CompiledBucketPolicy, compileBucketPolicy } from '@stowage/iam-policy'
import type { SettingCodec } from './codec.ts'

export interface BucketPolicy {
  /** As it was put. */
  document: string
  compiled: CompiledBucketPolicy
}

/**
 * A bucket's policy. It is validated by the call that puts it, which knows the bucket and the users: should the rules have
 * become stricter since, the denials of a stored policy still hold.
 */
export const policyCodec: SettingCodec<BucketPolicy> = {
  read: (document) => ({
    document,
    compiled: compileBucketPolicy(bucketPolicyFromJson(document), { name: 'bucket policy' }),
  }),
  write: ({ document }) => document,
}

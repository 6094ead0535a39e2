import { bucketPolicyFromJson, type CompiledBucketPolicy, compileBucketPolicy } from '@stowage/iam-policy'
import type { Engine } from '../engine/types.ts'
import { S3Error } from '../errors.ts'

/** The compiled policies of buckets, made again when the setting changes. */
export class BucketPolicies {
  readonly #engine: Pick<Engine, 'getBucketSetting'>
  readonly #known = new Map<string, { text: string; policy: CompiledBucketPolicy }>()

  constructor(engine: Pick<Engine, 'getBucketSetting'>) {
    this.#engine = engine
  }

  /** Undefined for a bucket without a policy, and for none at all: to whoever may not see it, it is not there. */
  get(bucket: string): CompiledBucketPolicy | undefined {
    const text = this.#textOf(bucket)
    if (text === undefined) {
      this.#known.delete(bucket)
      return undefined
    }
    const known = this.#known.get(bucket)
    if (known?.text === text) return known.policy
    // It was checked when it was put. Should the rules have become stricter since, its denials still hold.
    const policy = compileBucketPolicy(bucketPolicyFromJson(text), { name: `policy of ${bucket}` })
    this.#known.set(bucket, { text, policy })
    return policy
  }

  #textOf(bucket: string): string | undefined {
    try {
      return this.#engine.getBucketSetting(bucket, 'policy')?.value
    } catch (error) {
      if (error instanceof S3Error && error.code === 'NoSuchBucket') return undefined
      throw error
    }
  }
}

import { type CompiledPolicy, compileBucketPolicy, parseBucketPolicy } from '@stowage/iam-policy'
import type { Engine } from '../engine/types.ts'
import { S3Error } from '../errors.ts'

/** The compiled policies of buckets, made again when the setting changes. */
export class BucketPolicies {
  readonly #engine: Pick<Engine, 'getBucketSetting'>
  readonly #known = new Map<string, { text: string; policy: CompiledPolicy | undefined }>()

  constructor(engine: Pick<Engine, 'getBucketSetting'>) {
    this.#engine = engine
  }

  /** Undefined for a bucket without a policy, and for none at all: to whoever may not see it, it is not there. */
  get(bucket: string): CompiledPolicy | undefined {
    const text = this.#textOf(bucket)
    if (text === undefined) {
      this.#known.delete(bucket)
      return undefined
    }
    const known = this.#known.get(bucket)
    if (known?.text === text) return known.policy
    const parsed = parseBucketPolicy(text, bucket)
    const policy = parsed.ok ? compileBucketPolicy(parsed.policy, { name: `policy of ${bucket}` }) : undefined
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

import type { Output } from '@stowage/contract'

/** The encryption of a bucket; null if it is disabled. */
export type BucketEncryption = Output<'getBucketEncryption'> | null

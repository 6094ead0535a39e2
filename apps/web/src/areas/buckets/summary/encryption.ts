import type { Output } from '@stowage/contract'

/** How a bucket encrypts; null when it does not. */
export type Encryption = Output<'getBucketEncryption'> | null

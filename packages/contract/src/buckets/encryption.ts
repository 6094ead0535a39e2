import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { bucketParams } from './bucket-params.ts'
import { bucketEndpoints } from './endpoints.ts'

const encryption = z.object({
  /** `AES256` for SSE-S3, `aws:kms` for SSE-KMS. */
  algorithm: z.string(),
  /** The name of the key; empty for SSE-S3 and for the server's default key. */
  kmsMasterKeyID: z.string(),
})

/** The encryption that a change is based on; null if it is disabled. If the current encryption differs, the response is 409. */
const before = encryption.nullable().optional()

export const encryptionCalls = routes(bucketEndpoints, {
  getBucketEncryption: {
    summary: 'The encryption of new objects in a bucket; 404 if it is disabled',
    params: bucketParams,
    response: encryption,
  },
  enableBucketEncryption: {
    summary: 'Encrypt new objects of a bucket',
    params: bucketParams,
    body: z.object({
      encType: z.enum(['sse-s3', 'sse-kms']).default('sse-s3'),
      /** Ignored for SSE-S3. Empty for the server's default key. */
      kmsKeyID: z.string().max(1024).default(''),
      before,
    }),
  },
  listKmsKeys: {
    summary: 'The keys that buckets can use for SSE-KMS',
    response: z.object({
      keys: listSchema(
        z.object({
          name: z.string(),
          /** RFC 3339; absent if the server does not report it. */
          created: z.string().optional(),
        }),
      ),
    }),
  },
  disableBucketEncryption: {
    summary: 'Stop encrypting new objects of a bucket',
    params: bucketParams,
    // The original frontend sends an empty object.
    body: z.object({ before }).nullish(),
  },
})

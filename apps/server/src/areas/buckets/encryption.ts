import type { ServerSideEncryptionByDefault } from '@aws-sdk/client-s3'
import { reason } from '@stowage/contract'
import { encryptionCalls } from '@stowage/contract/buckets/encryption'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/http/errors.ts'
import { serve } from '../../lib/http/serve.ts'
import type { S3Api } from '../../lib/storage/s3-api.ts'
import { storageErrorOf } from '../../lib/storage/storage-errors.ts'

export function encryptionRoutes(app: FastifyInstance): void {
  serve(app, encryptionCalls.getBucketEncryption, async ({ params: { bucket } }, { s3 }) => {
    const rule = await readEncryption(s3, bucket)
    if (rule === undefined) {
      // The frontend of the original console recognises a missing encryption by this text.
      throw new HttpError(404, reason('encryption-not-found'), {
        detail: 'error server side encryption configuration not found',
      })
    }
    return { algorithm: rule.SSEAlgorithm ?? '', kmsMasterKeyID: rule.KMSMasterKeyID ?? '' }
  })

  serve(app, encryptionCalls.enableBucketEncryption, async ({ params, body: { encType, kmsKeyID } }, { s3 }) => {
    const rule =
      encType === 'sse-s3'
        ? { SSEAlgorithm: 'AES256' as const }
        : { SSEAlgorithm: 'aws:kms' as const, ...(kmsKeyID === '' ? {} : { KMSMasterKeyID: kmsKeyID }) }
    await writeEncryption(s3, params.bucket, rule)
  })

  serve(app, encryptionCalls.listKmsKeys, async (_, { madmin }) => ({ keys: await madmin.listKmsKeys() }))

  serve(app, encryptionCalls.disableBucketEncryption, async ({ params: { bucket } }, { s3 }) => {
    await writeEncryption(s3, bucket, undefined)
  })
}

/** Returns the default encryption of a bucket; undefined without one. */
export async function readEncryption(s3: S3Api, Bucket: string): Promise<ServerSideEncryptionByDefault | undefined> {
  try {
    const { ServerSideEncryptionConfiguration } = await s3.getBucketEncryption({ Bucket })
    return ServerSideEncryptionConfiguration?.Rules?.[0]?.ApplyServerSideEncryptionByDefault
  } catch (error) {
    if (storageErrorOf(error)?.code === 'ServerSideEncryptionConfigurationNotFoundError') return undefined
    throw error
  }
}

/** @param rule undefined disables encryption */
export async function writeEncryption(
  s3: S3Api,
  Bucket: string,
  rule: ServerSideEncryptionByDefault | undefined,
): Promise<void> {
  if (rule === undefined) return void (await s3.deleteBucketEncryption({ Bucket }))
  const ServerSideEncryptionConfiguration = { Rules: [{ ApplyServerSideEncryptionByDefault: rule }] }
  await s3.putBucketEncryption({ Bucket, ServerSideEncryptionConfiguration })
}

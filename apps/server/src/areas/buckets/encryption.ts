import type { ServerSideEncryptionByDefault } from '@aws-sdk/client-s3'
import { reason } from '@stowage/contract'
import { encryptionCalls } from '@stowage/contract/buckets/encryption'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { toStorageError } from '../../lib/errors/storage-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import type { S3Api } from '../../lib/storage/s3-api.ts'
import { requireUnchangedSetting, settingQueue } from '../../lib/storage/setting-conflicts.ts'

type EncryptionAnswer = z.output<typeof encryptionCalls.getBucketEncryption.response>

export function encryptionRoutes(app: FastifyInstance): void {
  serve(app, encryptionCalls.getBucketEncryption, async ({ params: { bucket } }, { s3 }) => {
    const answer = encryptionAnswer(await readEncryption(s3, bucket))
    if (answer === null) {
      // The frontend of the original console recognises a missing encryption by this text.
      throw new HttpError(404, reason('encryption-not-found'), {
        detail: 'error server side encryption configuration not found',
      })
    }
    return answer
  })

  serve(app, encryptionCalls.enableBucketEncryption, async ({ params, body }, { s3 }) => {
    const { encType, kmsKeyID, before } = body
    const rule =
      encType === 'sse-s3'
        ? { SSEAlgorithm: 'AES256' as const }
        : { SSEAlgorithm: 'aws:kms' as const, ...(kmsKeyID === '' ? {} : { KMSMasterKeyID: kmsKeyID }) }
    await replaceEncryption(s3, params.bucket, before, rule)
  })

  serve(app, encryptionCalls.listKmsKeys, async (_, { madmin }) => ({ keys: await madmin.listKmsKeys() }))

  serve(app, encryptionCalls.disableBucketEncryption, async ({ params: { bucket }, body }, { s3 }) => {
    await replaceEncryption(s3, bucket, body?.before, undefined)
  })
}

const encryptionAnswer = (rule: ServerSideEncryptionByDefault | undefined): EncryptionAnswer | null =>
  rule ? { algorithm: rule.SSEAlgorithm ?? '', kmsMasterKeyID: rule.KMSMasterKeyID ?? '' } : null

/** @param before undefined: replaces whatever is stored. @throws HttpError 409 if the encryption is no longer `before` */
async function replaceEncryption(
  s3: S3Api,
  bucket: string,
  before: EncryptionAnswer | null | undefined,
  rule: ServerSideEncryptionByDefault | undefined,
): Promise<void> {
  await settingQueue.run(bucket, async () => {
    await requireUnchangedSetting(before, async () => encryptionAnswer(await readEncryption(s3, bucket)))
    await writeEncryption(s3, bucket, rule)
  })
}

/** Returns the default encryption of a bucket; undefined without one. */
export async function readEncryption(s3: S3Api, Bucket: string): Promise<ServerSideEncryptionByDefault | undefined> {
  try {
    const { ServerSideEncryptionConfiguration } = await s3.getBucketEncryption({ Bucket })
    return ServerSideEncryptionConfiguration?.Rules?.[0]?.ApplyServerSideEncryptionByDefault
  } catch (error) {
    if (toStorageError(error)?.code === 'ServerSideEncryptionConfigurationNotFoundError') return undefined
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

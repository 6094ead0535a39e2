import { bucketCorsCalls, CorsMethod, type CorsRule } from '@stowage/contract/buckets/cors'
import type { FastifyInstance } from 'fastify'
import { toStorageError } from '../../lib/errors/storage-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import type { S3Api } from '../../lib/storage/s3-api.ts'
import { requireUnchangedSetting, settingQueue } from '../../lib/storage/setting-conflicts.ts'

export function bucketCorsRoutes(app: FastifyInstance): void {
  serve(app, bucketCorsCalls.getBucketCors, async ({ params: { bucket } }, { s3 }) => ({
    rules: await readCors(s3, bucket),
  }))

  serve(app, bucketCorsCalls.setBucketCors, async ({ params: { bucket }, body: { rules, before } }, { s3 }) => {
    await settingQueue.run(bucket, async () => {
      await requireUnchangedSetting(before, () => readCors(s3, bucket))
      await writeCors(s3, bucket, rules)
    })
  })
}

/** Replaces the CORS rules. Without rules, the configuration is deleted. */
export async function writeCors(s3: S3Api, Bucket: string, rules: readonly CorsRule[]): Promise<void> {
  if (rules.length === 0) return void (await s3.deleteBucketCors({ Bucket }))
  const CORSRules = rules.map((rule) => ({
    ...(rule.id ? { ID: rule.id } : {}),
    AllowedOrigins: rule.allowedOrigins,
    AllowedMethods: rule.allowedMethods,
    AllowedHeaders: rule.allowedHeaders,
    ExposeHeaders: rule.exposeHeaders,
    ...(rule.maxAgeSeconds === undefined ? {} : { MaxAgeSeconds: rule.maxAgeSeconds }),
  }))
  await s3.putBucketCors({ Bucket, CORSConfiguration: { CORSRules } })
}

export async function readCors(s3: S3Api, Bucket: string): Promise<CorsRule[]> {
  try {
    const { CORSRules = [] } = await s3.getBucketCors({ Bucket })
    return CORSRules.map((rule) => ({
      ...(rule.ID ? { id: rule.ID } : {}),
      allowedOrigins: rule.AllowedOrigins ?? [],
      allowedMethods: CorsMethod.options.filter((method) => rule.AllowedMethods?.includes(method)),
      allowedHeaders: rule.AllowedHeaders ?? [],
      exposeHeaders: rule.ExposeHeaders ?? [],
      ...(rule.MaxAgeSeconds === undefined ? {} : { maxAgeSeconds: rule.MaxAgeSeconds }),
    }))
  } catch (error) {
    if (toStorageError(error)?.code === 'NoSuchCORSConfiguration') return []
    throw error
  }
}

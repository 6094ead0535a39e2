import type { Tag } from '@aws-sdk/client-s3'
import { bucketTagCalls } from '@stowage/contract/buckets/tags'
import type { FastifyInstance } from 'fastify'
import { toStorageError } from '../../lib/errors/storage-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import type { S3Api } from '../../lib/storage/s3-api.ts'
import { requireUnchangedSetting, settingQueue } from '../../lib/storage/setting-conflicts.ts'

export function bucketTagRoutes(app: FastifyInstance): void {
  serve(app, bucketTagCalls.getBucketTags, async ({ params: { bucket } }, { s3 }) => ({
    tags: tagMap(await readBucketTags(s3, bucket)),
  }))

  serve(app, bucketTagCalls.setBucketTags, async ({ params: { bucket }, body: { tags, before } }, { s3 }) => {
    await settingQueue.run(bucket, async () => {
      await requireUnchangedSetting(before, async () => tagMap(await readBucketTags(s3, bucket)))
      await writeBucketTags(
        s3,
        bucket,
        Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      )
    })
  })
}

const tagMap = (tags: readonly Tag[]) => Object.fromEntries(tags.map(({ Key = '', Value = '' }) => [Key, Value]))

/** Replaces the tags. Without tags, the tag set is deleted. */
export async function writeBucketTags(s3: S3Api, Bucket: string, TagSet: Tag[]): Promise<void> {
  if (TagSet.length > 0) await s3.putBucketTagging({ Bucket, Tagging: { TagSet } })
  else await s3.deleteBucketTagging({ Bucket })
}

export async function readBucketTags(s3: S3Api, Bucket: string): Promise<Tag[]> {
  try {
    return (await s3.getBucketTagging({ Bucket })).TagSet ?? []
  } catch (error) {
    if (toStorageError(error)?.code === 'NoSuchTagSet') return []
    throw error
  }
}

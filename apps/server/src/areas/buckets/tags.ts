import type { Tag } from '@aws-sdk/client-s3'
import { bucketTagCalls } from '@stowage/contract/buckets/tags'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'
import type { S3Api } from '../../lib/storage/s3-api.ts'
import { storageErrorOf } from '../../lib/storage/storage-errors.ts'
import { requireUnchanged, settingTurns } from './unchanged.ts'

export function bucketTagRoutes(app: FastifyInstance): void {
  serve(app, bucketTagCalls.getBucketTags, async ({ params: { bucket } }, { s3 }) => ({
    tags: tagMap(await readTags(s3, bucket)),
  }))

  serve(app, bucketTagCalls.setBucketTags, async ({ params: { bucket }, body: { tags, before } }, { s3 }) => {
    await settingTurns.run(bucket, async () => {
      await requireUnchanged(before, async () => tagMap(await readTags(s3, bucket)))
      await writeTags(
        s3,
        bucket,
        Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
      )
    })
  })
}

const tagMap = (tags: readonly Tag[]) => Object.fromEntries(tags.map(({ Key = '', Value = '' }) => [Key, Value]))

/** Replaces the tags. Without tags, the tag set is deleted. */
export async function writeTags(s3: S3Api, Bucket: string, TagSet: Tag[]): Promise<void> {
  if (TagSet.length > 0) await s3.putBucketTagging({ Bucket, Tagging: { TagSet } })
  else await s3.deleteBucketTagging({ Bucket })
}

export async function readTags(s3: S3Api, Bucket: string): Promise<Tag[]> {
  try {
    return (await s3.getBucketTagging({ Bucket })).TagSet ?? []
  } catch (error) {
    if (storageErrorOf(error)?.code === 'NoSuchTagSet') return []
    throw error
  }
}

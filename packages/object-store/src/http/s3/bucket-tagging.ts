import { S3Error } from '../../errors.ts'
import { readRaw } from '../body.ts'
import type { Operation } from './operation.ts'
import { parseTagging, taggingDocument } from './tag-set.ts'

const BODY_BYTES = 256 * 1024

export const getBucketTagging: Operation = {
  name: 'GetBucketTagging',
  method: 'GET',
  level: 'bucket',
  query: ['tagging'],
  action: 's3:GetBucketTagging',
  handle(call) {
    const setting = call.engine.getBucketSetting(call.bucket, 'tagging')
    if (!setting) throw new S3Error('NoSuchTagSet', 'The TagSet does not exist')
    call.xml(setting.value)
  },
}

export const putBucketTagging: Operation = {
  name: 'PutBucketTagging',
  method: 'PUT',
  level: 'bucket',
  query: ['tagging'],
  action: 's3:PutBucketTagging',
  tags: { in: 'body', read: async (call) => parseTagging(await readRaw(call, BODY_BYTES), 'bucket') },
  async handle(call) {
    await call.engine.setBucketSetting(call.bucket, 'tagging', taggingDocument(call.requestTags))
    call.empty(200)
  },
}

export const deleteBucketTagging: Operation = {
  name: 'DeleteBucketTagging',
  method: 'DELETE',
  level: 'bucket',
  query: ['tagging'],
  action: 's3:PutBucketTagging',
  async handle(call) {
    await call.engine.setBucketSetting(call.bucket, 'tagging', undefined)
    call.empty(204)
  },
}

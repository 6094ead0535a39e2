import { parseTagging, writeTagging } from '../../../bucket-settings/tagging-codec.ts'
import { S3Error } from '../../../lib/errors.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { deleteSettingOperation } from './setting-calls.ts'

const MAX_BODY_BYTES = 256 * 1024

export const getBucketTagging: S3Operation = {
  name: 'GetBucketTagging',
  method: 'GET',
  level: 'bucket',
  query: ['tagging'],
  handle(call) {
    const setting = call.engine.getBucketSetting(call.bucket, 'tagging')
    if (!setting) throw new S3Error('NoSuchTagSet', 'The TagSet does not exist')
    call.xml(writeTagging(setting.value))
  },
}

export const putBucketTagging: S3Operation = {
  name: 'PutBucketTagging',
  method: 'PUT',
  level: 'bucket',
  query: ['tagging'],
  tags: { in: 'body', read: async (call) => parseTagging(await readRequestBody(call, MAX_BODY_BYTES), 'bucket') },
  async handle(call) {
    await call.engine.setBucketSettings(call.bucket, { tagging: call.requestTags })
    call.empty(200)
  },
}

export const deleteBucketTagging = deleteSettingOperation('tagging', 'tagging', {
  name: 'DeleteBucketTagging',
})

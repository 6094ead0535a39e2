import { parseTagging, writeTagging } from '../../../bucket-settings/tagging-codec.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { ResponseHeaders, StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { requestedObject, requestedVersion } from '../../call/version-id.ts'

const BODY_BYTES = 64 * 1024

export const getObjectTagging: S3Operation = {
  name: 'GetObjectTagging',
  method: 'GET',
  level: 'object',
  query: ['tagging'],
  handle(call) {
    const { info } = call.engine.getObject(call.bucket, call.key, requestedVersion(call))
    call.xml(writeTagging(info.tags), 200, versionHeader(call, info.versionId))
  },
}

export const putObjectTagging: S3Operation = {
  name: 'PutObjectTagging',
  method: 'PUT',
  level: 'object',
  query: ['tagging'],
  tags: { in: 'body', read: async (call) => parseTagging(await readRequestBody(call, BODY_BYTES), 'object') },
  async handle(call) {
    const info = await call.engine.setObjectTags(requestedObject(call), call.requestTags)
    call.empty(200, versionHeader(call, info.versionId))
  },
}

export const deleteObjectTagging: S3Operation = {
  name: 'DeleteObjectTagging',
  method: 'DELETE',
  level: 'object',
  query: ['tagging'],
  async handle(call) {
    const info = await call.engine.setObjectTags(requestedObject(call), {})
    call.empty(204, versionHeader(call, info.versionId))
  },
}

function versionHeader(call: StoreCall, versionId: string): ResponseHeaders {
  return call.engine.getBucket(call.bucket).versioning === undefined ? {} : { 'x-amz-version-id': versionId }
}

import { parseTagging, taggingDocument } from '../../bucket-settings/tagging.ts'
import { readRaw } from '../body.ts'
import type { Call, ResponseHeaders } from '../call.ts'
import type { Operation } from './operation.ts'
import { requestedObject, requestedVersion } from './version-id.ts'

const BODY_BYTES = 64 * 1024

export const getObjectTagging: Operation = {
  name: 'GetObjectTagging',
  method: 'GET',
  level: 'object',
  query: ['tagging'],
  action: 's3:GetObjectTagging',
  handle(call) {
    const { info } = call.engine.getObject(call.bucket, call.key, requestedVersion(call))
    call.xml(taggingDocument(info.tags), 200, versionHeader(call, info.versionId))
  },
}

export const putObjectTagging: Operation = {
  name: 'PutObjectTagging',
  method: 'PUT',
  level: 'object',
  query: ['tagging'],
  action: 's3:PutObjectTagging',
  tags: { in: 'body', read: async (call) => parseTagging(await readRaw(call, BODY_BYTES), 'object') },
  async handle(call) {
    const info = await call.engine.setObjectTags(requestedObject(call), call.requestTags)
    call.empty(200, versionHeader(call, info.versionId))
  },
}

export const deleteObjectTagging: Operation = {
  name: 'DeleteObjectTagging',
  method: 'DELETE',
  level: 'object',
  query: ['tagging'],
  action: 's3:DeleteObjectTagging',
  async handle(call) {
    const info = await call.engine.setObjectTags(requestedObject(call), {})
    call.empty(204, versionHeader(call, info.versionId))
  },
}

function versionHeader(call: Call, versionId: string): ResponseHeaders {
  return call.engine.getBucket(call.bucket).versioning === undefined ? {} : { 'x-amz-version-id': versionId }
}

import type { ObjectInfo } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { parseXml, xmlChildText } from '../../../lib/xml.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { ResponseHeaders, StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { requestedVersion } from '../../call/version-id.ts'

const MAX_BYTES = 64 * 1024
const MAX_DAYS = 36_500
const DAY_MS = 24 * 60 * 60 * 1000

export const restoreObject: S3Operation = {
  name: 'RestoreObject',
  method: 'POST',
  level: 'object',
  query: ['restore'],
  async handle(call) {
    const root = parseXml(await readRequestBody(call, MAX_BYTES), 'RestoreRequest')
    const days = xmlChildText(root, 'Days')?.trim() ?? ''
    if (!/^\d{1,5}$/.test(days) || Number(days) < 1 || Number(days) > MAX_DAYS) {
      throw new S3Error('InvalidArgument', `The days of a restore must be between 1 and ${MAX_DAYS}.`)
    }
    const { engine, store } = call
    const { info } = engine.getObject(call.bucket, call.key, requestedVersion(call))
    const object = { bucket: call.bucket, key: call.key, versionId: info.versionId }
    if (!info.tier) {
      throw new S3Error('InvalidObjectState', 'The operation is not valid for the current state of the object.')
    }
    if (store.restores.has(info)) {
      throw new S3Error('RestoreAlreadyInProgress', 'Object restore is already in progress.')
    }
    // At the following midnight, like all lifecycle actions.
    const until = Math.floor(engine.clock.now() / DAY_MS + Number(days) + 1) * DAY_MS
    if (info.tier.restoredUntil !== undefined) {
      await engine.restoreVersion(object, until)
      call.empty(200)
      return
    }
    await store.restores.begin({ ...object, until })
    call.empty(202)
  },
}

/** Returns the header about a local copy of an object on a tier: restored, or being restored. */
export function restoreHeader({ store }: StoreCall, info: ObjectInfo): ResponseHeaders {
  if (!info.tier) return {}
  if (store.restores.has(info)) return { 'x-amz-restore': 'ongoing-request="true"' }
  const { restoredUntil } = info.tier
  if (restoredUntil === undefined) return {}
  return { 'x-amz-restore': `ongoing-request="false", expiry-date="${new Date(restoredUntil).toUTCString()}"` }
}

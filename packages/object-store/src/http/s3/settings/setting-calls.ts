import type { S3OperationName } from '@stowage/iam-policy'
import {
  type BucketSettingName,
  type BucketSettings,
  bucketSettingCodecs,
} from '../../../bucket-settings/bucket-settings.ts'
import type { S3Error } from '../../../lib/errors.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'

/** The calls for a setting whose document is set and returned as a whole. */
interface SettingCalls<Name extends BucketSettingName> {
  setting: Name
  /** The query parameter that names the setting. */
  query: string
  get: {
    name: S3OperationName
    /** The answer for a bucket without the setting. */
    absent: (call: StoreCall) => S3Error | string
  }
  put: {
    name: S3OperationName
    /** Maximum size of the document in bytes. */
    maxBytes: number
    /** Checks that need the call, such as names of keys or targets. */
    check?: (call: StoreCall, value: BucketSettings[Name]) => void | Promise<void>
  }
  delete?: DeleteCall
}

interface DeleteCall {
  name: S3OperationName
  /** Default: 204. */
  status?: number
}

export function settingOperations<Name extends BucketSettingName>(calls: SettingCalls<Name>): S3Operation[] {
  const { setting, query, get, put } = calls
  const common = { level: 'bucket', query: [query] } as const
  const operations: S3Operation[] = [
    {
      ...common,
      name: get.name,
      method: 'GET',
      handle(call) {
        const found = call.engine.getBucketSetting(call.bucket, setting)
        const document = found ? bucketSettingCodecs[setting].write(found.value) : get.absent(call)
        if (typeof document !== 'string') throw document
        call.xml(document)
      },
    },
    {
      ...common,
      name: put.name,
      method: 'PUT',
      async handle(call) {
        const value = bucketSettingCodecs[setting].read((await readRequestBody(call, put.maxBytes)).toString('utf8'))
        call.engine.getBucket(call.bucket)
        await put.check?.(call, value)
        await call.engine.setBucketSettings(call.bucket, { [setting]: value })
        call.empty(200)
      },
    },
  ]
  if (calls.delete) operations.push(deleteSettingOperation(setting, query, calls.delete))
  return operations
}

export function deleteSettingOperation(
  setting: BucketSettingName,
  query: string,
  { name, status = 204 }: DeleteCall,
): S3Operation {
  return {
    name,
    method: 'DELETE',
    level: 'bucket',
    query: [query],
    async handle(call) {
      await call.engine.setBucketSettings(call.bucket, { [setting]: undefined })
      call.empty(status)
    },
  }
}

import { type BucketSettings, type SettingName, settingCodecs } from '../../bucket-settings/index.ts'
import type { S3Error } from '../../errors.ts'
import { readRaw } from '../body.ts'
import type { Call } from '../call.ts'
import type { Operation } from './operation.ts'

/** The calls for a setting whose document is set and returned as a whole. */
interface SettingCalls<Name extends SettingName> {
  setting: Name
  /** The query parameter that names the setting. */
  query: string
  get: {
    name: string
    action: string /** The answer for a bucket without the setting. */
    absent: (call: Call) => S3Error | string
  }
  put: {
    name: string
    action: string
    /** Maximum size of the document in bytes. */
    maxBytes: number
    /** Checks that need the call, such as names of keys or targets. */
    check?: (call: Call, value: BucketSettings[Name]) => void | Promise<void>
  }
  delete?: DeleteCall
}

interface DeleteCall {
  name: string
  action: string
  /** Default: 204. */
  status?: number
}

export function settingCalls<Name extends SettingName>(calls: SettingCalls<Name>): Operation[] {
  const { setting, query, get, put } = calls
  const common = { level: 'bucket', query: [query] } as const
  const operations: Operation[] = [
    {
      ...common,
      name: get.name,
      method: 'GET',
      action: get.action,
      handle(call) {
        const found = call.engine.getBucketSetting(call.bucket, setting)
        const document = found ? settingCodecs[setting].write(found.value) : get.absent(call)
        if (typeof document !== 'string') throw document
        call.xml(document)
      },
    },
    {
      ...common,
      name: put.name,
      method: 'PUT',
      action: put.action,
      async handle(call) {
        const value = settingCodecs[setting].read((await readRaw(call, put.maxBytes)).toString('utf8'))
        call.engine.getBucket(call.bucket)
        await put.check?.(call, value)
        await call.engine.setBucketSettings(call.bucket, { [setting]: value })
        call.empty(200)
      },
    },
  ]
  if (calls.delete) operations.push(deleteSetting(setting, query, calls.delete))
  return operations
}

export function deleteSetting(
  setting: SettingName,
  query: string,
  { name, action, status = 204 }: DeleteCall,
): Operation {
  return {
    name,
    method: 'DELETE',
    level: 'bucket',
    query: [query],
    action,
    async handle(call) {
      await call.engine.setBucketSettings(call.bucket, { [setting]: undefined })
      call.empty(status)
    },
  }
}

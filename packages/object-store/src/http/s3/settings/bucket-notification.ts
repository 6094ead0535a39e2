import { isEventPattern } from '../../../bucket-settings/event-names.ts'
import type { NotificationSetting } from '../../../bucket-settings/notification-codec.ts'
import { S3Error } from '../../../lib/errors.ts'
import { s3Document } from '../../../lib/xml.ts'
import type { StoreCall } from '../../call/call.ts'
import { openEventStream } from '../../call/event-stream.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { settingOperations } from './setting-calls.ts'

const BLANK_MS = 500
const MAX_PING_S = 3600

export const bucketNotification: S3Operation[] = [
  ...settingOperations({
    setting: 'notification',
    query: 'notification',
    get: {
      name: 'GetBucketNotificationConfiguration',
      absent: () => s3Document('NotificationConfiguration', ''),
    },
    put: {
      name: 'PutBucketNotificationConfiguration',
      maxBytes: 256 * 1024,
      check: requireNotificationTargets,
    },
  }),
  listenOperation('ListenBucketNotification', 'bucket'),
  listenOperation('ListenNotification', 'service'),
]

/** @throws S3Error InvalidArgument */
export function requireNotificationTargets(call: StoreCall, rules: NotificationSetting): void {
  const known = new Set(call.store.events.arns())
  const unknown = rules.find(({ arn }) => !known.has(arn))
  if (unknown) throw new S3Error('InvalidArgument', `A specified destination ARN does not exist: ${unknown.arn}`)
}

/** Streams events while the client listens. */
function listenOperation(
  name: 'ListenBucketNotification' | 'ListenNotification',
  level: 'bucket' | 'service',
): S3Operation {
  return {
    name,
    method: 'GET',
    level,
    query: ['events'],
    handle(call) {
      const { query, store } = call
      const events = query.getAll('events').filter((event) => event !== '')
      const unknown = events.find((event) => !isEventPattern(event))
      if (events.length === 0 || unknown !== undefined) {
        throw new S3Error('InvalidArgument', 'A specified event is not supported for notifications.')
      }
      if (level === 'bucket') store.engine.getBucket(call.bucket)
      const filter = {
        bucket: level === 'bucket' ? call.bucket : undefined,
        events,
        prefix: query.get('prefix') ?? '',
        suffix: query.get('suffix') ?? '',
      }
      const pingS = pingSeconds(query.get('ping'))
      const stream = openEventStream(call, BLANK_MS)
      const end = store.events.listen(filter, (event) => stream.write({ Records: [store.events.eventRecord(event)] }))
      const ping = pingS === undefined ? undefined : setInterval(() => stream.write({ Records: null }), pingS * 1000)
      stream.onEnd(() => {
        end()
        clearInterval(ping)
      })
    },
  }
}

/** @throws S3Error InvalidArgument */
function pingSeconds(text: string | null): number | undefined {
  if (text === null || text === '') return undefined
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (seconds >= 1 && seconds <= MAX_PING_S) return seconds
  throw new S3Error('InvalidArgument', `The ping must be 1 to ${MAX_PING_S} seconds.`)
}

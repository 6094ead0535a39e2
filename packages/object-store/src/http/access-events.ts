import { ACCESS_EVENTS } from '../bucket-settings/event-names.ts'
import type { Engine } from '../engine/interface/types.ts'
import type { StoreEvents } from '../events/events.ts'
import { formatSequencer } from '../events/store-event.ts'
import type { RequestRecorder } from '../requests/request-recorder.ts'

/** Publishes events of reads, which are not in the journal. Returns a function to stop it. */
export function publishAccessEvents(events: StoreEvents, recorder: RequestRecorder, engine: Engine): () => void {
  let last = 0
  return recorder.subscribe((record, request) => {
    const name = ACCESS_EVENTS.get(record.operation)
    if (name === undefined || record.status >= 300 || !events.wantsAccess(record.bucket)) return
    const { bucket, key } = record
    // Always increases, also within a millisecond and if the clock is set back.
    last = Math.max(last + 1, Date.now() * 1000)
    events.publish({
      name,
      time: record.startedAt,
      sequencer: formatSequencer(last),
      bucket,
      key,
      ...objectDetails(engine, bucket, key),
      requester: {
        user: record.user,
        address: record.remoteAddress,
        userAgent: request.headers['user-agent'] ?? '',
        requestId: record.id,
      },
    })
  })
}

function objectDetails(engine: Engine, bucket: string, key: string) {
  try {
    const { size, etag, versionId, headers } = engine.getObject(bucket, key).info
    return { size, etag, versionId, contentType: headers['content-type'] }
  } catch {
    // The object was deleted after it was read.
    return {}
  }
}

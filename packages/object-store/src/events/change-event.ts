import { changeEventName } from '../bucket-settings/event-names.ts'
import type { Engine, StoreChange } from '../engine/interface/types.ts'
import { isScratchBucket } from '../lib/scratch-bucket.ts'
import { formatSequencer, type StoreEvent, UNKNOWN_REQUESTER } from './store-event.ts'

/** Returns the event of a change; undefined if it has none. */
export function changeEvent(change: StoreChange, engine: Pick<Engine, 'getObject'>): StoreEvent | undefined {
  const name = changeEventName(change)
  if (name === undefined || change.bucket === undefined || isScratchBucket(change.bucket)) return undefined
  const { bucket, key = '', versionId, size, etag, time, seq, requester = UNKNOWN_REQUESTER } = change
  const isCreated = name.startsWith('s3:ObjectCreated:')
  const described = isCreated ? objectDetails(engine, bucket, key, versionId) : {}
  return {
    name,
    time,
    sequencer: formatSequencer(seq),
    bucket,
    key,
    versionId,
    ...(isCreated && { size, etag }),
    ...described,
    requester,
  }
}

function objectDetails(
  engine: Pick<Engine, 'getObject'>,
  bucket: string,
  key: string,
  versionId: string | undefined,
): Pick<StoreEvent, 'contentType' | 'metadata'> {
  try {
    const { headers, metadata } = engine.getObject(bucket, key, versionId).info
    const contentType = headers['content-type']
    const named = Object.entries(metadata).map(([name, value]) => [`X-Amz-Meta-${name}`, value])
    return {
      contentType,
      metadata: { ...(contentType && { 'content-type': contentType }), ...Object.fromEntries(named) },
    }
  } catch {
    // The object was deleted meanwhile, so the event has no details of it.
    return {}
  }
}

import type { Change, Engine } from '../engine/types.ts'
import { isScratch } from '../scratch.ts'
import { type StoreEvent, sequencerOf, UNKNOWN_REQUESTER } from './event.ts'
import { eventNameOf } from './names.ts'

/** Returns the event of a change; undefined if it has none. */
export function eventOf(change: Change, engine: Pick<Engine, 'getObject'>): StoreEvent | undefined {
  const name = eventNameOf(change)
  if (name === undefined || change.bucket === undefined || isScratch(change.bucket)) return undefined
  const { bucket, key = '', versionId, size, etag, time, seq, requester = UNKNOWN_REQUESTER } = change
  const isCreated = name.startsWith('s3:ObjectCreated:')
  const described = isCreated ? describe(engine, bucket, key, versionId) : {}
  return {
    name,
    time,
    sequencer: sequencerOf(seq),
    bucket,
    key,
    versionId,
    ...(isCreated && { size, etag }),
    ...described,
    requester,
  }
}

function describe(
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

import type { WatchMessage } from '@stowage/contract/watch/watch'
import type { BucketEventRecord } from '@stowage/madmin'

/** Creation events that keep their name; all others are shown as Put, as in the original. */
const KEPT = new Set(['s3:ObjectCreated:Copy', 's3:ObjectCreated:PutRetention', 's3:ObjectCreated:PutLegalHold'])

/** @param server address of the storage server */
export function wireWatchMessage(event: BucketEventRecord, server: string): WatchMessage {
  const { name, bucket, key } = event
  return {
    Time: event.time,
    Size: event.size,
    UserMetadata: event.userMetadata === undefined ? null : { ...event.userMetadata },
    Path: `${server}/${bucket}/${key}`,
    Host: event.host,
    Port: event.port,
    UserAgent: event.userAgent,
    Type: name.startsWith('s3:ObjectCreated:') && !KEPT.has(name) ? 's3:ObjectCreated:Put' : name,
    bucket,
    key,
    versionId: event.versionId,
    requestId: event.requestId,
    user: event.user,
  }
}

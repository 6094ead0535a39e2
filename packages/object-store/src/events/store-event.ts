import type { StoreChange } from '../journal/store-change.ts'

/** An event before it is delivered. */
export interface StoreEvent {
  /** `s3:ObjectCreated:Put` */
  name: string
  /** ms since 1970. */
  time: number
  /** Defines the order of the events of a key; the same whenever the event is sent again. */
  sequencer: string
  bucket: string
  /** Empty for an event of the bucket itself. */
  key: string
  versionId?: string | undefined
  size?: number | undefined
  etag?: string | undefined
  contentType?: string | undefined
  metadata?: Readonly<Record<string, string>> | undefined
  requester: NonNullable<StoreChange['requester']>
}

/** Members of every record that describe this store. */
export interface EventSourceInfo {
  region: string
  deploymentId: string
}

const NO_REQUESTER = { user: '', address: '', userAgent: '', requestId: '' }
export const UNKNOWN_REQUESTER: NonNullable<StoreChange['requester']> = NO_REQUESTER

/** Returns an event without an object, with which an administrator tests a target. */
export function testEvent(time: number): StoreEvent {
  const testObject = { bucket: 'stowage-test', key: 'test-event' }
  return { name: 's3:TestEvent', time, sequencer: formatSequencer(time), ...testObject, requester: UNKNOWN_REQUESTER }
}

/** Returns the record of an event, in the form of MinIO and its forks. */
export function eventRecord(
  event: StoreEvent,
  configurationId: string,
  { region, deploymentId }: EventSourceInfo,
): object {
  const { name, time, bucket, key, requester } = event
  const principalId = requester.user
  return {
    eventVersion: '2.0',
    eventSource: 'minio:s3',
    awsRegion: region,
    eventTime: new Date(time).toISOString(),
    eventName: name,
    userIdentity: { principalId },
    requestParameters: { principalId, region, sourceIPAddress: requester.address },
    responseElements: {
      'x-amz-id-2': deploymentId,
      'x-amz-request-id': requester.requestId,
      'x-minio-deployment-id': deploymentId,
      'x-minio-origin-endpoint': '',
    },
    s3: {
      s3SchemaVersion: '1.0',
      configurationId: configurationId || 'Config',
      bucket: { name: bucket, ownerIdentity: { principalId }, arn: `arn:aws:s3:::${bucket}` },
      object: {
        key: queryEscape(key),
        ...(event.size !== undefined && { size: event.size }),
        ...(event.etag && { eTag: event.etag }),
        ...(event.contentType !== undefined && { contentType: event.contentType }),
        ...(event.metadata && { userMetadata: event.metadata }),
        ...(event.versionId !== undefined && event.versionId !== 'null' && { versionId: event.versionId }),
        sequencer: event.sequencer,
      },
    },
    source: { host: requester.address, port: '', userAgent: requester.userAgent },
  }
}

/** The body that a target gets for one event. */
export function eventMessage(event: StoreEvent, record: object): string {
  return JSON.stringify({ EventName: event.name, Key: `${event.bucket}/${event.key}`, Records: [record] })
}

export function formatSequencer(number: number): string {
  return Math.floor(number).toString(16).toUpperCase().padStart(16, '0')
}

/** Escapes like Go's QueryEscape, which is the encoding of keys in events. */
function queryEscape(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

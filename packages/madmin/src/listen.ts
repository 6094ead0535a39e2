import { at, listOf, numberOf, objectOf, textOf } from './json.ts'

/** An event of a bucket, as reported to listeners. */
export interface BucketEvent {
  /** RFC 3339 with milliseconds. */
  readonly time: string
  /** Such as `s3:ObjectCreated:Put`. */
  readonly name: string
  readonly bucket: string
  readonly key: string
  /** Bytes; 0 for removals. */
  readonly size: number
  readonly versionId: string
  readonly userMetadata: Readonly<Record<string, string>> | undefined
  readonly user: string
  readonly host: string
  readonly port: string
  readonly userAgent: string
  readonly requestId: string
}

/** Returns the events in a record; none if the record only keeps the connection open. */
export function readBucketEvents(record: unknown): BucketEvent[] {
  return listOf(at(record, 'Records')).map((event) => {
    const s3 = at(event, 's3')
    const object = at(s3, 'object')
    const source = at(event, 'source')
    const metadata = at(object, 'userMetadata')
    const name = textOf(at(event, 'eventName'))
    return {
      time: textOf(at(event, 'eventTime')),
      name: name.startsWith('s3:') ? name : `s3:${name}`,
      bucket: textOf(at(at(s3, 'bucket'), 'name')),
      key: keyOf(textOf(at(object, 'key'))),
      size: numberOf(at(object, 'size')) ?? 0,
      versionId: textOf(at(object, 'versionId')),
      userMetadata:
        metadata === undefined
          ? undefined
          : Object.fromEntries(Object.entries(objectOf(metadata)).map(([key, value]) => [key, String(value)])),
      user: textOf(at(at(event, 'userIdentity'), 'principalId')),
      host: textOf(at(source, 'host')),
      port: textOf(at(source, 'port')),
      userAgent: textOf(at(source, 'userAgent')),
      requestId: textOf(at(at(event, 'responseElements'), 'x-amz-request-id')),
    }
  })
}

/** Decodes a key: servers of 2025 send it unencoded, older ones encoded, which is recognised by an encoded slash. */
function keyOf(key: string): string {
  if (!/%2F/i.test(key)) return key
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return key
  }
}

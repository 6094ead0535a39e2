import { asList, asNumber, asObject, asText, pickMember } from '../transport/json-values.ts'

/** An event of a bucket, as reported to listeners. */
export interface BucketEventRecord {
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
export function readBucketEvents(record: unknown): BucketEventRecord[] {
  return asList(pickMember(record, 'Records')).map((event) => {
    const s3 = pickMember(event, 's3')
    const object = pickMember(s3, 'object')
    const source = pickMember(event, 'source')
    const metadata = pickMember(object, 'userMetadata')
    const name = asText(pickMember(event, 'eventName'))
    return {
      time: asText(pickMember(event, 'eventTime')),
      name: name.startsWith('s3:') ? name : `s3:${name}`,
      bucket: asText(pickMember(pickMember(s3, 'bucket'), 'name')),
      key: decodeEventKey(asText(pickMember(object, 'key'))),
      size: asNumber(pickMember(object, 'size')) ?? 0,
      versionId: asText(pickMember(object, 'versionId')),
      userMetadata:
        metadata === undefined
          ? undefined
          : Object.fromEntries(Object.entries(asObject(metadata)).map(([key, value]) => [key, String(value)])),
      user: asText(pickMember(pickMember(event, 'userIdentity'), 'principalId')),
      host: asText(pickMember(source, 'host')),
      port: asText(pickMember(source, 'port')),
      userAgent: asText(pickMember(source, 'userAgent')),
      requestId: asText(pickMember(pickMember(event, 'responseElements'), 'x-amz-request-id')),
    }
  })
}

/** Decodes a key: servers of 2025 send it unencoded, older ones encoded, which is recognised by an encoded slash. */
function decodeEventKey(key: string): string {
  if (!/%2F/i.test(key)) return key
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return key
  }
}

import type { Egress } from '@stowage/egress'
import type { ConfigValues } from '../../config/config.ts'
import type { DeliveryTarget } from '../delivery/queue-sender.ts'
import type { CertificateFiles } from './certificates.ts'

/** Maximum number of requests to a webhook at the same time: one for each message. */
export const MAX_WEBHOOK_REQUESTS = 32

/** Parameters of a target of any kind. */
export interface OpenTargetOptions {
  readonly arn: string
  /** The validated values of its subsystem. */
  readonly values: ConfigValues
  readonly egress: Egress
  readonly certificates: CertificateFiles
}

/** Creates a target. It connects when it has something to send. */
export type OpenTarget = (settings: OpenTargetOptions) => DeliveryTarget

/** The parts of a message that targets need in addition to its text. */
export interface ParsedEventMessage {
  /** `s3:ObjectCreated:Put` */
  eventName: string
  /** `bucket/key` */
  key: string
  bucket: string
  /** `{"Records":[…]}`, the form stored in databases. */
  records: string
  record: unknown
  /** As in the record: ISO 8601. */
  time: string
  /** Whether the object was deleted, so that its entry in a table by namespace is deleted too. */
  isRemoval: boolean
}

export function parseEventMessage(message: string): ParsedEventMessage {
  // `eventMessage` wrote it.
  const { EventName, Key, Records } = JSON.parse(message) as {
    EventName: string
    Key: string
    Records: [{ eventTime: string }]
  }
  return {
    eventName: EventName,
    key: Key,
    bucket: Key.slice(0, Key.indexOf('/')),
    records: JSON.stringify({ Records }),
    record: Records[0],
    time: Records[0].eventTime,
    isRemoval: EventName === 's3:ObjectRemoved:Delete',
  }
}

/** Parses a validated `host:port`. */
export function parseHostAndPort(text: string): { host: string; port: number } {
  const colon = text.lastIndexOf(':')
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) }
}

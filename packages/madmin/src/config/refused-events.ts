import { asList, asNumber, asText, pickMember } from '../transport/json-values.ts'
import { MadminError } from '../transport/madmin-error.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

/* Calls of our own store about events that a notification target has refused permanently. They need `admin:ConfigUpdate`. */

export interface RefusedEventInfo {
  /** Time of the refusal, ISO 8601. */
  readonly time: string
  /** Error message of the target. */
  readonly reason: string
  /** `s3:ObjectCreated:Put` */
  readonly eventName: string
  /** `bucket/key` */
  readonly key: string
}

export interface RefusedEventList {
  /** Number of events that the server keeps. */
  readonly total: number
  /** The oldest ones, at most 100. */
  readonly events: readonly RefusedEventInfo[]
}

const PATH = 'refused-events'

/**
 * @param target `notify_kafka:primary`
 * @returns undefined if the server does not have the call
 * @throws MadminError XMinioConfigError if there is no such target
 */
export async function listRefusedEvents(
  t: Transport,
  target: string,
  options?: AdminCallOptions,
): Promise<RefusedEventList | undefined> {
  try {
    const answer = await t.call({ method: 'GET', path: PATH, query: { target }, ...options })
    return {
      total: asNumber(pickMember(answer, 'total')) ?? 0,
      events: asList(pickMember(answer, 'events')).map((event) => ({
        time: asText(pickMember(event, 'time')),
        reason: asText(pickMember(event, 'reason')),
        eventName: asText(pickMember(event, 'eventName')),
        key: asText(pickMember(event, 'key')),
      })),
    }
  } catch (error) {
    if (error instanceof MadminError && error.isMissingCall) return undefined
    throw error
  }
}

/** Sends them again. @returns how many fitted into the queue @throws MadminError XMinioConfigError */
export async function resendRefusedEvents(t: Transport, target: string, options?: AdminCallOptions): Promise<number> {
  const call = { method: 'POST', path: PATH, query: { target }, idempotent: false } as const
  return asNumber(pickMember(await t.call({ ...call, ...options }), 'count')) ?? 0
}

/** Drops them. @throws MadminError XMinioConfigError */
export async function dropRefusedEvents(t: Transport, target: string, options?: AdminCallOptions): Promise<void> {
  await t.call({ method: 'DELETE', path: PATH, query: { target }, ...options })
}

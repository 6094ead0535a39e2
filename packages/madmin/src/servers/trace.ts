import type { JsonStream } from '../transport/json-stream.ts'
import { asNumber, asObject, asText, asTexts, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

export interface AdminTraceOptions extends AdminCallOptions {
  /** Such as `s3`, `internal`, `storage`, `os`; see `TRACE_TYPES`. */
  readonly kinds: readonly string[]
  readonly onlyErrors?: boolean
  /** Nanoseconds: only calls that took at least this long. */
  readonly thresholdNs?: number
}

/** Kinds of records by their bit in `type`. The last four cannot be selected in the query. */
export const TRACE_TYPES = new Map([
  [1, 'os'],
  [2, 'storage'],
  [4, 's3'],
  [8, 'internal'],
  [16, 'scanner'],
  [32, 'decommission'],
  [64, 'healing'],
  [128, 'batch-replication'],
  [256, 'batch-keyrotation'],
  [512, 'batch-expire'],
  [1024, 'rebalance'],
  [2048, 'replication-resync'],
  [4096, 'bootstrap'],
  [8192, 'ftp'],
  [16384, 'ilm'],
  [32768, 'kms'],
  [65536, 'formatting'],
])

export interface TraceRecord {
  /** One of `TRACE_TYPES`, else `other`. */
  readonly kind: string
  readonly node: string
  /** Such as `s3.PutObject`. */
  readonly name: string
  /** RFC 3339; empty if the server sends none. */
  readonly time: string
  readonly path: string
  readonly durationNs: number
  readonly error: string
  readonly http: TraceHttp | undefined
  /** The request that work on a drive was done for; reported by the embedded store. */
  readonly requestId: string
  /**
   * Number of records that the server dropped before this one because the client read too slowly; reported by the embedded
   * store.
   */
  readonly dropped: number
}

export interface TraceHttp {
  readonly method: string
  readonly query: string
  readonly client: string
  /** 0 if there was no answer. */
  readonly status: number
  readonly requestHeaders: Readonly<Record<string, string[]>>
  readonly responseHeaders: Readonly<Record<string, string[]>>
  readonly bytesIn: number
  readonly bytesOut: number
  readonly firstByteNs: number
}

/**
 * Streams the server's activity as raw records; see `readTraceRecord`. Needs `admin:ServerTrace`.
 * @throws MadminError AccessDenied
 */
export async function trace(t: Transport, options: AdminTraceOptions): Promise<JsonStream> {
  const { kinds, onlyErrors = false, thresholdNs = 0, ...call } = options
  return await t.stream({
    method: 'GET',
    path: 'trace',
    query: {
      err: String(onlyErrors),
      threshold: `${thresholdNs}ns`,
      ...Object.fromEntries(kinds.map((kind) => [kind, 'true'])),
    },
    ...call,
  })
}

/** Parses a record of 2025, whose type is a bit, or of 2021, whose parts are separate members. */
export function readTraceRecord(record: unknown): TraceRecord {
  const old = pickMember(record, 'http') === undefined
  const name = asText(pickMember(record, 'funcname'))
  const http = pickMember(record, 'http') ?? (pickMember(record, 'request') === undefined ? undefined : record)
  const request = pickMember(http, 'request')
  const work = pickMember(record, 'storageStats', 'osStats')
  return {
    kind: old && pickMember(record, 'dur') === undefined ? oldRecordKind(record, name) : recordKind(record),
    node: asText(pickMember(record, 'nodename')),
    name,
    time: asText(pickMember(record, 'time')) || timeOfRequest(request),
    path: asText(pickMember(record, 'path')) || asText(pickMember(request, 'path')) || asText(pickMember(work, 'path')),
    durationNs:
      asNumber(
        pickMember(record, 'dur') ?? pickMember(pickMember(http, 'stats'), 'latency') ?? pickMember(work, 'duration'),
      ) ?? 0,
    error: asText(pickMember(record, 'error')),
    http: http === undefined ? undefined : readTraceHttp(http),
    requestId: asText(pickMember(pickMember(record, 'custom'), 'requestID')),
    dropped: name === 'stowage.Dropped' ? Number(pickMember(pickMember(record, 'custom'), 'count')) || 1 : 0,
  }
}

function recordKind(record: unknown): string {
  return TRACE_TYPES.get(asNumber(pickMember(record, 'type')) ?? 0) ?? 'other'
}

function oldRecordKind(record: unknown, name: string): string {
  switch (asNumber(pickMember(record, 'type')) ?? 0) {
    case 1:
      return 'os'
    case 2:
      return 'storage'
    default:
      return name.startsWith('s3.') ? 's3' : 'internal'
  }
}

function timeOfRequest(request: unknown): string {
  const time = asText(pickMember(request, 'time'))
  return time.startsWith('0001-') ? '' : time
}

function readTraceHttp(http: unknown): TraceHttp {
  const { request, response, stats } = asObject(http)
  return {
    method: asText(pickMember(request, 'method')),
    query: asText(pickMember(request, 'rawquery')),
    client: asText(pickMember(request, 'client')),
    status: asNumber(pickMember(response, 'statuscode')) ?? 0,
    requestHeaders: readHeaders(pickMember(request, 'headers')),
    responseHeaders: readHeaders(pickMember(response, 'headers')),
    bytesIn: asNumber(pickMember(stats, 'inputbytes')) ?? 0,
    bytesOut: asNumber(pickMember(stats, 'outputbytes')) ?? 0,
    firstByteNs: asNumber(pickMember(stats, 'timetofirstbyte')) ?? 0,
  }
}

function readHeaders(headers: unknown): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(asObject(headers)).map(([name, values]) => [
      name,
      Array.isArray(values) ? asTexts(values) : [asText(values)],
    ]),
  )
}

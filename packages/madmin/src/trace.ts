import { at, numberOf, objectOf, textOf, textsOf } from './json.ts'
import type { JsonStream } from './json-stream.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface TraceOptions extends CallOptions {
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
export async function trace(t: Transport, options: TraceOptions): Promise<JsonStream> {
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
  const old = at(record, 'http') === undefined
  const name = textOf(at(record, 'funcname'))
  const http = at(record, 'http') ?? (at(record, 'request') === undefined ? undefined : record)
  const request = at(http, 'request')
  const work = at(record, 'storageStats', 'osStats')
  return {
    kind: old && at(record, 'dur') === undefined ? oldKind(record, name) : kindOf(record),
    node: textOf(at(record, 'nodename')),
    name,
    time: textOf(at(record, 'time')) || timeOfRequest(request),
    path: textOf(at(record, 'path')) || textOf(at(request, 'path')) || textOf(at(work, 'path')),
    durationNs: numberOf(at(record, 'dur') ?? at(at(http, 'stats'), 'latency') ?? at(work, 'duration')) ?? 0,
    error: textOf(at(record, 'error')),
    http: http === undefined ? undefined : httpOf(http),
    requestId: textOf(at(at(record, 'custom'), 'requestID')),
    dropped: name === 'stowage.Dropped' ? Number(at(at(record, 'custom'), 'count')) || 1 : 0,
  }
}

function kindOf(record: unknown): string {
  return TRACE_TYPES.get(numberOf(at(record, 'type')) ?? 0) ?? 'other'
}

function oldKind(record: unknown, name: string): string {
  switch (numberOf(at(record, 'type')) ?? 0) {
    case 1:
      return 'os'
    case 2:
      return 'storage'
    default:
      return name.startsWith('s3.') ? 's3' : 'internal'
  }
}

function timeOfRequest(request: unknown): string {
  const time = textOf(at(request, 'time'))
  return time.startsWith('0001-') ? '' : time
}

function httpOf(http: unknown): TraceHttp {
  const { request, response, stats } = objectOf(http)
  return {
    method: textOf(at(request, 'method')),
    query: textOf(at(request, 'rawquery')),
    client: textOf(at(request, 'client')),
    status: numberOf(at(response, 'statuscode')) ?? 0,
    requestHeaders: headersOf(at(request, 'headers')),
    responseHeaders: headersOf(at(response, 'headers')),
    bytesIn: numberOf(at(stats, 'inputbytes')) ?? 0,
    bytesOut: numberOf(at(stats, 'outputbytes')) ?? 0,
    firstByteNs: numberOf(at(stats, 'timetofirstbyte')) ?? 0,
  }
}

function headersOf(headers: unknown): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(objectOf(headers)).map(([name, values]) => [
      name,
      Array.isArray(values) ? textsOf(values) : [textOf(values)],
    ]),
  )
}

import { STATUS_CODES } from 'node:http'
import type { TraceMessage } from '@stowage/contract'
import { TRACE_TYPES, type TraceHttp, type TraceRecord } from '@stowage/madmin'
import { redactHeaders, redactQuery, redactText } from '@stowage/madmin/redact'
import { durationText } from './duration.ts'

/** Converts a trace record for the console's clients: the members of the specification first, in its order. */
export function wireTraceMessage(record: TraceRecord): TraceMessage {
  const { http } = record
  return {
    host: http ? findHeader(http.requestHeaders, 'host') : '',
    time: record.time || '0001-01-01T00:00:00Z',
    client: http ? clientHost(http.client) : '',
    callStats: {
      rx: http?.bytesIn ?? 0,
      tx: http?.bytesOut ?? 0,
      duration: durationText(record.durationNs),
      timeToFirstByte: durationText(http?.firstByteNs ?? 0),
    },
    api: record.name,
    path: record.path,
    query: redactQuery(http?.query ?? ''),
    statusCode: http?.status ?? 0,
    statusMsg: STATUS_CODES[http?.status ?? 0] ?? '',
    kind: wireKind(record.kind),
    method: http?.method ?? '',
    node: record.node,
    durationNs: record.durationNs,
    timeToFirstByteNs: http?.firstByteNs ?? 0,
    error: redactText(record.error),
    requestId: http ? findHeader(http.responseHeaders, 'x-amz-request-id') : record.requestId,
    userAgent: http ? findHeader(http.requestHeaders, 'user-agent') : '',
    ...(http ? redactedHeaders(http) : {}),
  }
}

const KINDS = new Set<string>(TRACE_TYPES.values())

function wireKind(kind: string): TraceMessage['kind'] {
  // The names of `TRACE_TYPES` are those of the contract.
  return (KINDS.has(kind) ? kind : 'other') as TraceMessage['kind']
}

function redactedHeaders({ requestHeaders, responseHeaders }: TraceHttp) {
  return {
    requestHeaders: redactHeaders(requestHeaders) as Record<string, string[]>,
    responseHeaders: redactHeaders(responseHeaders) as Record<string, string[]>,
  }
}

function findHeader(headers: Readonly<Record<string, string[]>>, wanted: string): string {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)
  return found?.[1].join(',') ?? ''
}

/** Returns an address without its port: `10.0.0.1:4711` or `[::1]:4711`. */
export function clientHost(client: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(client)
  if (bracketed) return bracketed[1] ?? ''
  return /^[^:]*:\d+$/.test(client) ? client.slice(0, client.lastIndexOf(':')) : client
}

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { redactHeaders } from '@stowage/madmin/redact'
import { type DriveOperation, driveProbe } from '../../../lib/probe.ts'
import type { RequestRecord } from '../../../requests/request-recorder.ts'
import { openEventStream } from '../../call/event-stream.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { durationParameter } from '../endpoint/duration-parameter.ts'

const OS = 1
const STORAGE = 2
const S3 = 4
const INTERNAL = 8
const KEEP_ALIVE_MS = 1_000

/** Streams each finished request, and work on drives, while the client listens. */
export const traceEndpoint: AdminEndpoint = {
  name: 'ServerTrace',
  method: 'GET',
  path: 'trace',
  handle(call) {
    const { query, store } = call
    const asked = (kind: string) => query.get(kind) === 'true'
    const bit = (kind: string, bit: number) => (asked(kind) || asked('all') ? bit : 0)
    const kinds = bit('s3', S3) | bit('internal', INTERNAL) | bit('storage', STORAGE) | bit('os', OS)
    const onlyErrors = asked('err')
    const thresholdMs = durationParameter(query, 'threshold', 0)
    const node = call.header('host') ?? ''
    const stream = openEventStream(call, KEEP_ALIVE_MS, () => stream.write(droppedRecord(node, stream.takeDropped())))
    stream.onEnd(
      store.recorder.subscribe((record, request) => {
        const type = traceType(record)
        if ((type & kinds) === 0 || record.durationMs < thresholdMs || (onlyErrors && record.status < 400)) return
        stream.write(traceRecord(type, node, record, request))
      }),
    )
    if ((kinds & (STORAGE | OS)) === 0) return
    stream.onEnd(
      driveProbe.subscribe((work) => {
        const type = work.layer === 'os' ? OS : STORAGE
        if ((type & kinds) === 0 || work.durationMs < thresholdMs || (onlyErrors && work.error === '')) return
        stream.write(workRecord(type, node, work))
      }),
    )
  },
}

function traceType({ operation }: RequestRecord): number {
  return /^(?:admin|health|metrics):/.test(operation) || operation.startsWith('AssumeRole') ? INTERNAL : S3
}

function functionName(type: number, { operation }: RequestRecord): string {
  if (type === S3) return `s3.${operation || 'InvalidRequest'}`
  const name = operation.replace(':', '.')
  return name === operation ? `sts.${operation}` : name
}

/** Returns a request in the format of servers of 2025. */
function traceRecord(type: number, nodename: string, record: RequestRecord, request: IncomingMessage): object {
  const [path = '', rawquery = ''] = splitUrl(record.url)
  const time = new Date(record.startedAt)
  return {
    type,
    nodename,
    funcname: functionName(type, record),
    time: time.toISOString(),
    path,
    dur: nanoseconds(record.durationMs),
    bytes: record.bytesIn + record.bytesOut,
    ...(record.errorCode === '' ? {} : { error: record.errorCode }),
    http: {
      request: {
        time: time.toISOString(),
        proto: `HTTP/${request.httpVersion}`,
        method: record.method,
        path,
        rawquery,
        headers: redactHeaders(requestHeaders(request.headers)),
        client: record.remoteAddress,
      },
      response: {
        time: new Date(record.startedAt + record.durationMs).toISOString(),
        headers: redactHeaders(responseHeaders(record.responseHeaders)),
        statuscode: record.status,
      },
      stats: {
        inputbytes: record.bytesIn,
        outputbytes: bodyBytes(record),
        latency: nanoseconds(record.durationMs),
        timetofirstbyte: nanoseconds(record.firstByteMs),
      },
    },
  }
}

/** Returns the record of work on a drive. Its request ID is an addition of this store. */
function workRecord(
  type: number,
  nodename: string,
  { name, path, startedAt, durationMs, error, requestId }: DriveOperation,
) {
  return {
    type,
    nodename,
    funcname: name,
    time: new Date(startedAt).toISOString(),
    path,
    dur: nanoseconds(durationMs),
    ...(error === '' ? {} : { error }),
    ...(requestId === '' ? {} : { custom: { requestID: requestId } }),
  }
}

/** Returns the record that reports to a slow client how many records it missed. */
function droppedRecord(nodename: string, count: number): object {
  const time = new Date().toISOString()
  return {
    type: INTERNAL,
    nodename,
    funcname: 'stowage.Dropped',
    time,
    path: '',
    dur: 0,
    custom: { count: `${count}` },
  }
}

const nanoseconds = (ms: number) => Math.round(ms * 1e6)

function splitUrl(url: string): [path: string, query: string] {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  return [decodePath(path), mark < 0 ? '' : url.slice(mark + 1)]
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path // Not UTF-8, so show it as sent.
  }
}

/** Returns the number of bytes sent without those of the headers. */
function bodyBytes({ responseHeaders: headers, bytesOut, aborted }: RequestRecord): number {
  const length = Number(headers['Content-Length'] ?? Number.NaN)
  return aborted || !Number.isFinite(length) ? bytesOut : Math.min(length, bytesOut)
}

function requestHeaders(headers: IncomingHttpHeaders): Record<string, string[]> {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string[]][] => {
    if (value === undefined) return []
    return [[canonicalHeaderName(name), typeof value === 'string' ? [value] : value]]
  })
  return Object.fromEntries(pairs)
}

function responseHeaders(headers: RequestRecord['responseHeaders']): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [canonicalHeaderName(name), [String(value)]]),
  )
}

/** Spells a header name like Go: `X-Amz-Date`. */
function canonicalHeaderName(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())
}

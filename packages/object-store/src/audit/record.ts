import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http'
import { redactHeaders } from '@stowage/madmin/redact'
import type { RequestRecord } from '../http/recorder.ts'
import { type Change, EXPIRY_AGENT } from '../journal/change.ts'

/** Returns a request in the form of audit logs of servers of 2025, with credentials redacted. */
export function auditRecord(record: RequestRecord, headers: IncomingHttpHeaders, deploymentId: string): object {
  const [path = '', query = ''] = record.url.split('?', 2)
  return {
    version: '1',
    deploymentid: deploymentId,
    time: new Date(record.startedAt).toISOString(),
    event: '',
    trigger: 'incoming',
    api: {
      name: record.operation,
      ...(record.bucket !== '' && { bucket: record.bucket }),
      ...(record.key !== '' && { object: record.key }),
      status: STATUS_CODES[record.status] ?? '',
      statusCode: record.status,
      rx: record.bytesIn,
      tx: record.bytesOut,
      timeToFirstByte: `${nanoseconds(record.firstByteMs)}ns`,
      timeToFirstByteInNS: String(nanoseconds(record.firstByteMs)),
      timeToResponse: `${nanoseconds(record.durationMs)}ns`,
      timeToResponseInNS: String(nanoseconds(record.durationMs)),
    },
    remotehost: record.remoteAddress,
    requestID: record.id,
    userAgent: headers['user-agent'] ?? '',
    requestPath: path,
    requestHost: headers.host ?? '',
    requestQuery: Object.fromEntries(new URLSearchParams(query)),
    requestHeader: joined(redactHeaders(lists(headers))),
    responseHeader: joined(redactHeaders(lists(record.responseHeaders))),
    ...(record.accessKey !== '' && { accessKey: record.accessKey }),
    ...(record.user !== '' && record.user !== record.accessKey && { parentUser: record.user }),
    ...(record.errorCode !== '' && { error: record.errorCode }),
  }
}

/**
 * Returns a removal or a move by a lifecycle rule in the form of audit logs of servers of 2025; undefined for other changes.
 * Requests have their own records.
 */
export function lifecycleRecord(change: Change, deploymentId: string): object | undefined {
  const { seq, time, type, bucket = '', key = '', versionId = '', requester } = change
  const isMove = type === 'object-transition'
  if (!isMove && requester?.userAgent !== EXPIRY_AGENT) return undefined
  const event = isMove ? 'ilm:transition' : 'ilm:expiry'
  return {
    version: '1',
    deploymentid: deploymentId,
    time: new Date(time).toISOString(),
    event,
    trigger: event,
    api: {
      name: isMove ? 'ILMTransition' : 'ILMExpiry',
      bucket,
      object: key,
      objects: [{ objectName: key, ...(versionId !== '' && { versionId }) }],
      status: 'OK',
      statusCode: 200,
    },
    // There is no request, but receivers distinguish records by this ID.
    requestID: seq.toString(16).toUpperCase().padStart(16, '0'),
    userAgent: requester?.userAgent ?? '',
  }
}

const nanoseconds = (ms: number) => Math.round(ms * 1e6)

function lists(headers: Readonly<Record<string, string | number | string[] | undefined>>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string[]][] => {
      if (value === undefined) return []
      return [[name, Array.isArray(value) ? value : [String(value)]]]
    }),
  )
}

function joined(headers: Readonly<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, String(values)]))
}

import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http'
import { isSecretField, isSecretHeader, REDACTED, redactText } from '@stowage/madmin/redact'
import { EXPIRY_USER_AGENT, type StoreChange } from '../journal/store-change.ts'
import type { RequestRecord } from '../requests/request-recorder.ts'

/** Maximum length of a text in a record (characters). */
const MAX_TEXT = 4096

/**
 * Returns a request in the form of audit logs of servers of 2025, without its secrets. The console stores it as it is. It is
 * made for every request, so it takes care to be quick: JSON leaves out members that are undefined.
 */
export function auditRecord(record: RequestRecord, headers: IncomingHttpHeaders, deploymentId: string): object {
  const { url, bucket, key, accessKey, user, firstByteMs, durationMs } = record
  const mark = url.indexOf('?')
  const firstByte = String(nanoseconds(firstByteMs))
  const duration = String(nanoseconds(durationMs))
  return {
    version: '1',
    deploymentid: deploymentId,
    time: new Date(record.startedAt).toISOString(),
    event: '',
    trigger: 'incoming',
    api: {
      name: record.operation,
      bucket: bucket === '' ? undefined : bucket,
      object: key === '' ? undefined : redactAndLimit(key),
      status: STATUS_CODES[record.status] ?? '',
      statusCode: record.status,
      rx: record.bytesIn,
      tx: record.bytesOut,
      timeToFirstByte: `${firstByte}ns`,
      timeToFirstByteInNS: firstByte,
      timeToResponse: `${duration}ns`,
      timeToResponseInNS: duration,
    },
    remotehost: record.remoteAddress,
    requestID: record.id,
    userAgent: redactAndLimit(headers['user-agent'] ?? ''),
    requestPath: redactAndLimit(mark < 0 ? url : url.slice(0, mark)),
    requestHost: redactAndLimit(headers.host ?? ''),
    requestQuery: mark < 0 ? {} : auditQuery(url.slice(mark + 1)),
    requestHeader: auditHeaders(headers),
    responseHeader: auditHeaders(record.responseHeaders),
    accessKey: accessKey === '' ? undefined : redactAndLimit(accessKey),
    parentUser: user === '' || user === accessKey ? undefined : redactAndLimit(user),
    error: record.errorCode === '' ? undefined : record.errorCode,
  }
}

/**
 * Returns a removal or a move by a lifecycle rule in the form of audit logs of servers of 2025; undefined for other changes.
 * Requests have their own records.
 */
export function lifecycleRecord(change: StoreChange, deploymentId: string): object | undefined {
  const { seq, time, type, bucket = '', key = '', versionId = '', requester } = change
  const isMove = type === 'object-transition'
  if (!isMove && requester?.userAgent !== EXPIRY_USER_AGENT) return undefined
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

/** Returns a text without secrets, and limited, because clients can send texts of any length. */
function redactAndLimit(text: string): string {
  const safe = redactText(text)
  return safe.length > MAX_TEXT ? `${safe.slice(0, MAX_TEXT)}…` : safe
}

function auditQuery(query: string): Record<string, string> {
  return Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => [
      redactAndLimit(name),
      isSecretField(name) ? REDACTED : redactAndLimit(value),
    ]),
  )
}

function auditHeaders(
  headers: Readonly<Record<string, string | number | string[] | undefined>>,
): Record<string, string> {
  const result: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (value === undefined || name === '__proto__') continue
    result[name] = isSecretHeader(name) ? REDACTED : redactAndLimit(String(value))
  }
  return result
}

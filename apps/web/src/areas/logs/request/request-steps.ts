import type { AuditRow, LogMessage, TraceMessage } from '@stowage/contract'
import type { StatusIconState } from '../../../ui/icons/StatusIcon.tsx'
import { logLevel, logText } from '../error-logs/log-lines.ts'

/** The source of a step. */
export type RequestStepKind = 'console' | 'request' | 'trace' | 'drive' | 'log'

/** One step of the timeline. */
export interface RequestStep {
  id: string
  kind: RequestStepKind
  name: string
  /** The affected object, path or text. */
  detail: string
  /** The object that `detail` names, if it is one. */
  object?: { bucket: string; key: string }
  /** ms since 1970. */
  at: number
  durationMs: number
  state: StatusIconState
  /** `200`, `ERROR`; may be empty. */
  outcome: string
}

const statusState = (status: number): StatusIconState =>
  status >= 500 ? 'bad' : status >= 400 ? 'warn' : status === 0 ? 'unknown' : 'ok'

/** The kinds of trace records for requests; all others are internal operations of the server. */
const REQUEST_KINDS = new Set(['s3', 'internal'])

interface RequestSources {
  records: readonly AuditRow[]
  log: readonly LogMessage[]
  trace: readonly TraceMessage[]
}

/** Returns everything known about a request, sorted by time. */
export function requestSteps({ records, log, trace }: RequestSources): RequestStep[] {
  return [...records.map(auditStep), ...log.map(logStep), ...trace.map(traceStep)].sort(
    (a, b) => a.at - b.at || b.durationMs - a.durationMs,
  )
}

function auditStep(row: AuditRow): RequestStep {
  const { id, api_name, bucket, object, source, response_status_code: status } = row
  return {
    id: `audit ${id}`,
    kind: source === 'console' ? 'console' : 'request',
    name: api_name,
    detail: [bucket, object].filter((part) => part !== '').join('/'),
    ...(bucket !== '' && object !== '' ? { object: { bucket, key: object } } : {}),
    at: Date.parse(row.time),
    durationMs: row.time_to_response_ns / 1e6,
    state: statusState(status),
    outcome: status === 0 ? '' : String(status),
  }
}

function logStep(message: LogMessage, index: number): RequestStep {
  const level = logLevel(message)
  return {
    id: `log ${index}`,
    kind: 'log',
    name: message.api?.name ?? message.node,
    detail: logText(message),
    at: Date.parse(message.at),
    durationMs: 0,
    state: level === 'ERROR' || level === 'FATAL' ? 'bad' : level === 'WARNING' ? 'warn' : 'off',
    outcome: level,
  }
}

function traceStep(message: TraceMessage, index: number): RequestStep {
  const { api, path, time, durationNs, statusCode, error, kind } = message
  return {
    id: `trace ${index}`,
    kind: REQUEST_KINDS.has(kind) ? 'trace' : 'drive',
    name: api,
    detail: path,
    at: Date.parse(time),
    durationMs: durationNs / 1e6,
    state: statusCode === 0 && error !== '' ? 'bad' : statusState(statusCode),
    outcome: statusCode === 0 ? error : String(statusCode),
  }
}

/**
 * Returns the trace records that belong to a request: those with its ID, and internal operations without an ID that contain
 * the same path and occurred during the request.
 */
export function relatedTrace(request: TraceMessage, all: readonly TraceMessage[]): TraceMessage[] {
  const begin = Date.parse(request.time)
  const end = begin + request.durationNs / 1e6
  const path = request.path.replace(/^\/+|\/+$/g, '')
  return all.filter((other) => {
    if (other === request || (request.requestId !== '' && other.requestId === request.requestId)) return true
    if (other.requestId !== '' || REQUEST_KINDS.has(other.kind) || path === '') return false
    const at = Date.parse(other.time)
    return at >= begin && at <= end && other.path.includes(path)
  })
}

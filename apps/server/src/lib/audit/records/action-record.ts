import { STATUS_CODES } from 'node:http'
import type { Endpoint } from '@stowage/contract'
import { asText } from '@stowage/madmin/json'
import { redactJson } from '@stowage/madmin/redact'

/** A finished call to the console. */
export interface RecordedAction {
  name: string
  endpoint: Pick<Endpoint, 'area' | 'body'>
  requestId: string
  /** ms since 1970. */
  startedAt: number
  durationMs: number
  status: number
  method: string
  path: string
  params: Readonly<Record<string, unknown>>
  query: Readonly<Record<string, unknown>>
  body: unknown
  /** What the call replaces, without secrets; undefined if unknown. */
  before: unknown
  address: string
  userAgent: string
  /** Empty if nobody is signed in. */
  user: string
}

/**
 * Areas whose bodies are mostly secrets: passwords, keys, tokens, credentials of targets. Only the field names are recorded.
 */
const SECRET_AREAS = new Set([
  'account',
  'configs',
  'license',
  'notification-targets',
  'operator',
  'replication',
  'service-accounts',
  'session',
  'tenants',
  'tiers',
])

/** Returns an action of the console in the form of an audit record of a storage server of 2025. */
export function actionRecord(action: RecordedAction): object {
  const { name, requestId, startedAt, durationMs, status, params, query, address, userAgent, user } = action
  const nanoseconds = Math.round(durationMs * 1e6)
  return {
    version: '1',
    time: new Date(startedAt).toISOString(),
    trigger: 'console',
    api: {
      name: `console:${name}`,
      bucket: asText(params.bucket),
      object: asText(params.prefix) || asText(query.prefix),
      status: STATUS_CODES[status] ?? '',
      statusCode: status,
      timeToResponse: `${nanoseconds}ns`,
      timeToResponseInNS: String(nanoseconds),
    },
    remotehost: address,
    requestID: requestId,
    userAgent,
    requestPath: action.path,
    requestMethod: action.method,
    requestQuery: redactJson(query),
    accessKey: user,
    tags: { params, ...recordedChange(action) },
  }
}

/** Returns what a call replaces, if that is known, and its input, without secrets. */
function recordedChange({ endpoint, body, before }: RecordedAction): { before?: unknown; change?: unknown } {
  const replaced = before === undefined ? {} : { before: redactJson(before) }
  return { ...replaced, ...recordedInput(endpoint, body) }
}

function recordedInput(endpoint: RecordedAction['endpoint'], body: unknown): { change?: unknown } {
  if (typeof body !== 'object' || body === null || endpoint.body === 'bytes' || endpoint.body === 'multipart') return {}
  if (SECRET_AREAS.has(endpoint.area)) return { change: Object.keys(body).map((field) => `${field} …`) }
  return { change: redactJson(body) }
}

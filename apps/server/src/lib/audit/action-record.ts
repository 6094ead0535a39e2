import { STATUS_CODES } from 'node:http'
import type { Endpoint } from '@stowage/contract'
import { redactJson } from '@stowage/madmin/redact'
import { textOf } from '../json.ts'

/** A finished call to the console. */
export interface Action {
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
  body: unknown
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
  'users',
])

/** Returns an action of the console in the form of an audit record of a storage server of 2025. */
export function actionRecord(action: Action): object {
  const { name, requestId, startedAt, durationMs, status, params, address, userAgent, user } = action
  const nanoseconds = Math.round(durationMs * 1e6)
  return {
    version: '1',
    time: new Date(startedAt).toISOString(),
    trigger: 'console',
    api: {
      name: `console:${name}`,
      bucket: textOf(params.bucket),
      object: textOf(params.prefix),
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
    accessKey: user,
    tags: { params, ...changeOf(action) },
  }
}

/** Returns the input of a call, without secrets. */
function changeOf({ endpoint, body }: Action): { change?: unknown } {
  if (typeof body !== 'object' || body === null || endpoint.body === 'bytes' || endpoint.body === 'multipart') return {}
  if (SECRET_AREAS.has(endpoint.area)) return { change: Object.keys(body).map((field) => `${field} …`) }
  return { change: redactJson(body) }
}

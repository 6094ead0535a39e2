import { performance } from 'node:perf_hooks'
import type { Endpoint } from '@stowage/contract'
import { endpoints } from '@stowage/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actionRecord } from '../lib/audit/records/action-record.ts'
import { type AuditRecord, CONSOLE_SOURCE, readAuditRecord } from '../lib/audit/records/audit-record.ts'

const NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(endpoints).map(([name, endpoint]): [unknown, string] => [`${endpoint.method} ${endpoint.path}`, name]),
)
/** Records of calls that end within this time are stored together (ms). */
const BATCH_MS = 100
/** Time between attempts to store records (ms). */
const RETRY_MS = 2_000
/** Maximum number of records waiting to be stored; further ones are dropped. */
const MAX_PENDING = 10_000

/**
 * Records actions in the console: sign-in and sign-out, each call that may change something, and each refused call of a
 * signed-in user. No call waits for it.
 */
export function recordActions(app: FastifyInstance): void {
  let pending: AuditRecord[] = []
  let timer: NodeJS.Timeout | undefined
  let storing = Promise.resolve()
  let isClosing = false
  const store = () => {
    timer = undefined
    const records = pending
    pending = []
    storing = storing
      .then(async () => void (await app.audit.append(records)))
      .catch((error: unknown) => {
        app.log.error({ err: error }, 'could not record actions')
        // A database may answer again.
        pending = [...records, ...pending].slice(0, MAX_PENDING)
        if (!isClosing) timer ??= setTimeout(store, RETRY_MS)
      })
  }
  app.decorateRequest('stateBefore', undefined)
  app.addHook('onResponse', async (request, reply) => {
    const { endpoint } = request.routeOptions.config
    if (!endpoint || !isRecorded(endpoint, request, reply) || pending.length >= MAX_PENDING) return
    const record = readAuditRecord(actionRecord(createAction(endpoint, request, reply)), CONSOLE_SOURCE, Date.now())
    if (record) pending.push(record)
    timer ??= setTimeout(store, BATCH_MS)
  })
  app.addHook('preClose', async () => {
    isClosing = true
    clearTimeout(timer)
    store()
    await storing
  })
}

/**
 * Whether a call is recorded. Of calls without a session, only sign-ins are, whose number is limited, so that anonymous callers
 * cannot fill the store.
 */
function isRecorded(endpoint: Endpoint, request: FastifyRequest, { statusCode }: FastifyReply): boolean {
  if (endpoint.area === 'session' && endpoint.method === 'POST')
    return endpoint.actions.length === 0 && endpoint.path !== '/api/v1/has-permission' && statusCode !== 429
  if (request.session === undefined) return false
  return endpoint.method !== 'GET' || statusCode === 403
}

function createAction(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) {
  const { params, query, body, method, url, headers, id, ip, stateBefore } = request
  const [path = ''] = url.split('?', 1)
  const typed = (body as { accessKey?: unknown } | null | undefined)?.accessKey
  return {
    name: NAMES.get(`${endpoint.method} ${endpoint.path}`) ?? endpoint.path,
    endpoint,
    requestId: id,
    startedAt: performance.timeOrigin + performance.now() - reply.elapsedTime,
    durationMs: reply.elapsedTime,
    status: reply.statusCode,
    method,
    path,
    params: params as Record<string, unknown>,
    query: query as Record<string, unknown>,
    body,
    before: stateBefore,
    address: ip,
    userAgent: headers['user-agent'] ?? '',
    user: request.session?.user ?? (typeof typed === 'string' ? typed.slice(0, 128) : ''),
  }
}

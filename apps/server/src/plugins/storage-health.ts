import type { FastifyInstance } from 'fastify'
import type { Upstream } from '../lib/storage/upstream.ts'

/** Timeout of the request to the storage server (ms). */
const TIMEOUT_MS = 3_000

/** How long a result is cached for all callers (ms): anyone may ask, and connections to the storage server are limited. */
const SHARED_MS = 1_000

/** `/healthz`: this process runs. `/readyz`: it can also reach the storage server, so that sign-in can work. */
export function addStorageHealth(app: FastifyInstance, upstream: Upstream): void {
  app.get('/healthz', { config: { probe: true } }, async () => ({ status: 'ok' }))

  let shared: ReturnType<typeof measureReachability> | undefined
  const share = () => {
    shared ??= measureReachability(upstream).finally(() => setTimeout(() => (shared = undefined), SHARED_MS).unref())
    return shared
  }

  app.get('/readyz', { config: { probe: true } }, async (_request, reply) => {
    const server = await share()
    if (!server.reachable) reply.code(503)
    return { status: server.reachable ? 'ok' : 'unavailable', server }
  })
}

async function measureReachability({
  origin,
  dispatcher,
}: Upstream): Promise<{ reachable: boolean; latencyMs: number }> {
  const begun = performance.now()
  const latencyMs = () => Math.round((performance.now() - begun) * 10) / 10
  try {
    const { statusCode, body } = await dispatcher.request({
      origin,
      path: '/minio/health/live',
      method: 'GET',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await body.dump()
    // Other servers answer 403 or 404 here, but are reachable.
    return { reachable: statusCode < 500, latencyMs: latencyMs() }
  } catch {
    // For any error, the server is unreachable.
    return { reachable: false, latencyMs: latencyMs() }
  }
}

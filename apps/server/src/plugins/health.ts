import type { FastifyInstance } from 'fastify'
import type { Upstream } from '../lib/storage/upstream.ts'

/** How long the storage server may take to say that it lives (ms). */
const PATIENCE_MS = 3_000

/** So long an answer serves others too (ms): anybody may ask, and few connections lead to the storage server. */
const SHARED_MS = 1_000

/** `/healthz`: this process runs. `/readyz`: it can also reach the storage server, so that sign-in can work. */
export function addHealth(app: FastifyInstance, upstream: Upstream): void {
  app.get('/healthz', { config: { probe: true } }, async () => ({ status: 'ok' }))

  let shared: ReturnType<typeof reach> | undefined
  const share = () => {
    shared ??= reach(upstream).finally(() => setTimeout(() => (shared = undefined), SHARED_MS).unref())
    return shared
  }

  app.get('/readyz', { config: { probe: true } }, async (_request, reply) => {
    const server = await share()
    if (!server.reachable) reply.code(503)
    return { status: server.reachable ? 'ok' : 'unavailable', server }
  })
}

async function reach({ origin, dispatcher }: Upstream): Promise<{ reachable: boolean; latencyMs: number }> {
  const begun = performance.now()
  const latencyMs = () => Math.round((performance.now() - begun) * 10) / 10
  try {
    const { statusCode, body } = await dispatcher.request({
      origin,
      path: '/minio/health/live',
      method: 'GET',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await body.dump()
    // Servers of other families answer 403 or 404 here, and are there nevertheless.
    return { reachable: statusCode < 500, latencyMs: latencyMs() }
  } catch {
    // Refused, timed out or broken: the one thing asked here is whether it can be reached.
    return { reachable: false, latencyMs: latencyMs() }
  }
}

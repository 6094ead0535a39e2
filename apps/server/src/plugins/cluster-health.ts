import type { Cluster } from '@stowage/kube'
import { KubeError } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'

/** Timeout of the API server's answer (ms). */
const TIMEOUT_MS = 3_000
/** How long an answer is cached for all callers (ms), because anyone may ask. */
const SHARED_MS = 1_000

/** `/healthz`: this process runs. `/readyz`: it can also reach the API server, so that sign-in can work. */
export function addClusterHealth(app: FastifyInstance, cluster: Cluster): void {
  app.get('/healthz', { config: { probe: true } }, async () => ({ status: 'ok' }))

  let shared: Promise<{ reachable: boolean; latencyMs: number }> | undefined
  app.get('/readyz', { config: { probe: true } }, async (_request, reply) => {
    shared ??= measureReachability(cluster).finally(() => setTimeout(() => (shared = undefined), SHARED_MS).unref())
    const server = await shared
    if (!server.reachable) reply.code(503)
    return { status: server.reachable ? 'ok' : 'unavailable', server }
  })
}

async function measureReachability(cluster: Cluster): Promise<{ reachable: boolean; latencyMs: number }> {
  const begun = performance.now()
  const latencyMs = () => Math.round((performance.now() - begun) * 10) / 10
  try {
    await cluster.as().version({ signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { reachable: true, latencyMs: latencyMs() }
  } catch (error) {
    // A refusal is an answer: anonymous callers have no right to read everything.
    return { reachable: error instanceof KubeError && error.status < 500, latencyMs: latencyMs() }
  }
}

import type { PodLogLine } from '@stowage/contract'
import { tenantPodCalls } from '@stowage/contract/tenants/pods'
import { type Kube, KubeError, resources, type SavedKubeObject } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import type { Pod } from 'kubernetes-types/core/v1'
import { serveOperator } from '../../../lib/http/serve.ts'
import { serveOperatorSocket } from '../../../lib/http/serve-socket.ts'
import { readTenant, type TenantReference } from '../kube-objects/change-tenant.ts'
import { tenantLabelSelector, tenantPod } from '../kube-objects/tenant-pods.ts'

/** Name of the server's container; since 2023, pods contain others too. */
const SERVER = 'minio'
/** Maximum lines and bytes of a log, which is sent as one JSON string. */
const LOG_LINES = 10_000
const LOG_BYTES = 8 << 20
/** Number of past lines that a followed log starts with. */
const FOLLOWED_LINES = 1_000
/** The same for each of several pods. */
const LINES_EACH = 200
/** Maximum number of pods that one page follows. */
const MAX_PODS = 64

/** The logs of the pods of a tenant. */
export function podLogRoutes(app: FastifyInstance): void {
  serveOperator(app, tenantPodCalls.getPodLog, async ({ params, query }, { kube, signal }) => {
    const pod = await tenantPod(kube, params, signal)
    const container = query.container ?? mainContainer(pod)
    const log = await kube.log(
      { namespace: params.namespace, name: params.pod },
      {
        ...(container ? { container } : {}),
        tailLines: query.tailLines ?? LOG_LINES,
        limitBytes: LOG_BYTES,
        ...(query.previous ? { previous: true } : {}),
        ...(query.timestamps ? { timestamps: true } : {}),
        signal,
      },
    )
    return await readLog(log, LOG_BYTES)
  })

  serveOperatorSocket(app, tenantPodCalls.followPodLog, async ({ params, query }, { kube, live, signal }) => {
    const pod = await tenantPod(kube, params, signal)
    const container = query.container ?? mainContainer(pod)
    const lines = await kube.logLines(
      { namespace: params.namespace, name: params.pod },
      { ...(container ? { container } : {}), tailLines: query.tailLines ?? FOLLOWED_LINES, follow: true, signal },
    )
    live.control({ kind: 'started' })
    for await (const line of lines) await live.send(line)
  })

  serveOperatorSocket(app, tenantPodCalls.followTenantLog, async ({ params, query }, { kube, live, signal }) => {
    await readTenant(kube, params, signal)
    live.control({ kind: 'started' })
    const send = (line: PodLogLine) => live.send(line)
    await followPods(kube, params, { ...query, signal }, send)
  })
}

/** Reads a log up to a size. A kubelet that ignores `limitBytes` must not fill the memory. */
export async function readLog(log: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of log) {
    chunks.push(chunk.subarray(0, maxBytes - size))
    size += chunk.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

interface FollowOptions {
  container?: string | undefined
  tailLines?: number | undefined
  signal: AbortSignal
}

/**
 * Follows the logs of all pods of a tenant, including pods that start later, until the signal aborts.
 * @throws KubeError Forbidden; network errors
 */
async function followPods(
  kube: Kube,
  { namespace, tenant }: TenantReference,
  { container, tailLines = LINES_EACH, signal }: FollowOptions,
  send: (line: PodLogLine) => Promise<void>,
): Promise<void> {
  /** Container runs that are already followed: a restarted container has a new log. */
  const followed = new Set<string>()
  let open = 0
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])

  const follow = async (pod: SavedKubeObject<Pod>, name: string, tail: number | undefined) => {
    open++
    try {
      const options = { container: name, follow: true, signal: either, ...(tail ? { tailLines: tail } : {}) }
      for await (const line of await kube.logLines({ namespace, name: pod.metadata.name }, options))
        await send({ pod: pod.metadata.name, line })
    } catch (error) {
      // The pod was deleted, or its container has restarted: the watch reports the new state.
      const isGone = error instanceof KubeError && (error.code === 'NotFound' || error.code === 'BadRequest')
      if (!isGone && !either.aborted) failed.abort(error)
    } finally {
      open--
    }
  }
  const begin = (pod: SavedKubeObject<Pod>, tail: number | undefined) => {
    const name = container ?? mainContainer(pod)
    const state = pod.status?.containerStatuses?.find((each) => each.name === name)
    if (name === undefined || !state?.state?.running) return
    const run = `${pod.metadata.uid} ${state.restartCount ?? 0}`
    if (followed.has(run) || open >= MAX_PODS) return
    followed.add(run)
    void follow(pod, name, tail)
  }

  const selection = { namespace, labelSelector: tenantLabelSelector(tenant), signal: either }
  const { objects } = await kube.list(resources.pods, selection)
  for (const pod of objects) begin(pod, tailLines)
  try {
    for await (const event of kube.watch(resources.pods, selection)) {
      if (event.type === 'list') for (const pod of event.objects) begin(pod, undefined)
      else if (event.type === 'added' || event.type === 'modified') begin(event.object, undefined)
    }
  } catch (error) {
    // Without the right to watch, follow only the present pods.
    if (!(error instanceof KubeError) || error.code !== 'Forbidden') throw error
    await new Promise<void>((resolve) => either.addEventListener('abort', () => resolve(), { once: true }))
  }
  if (failed.signal.aborted) throw failed.signal.reason
}

function mainContainer({ spec }: Pod): string | undefined {
  const containers = (spec?.containers ?? []).map(({ name }) => name)
  return containers.includes(SERVER) ? SERVER : containers[0]
}

import { type FollowedKind, followClusterCalls } from '@stowage/contract/tenants/follow-cluster'
import { type Kube, type KubeObject, type KubeResource, resources, tenants } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { serveOperatorSocket } from '../../../lib/http/serve-socket.ts'
import type { LiveSocket } from '../../../lib/http/sockets/live-socket.ts'
import { type ClusterWatches, isKindUnavailable } from '../../../lib/kube/cluster-watches.ts'
import { DRIVE_KINDS, type DriveKind, driveResource } from './local-drives.ts'

type Message = z.input<typeof followClusterCalls.followCluster.response>

const KINDS: Readonly<Record<Exclude<FollowedKind, DriveKind>, KubeResource<KubeObject>>> = {
  tenants: tenants as KubeResource<KubeObject>,
  pods: resources.pods as KubeResource<KubeObject>,
  persistentvolumeclaims: resources.persistentVolumeClaims as KubeResource<KubeObject>,
  events: resources.events as KubeResource<KubeObject>,
  statefulsets: resources.statefulSets as KubeResource<KubeObject>,
}

const isDriveKind = (kind: FollowedKind): kind is DriveKind => (DRIVE_KINDS as readonly string[]).includes(kind)

async function followedResource(
  kind: FollowedKind,
  kube: Kube,
  signal: AbortSignal,
): Promise<KubeResource<KubeObject>> {
  return isDriveKind(kind) ? await driveResource(kind, kube, signal) : KINDS[kind]
}

/** Sends changes to pages, which then read the object again. Uses a watch at the API server instead of polling. */
export function followClusterRoutes(app: FastifyInstance, watches: ClusterWatches): void {
  serveOperatorSocket(app, followClusterCalls.followCluster, async ({ query }, { kube, session, live, signal }) => {
    live.control({ kind: 'started' })
    // A renewed token differs each time, so identify the caller by the session; its watches continue.
    const caller = session.renewal ? session.id : session.token
    const send = sender(live)
    const followedNamespaces = (kind: FollowedKind) => (isDriveKind(kind) ? undefined : query.namespaces) ?? [undefined]
    const followed = [...new Set(query.kinds)].flatMap((kind) =>
      followedNamespaces(kind).map((namespace) => ({ kind, namespace })),
    )
    const follow = async ({ kind, namespace }: (typeof followed)[number]) => {
      const whole = { kind, namespace: namespace ?? '', name: '' }
      try {
        const from = { kind: await followedResource(kind, kube, signal), namespace }
        await watches.follow(caller, kube, from, (change) => send({ ...whole, ...change }), signal)
      } catch (error) {
        // Watches of other kinds continue.
        if (!isKindUnavailable(error)) throw error
        send({ ...whole, what: 'refused' })
        await untilAborted(signal)
      }
    }
    await Promise.all(followed.map(follow))
  })
}

/**
 * Returns a function that sends changes to a possibly slow reader: an unread change of an object is replaced by a newer one.
 */
function sender(live: LiveSocket<Message>): (message: Message) => void {
  const waiting = new Map<string, Message>()
  let isSending = false
  const drain = async () => {
    isSending = true
    for (const [key, message] of waiting) {
      waiting.delete(key)
      await live.send(message)
    }
    isSending = false
  }
  return (message) => {
    waiting.set(JSON.stringify(message), message)
    if (!isSending) void drain()
  }
}

/** Resolves when a signal aborts. */
async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

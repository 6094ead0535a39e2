import { type ClusterNode, reason } from '@stowage/contract'
import { clusterCalls, QUOTA_SUFFIX, UNLIMITED } from '@stowage/contract/tenants/cluster'
import { possibleParities } from '@stowage/contract/tenants/sizing'
import { quantityAmount } from '@stowage/contract/values/quantity'
import { type Kube, type KubeAccessRequest, KubeError, resources, type SavedKubeObject } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import type { Node, ResourceQuota } from 'kubernetes-types/core/v1'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { serveOperator } from '../../../lib/http/serve.ts'
import { ifAllowed } from '../../../lib/kube/if-allowed.ts'
import { safeSum } from '../../../lib/kube/quantities.ts'
import { AccessReviews } from './access-reviews.ts'

const FEWEST_NODES = 4

export function clusterResourceRoutes(app: FastifyInstance): void {
  serveOperator(app, clusterCalls.getResourceQuota, async ({ params }, { kube, signal }) => {
    const { namespace, quota } = params
    try {
      const found = await kube.get(resources.resourceQuotas, { namespace, name: quota }, { signal })
      return { name: found.metadata.name, elements: quotaElements(found) }
    } catch (error) {
      if (!(error instanceof KubeError) || error.code !== 'NotFound') throw error
      // Without a quota there is no limit, if the namespace exists.
      await kube.get(resources.namespaces, { name: namespace }, { signal })
      const { objects } = await kube.list(resources.storageClasses, { signal })
      const elements = objects.map(({ metadata }) => ({ name: metadata.name + QUOTA_SUFFIX, hard: UNLIMITED, used: 0 }))
      return { name: '', elements }
    }
  })

  serveOperator(app, clusterCalls.getMaxAllocatableMemory, async ({ query }, { kube, signal }) => {
    if (query.num_nodes < FEWEST_NODES) throw new HttpError(507, reason('nodes-at-least'))
    const { objects } = await kube.list(resources.nodes, { signal })
    return { max_memory: maxAllocatableMemory(objects, query.num_nodes) }
  })

  serveOperator(app, clusterCalls.getAllocatableResources, async ({ query }, { kube, signal }) => {
    const { objects } = await kube.list(resources.nodes, { signal })
    return allocatableResources(objects, query.num_nodes)
  })

  serveOperator(app, clusterCalls.getParity, async ({ params: { nodes, drives } }) => {
    const choices = possibleParities(nodes, drives)
    if (choices.length === 0) throw new HttpError(422, reason('parity-none', { nodes, drives }))
    return choices
  })

  serveOperator(app, clusterCalls.listNodes, async (_input, { kube, signal }) => {
    const [{ objects }, requested] = await Promise.all([
      kube.list(resources.nodes, { signal }),
      ifAllowed(requestedMemory(kube, signal)),
    ])
    return { nodes: objects.map((node) => wireNode(node, requested === 'forbidden' ? undefined : requested)) }
  })

  serveOperator(app, clusterCalls.listNodeLabels, async (_input, { kube, signal }) => {
    const { objects } = await kube.list(resources.nodes, { signal })
    const labels = new Map<string, Set<string>>()
    for (const { metadata } of objects)
      for (const [key, value] of Object.entries(metadata.labels ?? {}))
        labels.set(key, (labels.get(key) ?? new Set()).add(value))
    return Object.fromEntries([...labels].map(([key, values]) => [key, [...values]]))
  })

  const rights = new AccessReviews()
  serveOperator(app, clusterCalls.reviewAccess, async ({ body }, { kube, session, signal }) => {
    const asked = body.actions.map(async ({ id, verb, group, resource, namespace }) => {
      const action: KubeAccessRequest = {
        verb,
        resource: { group, plural: resource },
        ...(namespace ? { namespace } : {}),
      }
      const { allowed, reason } = await rights.review(kube, session.token, action)
      signal.throwIfAborted()
      return { id, can: allowed, reason }
    })
    return { permissions: await Promise.all(asked) }
  })
}

/** Returns the limits of a quota in base units. */
export function quotaElements({ spec, status }: ResourceQuota) {
  const { used = {} } = status ?? {}
  // The controller of quotas fills the status some time after a quota is created.
  const hard = { ...spec?.hard, ...status?.hard }
  return Object.entries(hard).map(([name, amount]) => ({
    name,
    hard: quantityAmount(amount),
    used: quantityAmount(used[name]),
  }))
}

/** Returns why a node takes no new pods: it is cordoned, or has a taint that keeps them away; empty if it takes pods. */
function unschedulableReason({ spec }: SavedKubeObject<Node>): string {
  if (spec?.unschedulable) return 'unschedulable'
  const taint = spec?.taints?.find(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute')
  return taint ? `${taint.key}${taint.value ? `=${taint.value}` : ''}:${taint.effect}` : ''
}

const takesPods = (node: SavedKubeObject<Node>) => unschedulableReason(node) === ''

/** Returns the memory that the pods on each node request. */
async function requestedMemory(kube: Kube, signal: AbortSignal): Promise<Map<string, number>> {
  const requested = new Map<string, number>()
  const fieldSelector = 'status.phase!=Succeeded,status.phase!=Failed'
  for await (const { objects } of kube.pages(resources.pods, { fieldSelector, signal }))
    for (const { spec } of objects) {
      if (!spec?.nodeName) continue
      const amounts = spec.containers.map(({ resources: wanted }) => quantityAmount(wanted?.requests?.memory))
      requested.set(spec.nodeName, safeSum([requested.get(spec.nodeName) ?? 0, ...amounts]))
    }
  return requested
}

function wireNode(node: SavedKubeObject<Node>, requested: ReadonlyMap<string, number> | undefined): ClusterNode {
  const { metadata, status } = node
  const memory = quantityAmount(status?.allocatable?.memory)
  return {
    name: metadata.name,
    labels: metadata.labels ?? {},
    closed: unschedulableReason(node),
    memory,
    memory_left: requested ? Math.max(0, memory - (requested.get(metadata.name) ?? 0)) : null,
  }
}

const CONTROL_PLANE = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master']

function isControlPlane({ spec }: SavedKubeObject<Node>): boolean {
  return spec?.taints?.some(({ key }) => CONTROL_PLANE.includes(key)) ?? false
}

/** Returns the memory that each of the `count` largest nodes has at least. @throws HttpError 507 if there are fewer nodes */
export function maxAllocatableMemory(nodes: readonly SavedKubeObject<Node>[], count: number): number {
  const workers = nodes.filter((node) => !isControlPlane(node))
  if (workers.length < count) throw new HttpError(507, reason('nodes-too-few'))
  const open = nodes.filter(takesPods)
  if (open.length < count) throw new HttpError(507, reason('nodes-not-schedulable'))
  return nthLargest(
    open.map(({ status }) => quantityAmount(status?.allocatable?.memory)),
    count,
  )
}

/** Returns the smallest of the `count` largest amounts. */
function nthLargest(amounts: readonly number[], count: number): number {
  return [...amounts].sort((a, b) => b - a)[count - 1] ?? 0
}

export function allocatableResources(nodes: readonly SavedKubeObject<Node>[], count: number) {
  const open = nodes
    .filter(takesPods)
    .map(({ status }) => ({
      cpu: quantityAmount(status?.allocatable?.cpu),
      mem: quantityAmount(status?.allocatable?.memory),
    }))
    .filter(({ cpu }) => cpu > 0)
  const none = { max_allocatable_cpu: 0, max_allocatable_mem: 0 }
  if (open.length < count)
    return { min_allocatable_mem: 0, min_allocatable_cpu: 0, cpu_priority: none, mem_priority: none }
  const cpu = nthLargest(
    open.map((node) => node.cpu),
    count,
  )
  const mem = nthLargest(
    open.map((node) => node.mem),
    count,
  )
  return {
    min_allocatable_mem: Math.min(...open.map((node) => node.mem)),
    min_allocatable_cpu: Math.min(...open.map((node) => node.cpu)),
    cpu_priority: {
      max_allocatable_cpu: cpu,
      max_allocatable_mem: nthLargest(
        open.filter((node) => node.cpu >= cpu).map((node) => node.mem),
        count,
      ),
    },
    mem_priority: {
      max_allocatable_cpu: nthLargest(
        open.filter((node) => node.mem >= mem).map((node) => node.cpu),
        count,
      ),
      max_allocatable_mem: mem,
    },
  }
}

import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { tenantEndpoints } from './endpoints.ts'
import { NamespaceName, SubdomainName } from './tenant-params.ts'

/** Stands for the absence of a quota. */
export const UNLIMITED = Number.MAX_SAFE_INTEGER

/** Follows the name of the storage class in the name of a quota. */
export const QUOTA_SUFFIX = '.storageclass.storage.k8s.io/requests.storage'

/** A node on which servers of tenants may run. */
export const ClusterNode = z.object({
  name: z.string(),
  labels: z.record(z.string(), z.string()),
  /** Why it takes no new pods: it is cordoned, or the taint that keeps them away; empty if it takes pods. */
  closed: z.string(),
  /** Allocatable memory (bytes). */
  memory: z.number(),
  /** The part of it that no pod requests; null without the right to list the pods of the cluster. */
  memory_left: z.number().nullable(),
})
export type ClusterNode = z.infer<typeof ClusterNode>

const nodes = z.coerce.number().int().min(1).max(100_000)

export const clusterCalls = routes(tenantEndpoints, {
  getResourceQuota: {
    summary: 'A quota of a namespace; if there is none, its storage classes without a limit',
    params: z.object({ namespace: NamespaceName, quota: SubdomainName }),
    response: z.object({
      name: z.string(),
      /** Amounts in base units, at most 2^53 - 1, which means no limit. */
      elements: listSchema(z.object({ name: z.string(), hard: z.number(), used: z.number() })),
    }),
  },
  getMaxAllocatableMemory: {
    summary: 'The memory that each of the given number of nodes has at least, in bytes',
    query: z.object({ num_nodes: nodes }),
    response: z.object({ max_memory: z.number() }),
  },
  getAllocatableResources: {
    summary: 'The memory and processors that each of the given number of nodes has at least',
    query: z.object({ num_nodes: nodes }),
    response: z.object({
      min_allocatable_mem: z.number(),
      min_allocatable_cpu: z.number(),
      cpu_priority: z.object({ max_allocatable_cpu: z.number(), max_allocatable_mem: z.number() }),
      mem_priority: z.object({ max_allocatable_cpu: z.number(), max_allocatable_mem: z.number() }),
    }),
  },
  getParity: {
    summary: 'The possible parities for a number of servers with a number of drives each, largest first',
    params: z.object({
      nodes: z.coerce.number().int().min(2).max(1_000),
      drives: z.coerce.number().int().min(1).max(1_000),
    }),
    response: listSchema(z.string()),
  },
  listNodes: {
    summary: 'The nodes of the cluster with the memory that their pods leave',
    response: z.object({ nodes: listSchema(ClusterNode) }),
  },
  listNodeLabels: {
    summary: 'The labels of all nodes with their values',
    response: z.record(z.string(), listSchema(z.string())),
  },
  reviewAccess: {
    summary: "Whether the caller may perform each of the given actions on the cluster's objects",
    body: z.object({
      actions: z
        .array(
          z.object({
            id: z.string().max(256),
            verb: z.string().max(63),
            group: z.string().max(253),
            resource: z.string().max(253),
            namespace: z.string().max(63).optional(),
          }),
        )
        .max(100),
    }),
    response: z.object({ permissions: listSchema(z.object({ id: z.string(), can: z.boolean(), reason: z.string() })) }),
  },
})

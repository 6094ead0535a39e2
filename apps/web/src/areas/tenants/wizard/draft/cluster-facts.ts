import type { ClusterNode } from '@stowage/contract'

/** Information of the cluster about a draft. */
export interface ClusterFacts {
  /** The problem of the namespace; empty if it is valid, undefined while it is checked. */
  namespace: string | undefined
  /** Storage classes of the namespace, with the remaining bytes of each. */
  classes: readonly { name: string; available: number }[]
  /** The allocatable memory that as many nodes as the draft has servers have at least (bytes); undefined while loading. */
  memory: number | undefined
  /** Why `memory` is unknown. */
  memoryProblem: string
  /** The nodes of the cluster; undefined while loading, or without the right to list them. */
  nodes?: readonly ClusterNode[] | undefined
}

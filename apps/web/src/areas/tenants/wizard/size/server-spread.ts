import type { ClusterNode } from '@stowage/contract'
import { erasureSet } from '@stowage/contract/tenants/sizing'
import { GiB } from '@stowage/contract/values/units'
import type { ClusterFacts } from '../draft/cluster-facts.ts'
import { completeNodeLabels } from '../draft/draft-problems.ts'
import { type DraftSizing, MIN_MEMORY_GIB } from '../draft/draft-sizing.ts'
import type { TenantDraft } from '../draft/tenant-draft.ts'

/** Above this number, servers are not placed one by one. */
const MAX_SERVERS = 2_000

/** A node with the servers that it could run. */
interface PlacedNode {
  node: ClusterNode
  /** Numbers of the servers, from 0. */
  servers: number[]
}

/** One way to place the servers of a draft on the nodes of the cluster; the scheduler may choose another. */
export interface ServerSpread {
  placed: PlacedNode[]
  /** Nodes that take pods and have the labels that the draft selects. */
  open: ClusterNode[]
  /** Nodes with these labels that take no pods. */
  closed: ClusterNode[]
  /** Whether a node takes at most one server. */
  isOnePerNode: boolean
  /** The number of servers for which there is no node. */
  unplaced: number
  /** Memory that each server requests (bytes). */
  memory: number
}

/** Returns undefined while the nodes or the number of servers are not known. */
export function serverSpread(
  draft: TenantDraft,
  { nodes }: ClusterFacts,
  sizing: DraftSizing,
): ServerSpread | undefined {
  const servers = sizing.distribution.nodes
  if (!nodes || servers < 1 || servers > MAX_SERVERS) return undefined
  const { podAffinity, withPodAntiAffinity } = draft.affinity
  const isSelecting = draft.advancedModeOn && podAffinity === 'nodeSelector'
  const isOnePerNode = !draft.advancedModeOn || podAffinity === 'default' || (isSelecting && withPodAntiAffinity)
  const labels = isSelecting ? completeNodeLabels(draft) : []
  const matching = nodes.filter((node) => labels.every(({ key, value }) => node.labels[key.trim()] === value.trim()))
  const open = matching.filter(({ closed }) => closed === '')
  const wanted = draft.advancedModeOn ? Number(draft.tenantSize.memoryNode) : MIN_MEMORY_GIB
  const memory = sizing.memorySize.request || wanted * GiB || 0

  const candidates = open
    .map((node) => ({ node, servers: [] as number[], left: node.memory_left ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => b.left - a.left || (a.node.name < b.node.name ? -1 : 1))
  let unplaced = 0
  for (let server = 0; server < servers; server++) {
    const free = candidates.filter((each) => each.left >= memory && !(isOnePerNode && each.servers.length > 0))
    // The node with the fewest servers, and of these the one with the most memory left.
    const [place] = free.sort((a, b) => a.servers.length - b.servers.length || b.left - a.left)
    if (!place) {
      unplaced = servers - server
      break
    }
    place.servers.push(server)
    place.left -= memory
  }
  return {
    placed: candidates
      .filter((each) => each.servers.length > 0)
      .map(({ node, servers: own }) => ({ node, servers: own })),
    open,
    closed: matching.filter(({ closed }) => closed !== ''),
    isOnePerNode,
    unplaced,
    memory,
  }
}

/** Returns the volumes of a server, each with the number of its erasure set and its place in it, from 1: `2.7`. */
export function serverVolumes(server: number, servers: number, drives: number): string[] {
  const set = erasureSet(servers, drives)
  if (set === undefined) return []
  return Array.from({ length: drives }, (_, drive) => {
    // Sets take the first drive of all servers, then the second.
    const index = drive * servers + server
    return `${Math.floor(index / set) + 1}.${(index % set) + 1}`
  })
}

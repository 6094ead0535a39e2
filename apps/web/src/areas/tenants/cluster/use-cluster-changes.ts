import type { FollowedKind, ReadOperation } from '@stowage/contract'
import { useEffect, useState } from 'react'
import { followCluster } from '../../../lib/api/follow-cluster.ts'
import { invalidate } from '../../../lib/api/query.ts'

/** The calls to read again when an object of a kind changes. */
const READS: Readonly<Record<FollowedKind, readonly ReadOperation[]>> = {
  tenants: [
    'listTenants',
    'getTenant',
    'getTenantSecurity',
    'getTenantEncryption',
    'getTenantDrift',
    // The tenant itself answers this, from some time after it was created.
    'listPoolStates',
    'listFormerTenants',
  ],
  pods: ['listTenantPods', 'getTenantDrift'],
  persistentvolumeclaims: ['listTenantVolumes', 'listVolumes', 'listFormerTenants'],
  // A warning may explain why a pod is not ready.
  events: ['listTenantEvents', 'listPodEvents', 'listVolumeEvents', 'listTenantPods'],
  statefulsets: ['listTenantReadiness'],
  directcsidrives: ['listDrives'],
  // A drive is shown with the number of its volumes.
  directcsivolumes: ['listDrives'],
  directpvdrives: ['listDrives'],
  directpvnodes: ['listDrives'],
}
/** Changes arrive in bursts; those within this time are handled together (ms). */
const BURST_MS = 250

export interface ClusterChanges {
  /** Whether changes are received. If not, a page polls instead. */
  live: boolean
  /** Since when changes are not received, ms since 1970; undefined while they are received, and before the first connection. */
  since: number | undefined
  /** The kinds that the user has no right to watch. */
  refused: readonly FollowedKind[]
}

const UNKNOWN: ClusterChanges = { live: false, since: undefined, refused: [] }

/** Reads the data of a page again when they change in the cluster. Without kinds nothing is followed. */
export function useClusterChanges(kinds: readonly FollowedKind[], namespaces?: string): ClusterChanges {
  const [state, setState] = useState(UNKNOWN)
  const wanted = kinds.join(',')
  useEffect(() => {
    if (wanted === '') return
    const stop = new AbortController()
    const changed = new Set<ReadOperation>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const note = (kind: FollowedKind) => {
      for (const read of READS[kind]) changed.add(read)
      timer ??= setTimeout(() => {
        timer = undefined
        const reads = [...changed]
        changed.clear()
        void invalidate(...reads)
      }, BURST_MS)
    }
    followCluster(
      namespaces === undefined ? { kinds: wanted } : { kinds: wanted, namespaces },
      {
        onMissed: note,
        onChange: ({ kind }) => note(kind),
        onState: (live) =>
          setState((old) => {
            if (live) return old.live ? old : { ...old, live, since: undefined }
            return old.since === undefined ? { ...old, live, since: Date.now() } : old
          }),
        onRefused: (kind) =>
          setState((old) => (old.refused.includes(kind) ? old : { ...old, refused: [...old.refused, kind] })),
      },
      stop.signal,
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
      // What is true of some namespaces is not of others.
      setState(UNKNOWN)
    }
  }, [wanted, namespaces])
  return state
}

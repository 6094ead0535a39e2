import type { FollowedKind, ReadOperation } from '@stowage/contract'
import { useEffect, useState } from 'react'
import { followCluster } from '../../lib/api/follow.ts'
import { invalidate } from '../../lib/api/query.ts'

/** What is read again when an object of a kind changes. */
const READS: Readonly<Record<FollowedKind, readonly ReadOperation[]>> = {
  tenants: ['listTenants', 'getTenant', 'getTenantSecurity', 'getTenantEncryption', 'getTenantDrift'],
  pods: ['listTenantPods', 'getTenantDrift'],
  persistentvolumeclaims: ['listTenantVolumes', 'listVolumes'],
  events: ['listTenantEvents', 'listPodEvents', 'listVolumeEvents'],
}
/** Changes come in swarms, and are read together (ms). */
const TOGETHER_MS = 250

export interface FollowState {
  /** Whether changes are heard of. Where they are not, a page asks again from time to time. */
  live: boolean
  /** Since when they are not heard of any more, ms since 1970; undefined while they are, and before. */
  since: number | undefined
}

/** Reads what a page shows again when it changes in the cluster. */
export function useFollow(kinds: readonly FollowedKind[], namespaces?: string): FollowState {
  const [state, setState] = useState<FollowState>({ live: false, since: undefined })
  const wanted = kinds.join(',')
  useEffect(() => {
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
      }, TOGETHER_MS)
    }
    followCluster(
      namespaces === undefined ? { kinds: wanted } : { kinds: wanted, namespaces },
      {
        onMissed: note,
        onChange: ({ kind }) => note(kind),
        onState: (live) =>
          setState((old) => {
            if (live) return old.live ? old : { live, since: undefined }
            return old.live ? { live, since: Date.now() } : old
          }),
      },
      stop.signal,
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [wanted, namespaces])
  return state
}

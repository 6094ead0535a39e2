import {
  type FollowedKind,
  type Input,
  LIVE_CLOSE,
  LIVE_PROTOCOL,
  type LiveFrame,
  type Output,
} from '@stowage/contract'
import { callAddress } from './call-address.ts'
import { loseSession } from './signed-out.ts'

type ClusterChange = Output<'followCluster'>

/** The first and the longest delay before reconnecting (ms). */
const FIRST_WAIT = 1_000
const LONGEST_WAIT = 30_000

export interface ClusterListener {
  /** Called if changes may have been missed: everything of this kind may have changed. */
  onMissed: (kind: FollowedKind) => void
  onChange: (change: { kind: FollowedKind; namespace: string; name: string }) => void
  /** Called with whether changes are being received; undefined while that is not known yet. */
  onState: (live: boolean) => void
  /** Called if the user has no right to watch a kind. */
  onRefused: (kind: FollowedKind) => void
}

/** Reports changes in the cluster until the signal is aborted. Reconnects after a lost connection. */
export function followCluster(
  query: Input<'followCluster'>['query'],
  { onMissed, onChange, onState, onRefused }: ClusterListener,
  signal: AbortSignal,
): void {
  let wait = FIRST_WAIT
  const kinds = query.kinds.split(',') as FollowedKind[]
  /** Kinds whose watch is interrupted at the moment. */
  const broken = new Set<FollowedKind>()
  let wasOpen = false

  const take = ({ kind, what, namespace, name }: ClusterChange) => {
    if (what === 'changed') onChange({ kind, namespace, name })
    // Also after the first list, because the cluster may have changed since the page read its data.
    else if (what === 'resumed' || what === 'listed') onMissed(kind)
    if (what === 'refused') return onRefused(kind)
    if (what === 'interrupted') broken.add(kind)
    else broken.delete(kind)
    onState(broken.size === 0)
  }
  const connect = () => {
    const url = new URL(callAddress('followCluster', { query }), location.href)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(url, [LIVE_PROTOCOL])
    const leave = () => socket.close(LIVE_CLOSE.done)
    signal.addEventListener('abort', leave)
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(String(data)) as LiveFrame<ClusterChange>
      if (frame.kind === 'failed' && frame.error.code === 401) loseSession('expired')
      if (frame.kind === 'started') {
        wait = FIRST_WAIT
        if (wasOpen) for (const kind of kinds) onMissed(kind)
        wasOpen = true
      }
      if (frame.kind === 'messages') for (const message of frame.messages) take(message)
    }
    socket.onclose = () => {
      signal.removeEventListener('abort', leave)
      if (signal.aborted) return
      onState(false)
      setTimeout(() => signal.aborted || connect(), wait * (0.5 + Math.random() / 2))
      wait = Math.min(LONGEST_WAIT, wait * 2)
    }
  }
  connect()
}

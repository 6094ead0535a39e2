import { secondsLeft } from '../list/transfer-rate.ts'
import type { Transfer, UploadState } from '../list/types.ts'

/** The totals of all transfers, for the head of the tray and for screen readers. */
export interface TransferSummary {
  running: number
  waiting: number
  /** Paused, or waiting for a sign-in. */
  paused: number
  failed: number
  /** Waiting for the user: a decision or a file. */
  asking: number
  done: number
  /** Bytes of unfinished uploads: already sent, and `size` in total. */
  sent: number
  size: number
  /** Bytes per second of all uploads together. */
  rate: number
  secondsLeft: number | undefined
}

type CountedState = 'running' | 'waiting' | 'paused' | 'failed' | 'asking' | 'done'

const countedStates: Record<UploadState, CountedState> = {
  checking: 'waiting',
  asking: 'asking',
  waiting: 'waiting',
  running: 'running',
  paused: 'paused',
  held: 'paused',
  'needs-file': 'asking',
  failed: 'failed',
  done: 'done',
}

export function summarizeTransfers(transfers: readonly Transfer[]): TransferSummary {
  const all = { running: 0, waiting: 0, paused: 0, failed: 0, asking: 0, done: 0, sent: 0, size: 0, rate: 0 }
  for (const transfer of transfers) {
    all[countedStates[transfer.state]]++
    if (transfer.kind === 'job' || transfer.state === 'done') continue
    all.sent += transfer.sent
    all.size += transfer.size
    all.rate += transfer.rate
  }
  return { ...all, secondsLeft: secondsLeft(all.size - all.sent, all.rate) }
}

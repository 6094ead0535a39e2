import { setTimeout as sleep } from 'node:timers/promises'

export type AbortableWait = (ms: number, signal: AbortSignal) => Promise<void>

export const abortableWait: AbortableWait = (ms, signal) => sleep(ms, undefined, { signal, ref: false })

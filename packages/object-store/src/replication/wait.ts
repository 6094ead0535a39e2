import { setTimeout as sleep } from 'node:timers/promises'

export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export const waitFor: Wait = (ms, signal) => sleep(ms, undefined, { signal, ref: false })

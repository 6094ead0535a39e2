import { vi } from 'vitest'

/** Time that a loaded machine may take (ms); the tools' own second is too short for it. */
export const PATIENCE_MS = 15_000

/** Waits until a check passes. */
export const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: PATIENCE_MS })

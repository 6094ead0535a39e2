import { vi } from 'vitest'

/** Time limit that suits a loaded machine (ms); the default of one second is too short. */
export const WAIT_LIMIT_MS = 15_000

/** Waits until a check passes. */
export const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: WAIT_LIMIT_MS })

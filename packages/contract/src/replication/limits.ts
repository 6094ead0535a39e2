/** The least limit of a target, in bytes per second. */
export const LEAST_BANDWIDTH = 100_000_000

/** The minimum bandwidth limit of a target (bytes per second). */
export const MIN_BANDWIDTH = 100_000_000

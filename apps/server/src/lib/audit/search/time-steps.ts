/** Maximum number of intervals in a histogram. */
const MAX_INTERVALS = 120
/** Possible lengths of an interval (seconds). Each but the last has whole intervals of those before it. */
const STEPS = [1, 5, 15, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, 86_400, 7 * 86_400, 30 * 86_400]

/** Returns the shortest length of intervals (seconds) with which there are not too many of them in a time. */
export function chooseTimeStep(seconds: number): number {
  return STEPS.find((step) => seconds <= MAX_INTERVALS * step) ?? Math.max(...STEPS)
}

/** Work on an input of about a given size, which is the same each time. */
export interface CostSubject<Input = unknown> {
  /** @param size bytes */
  make(size: number): Input
  run(input: Input): unknown
  /** The largest input to try (bytes). */
  maxBytes: number
}

export interface CostGrowth {
  /** Size of the larger input (bytes). */
  bytes: number
  /** CPU time for the larger input (ms), the lowest of several runs. */
  ms: number
  /** CPU time for the larger input divided by that for half of it. 2 if both are too short to compare. */
  ratio: number
}

/** The time for twice the input may be at most this many times as long. */
export const MAX_GROWTH = 2.3

const FIRST_BYTES = 2048
/** Inputs grow until one takes this long: a longer one adds nothing to the comparison. */
const ENOUGH_MS = 24
/** Shorter times are mostly noise. */
const SHORTEST_MS = 6
const ROUNDS = 12

/** CPU time of this process in ms, so that other programs of the machine do not count. */
async function cpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * Compares the CPU time for the largest input with that for half of it: about 2 for linear work, 4 for quadratic work. The
 * lowest of several runs counts, and a ratio above the limit is measured again, because a collection of garbage can only make
 * a run longer.
 */
export async function measureGrowth<Input>({ make, run, maxBytes }: CostSubject<Input>): Promise<CostGrowth> {
  const time = async (input: Input) =>
    await cpuMs(async () => {
      try {
        await run(input)
      } catch {
        // Refusing an input is work too.
      }
    })
  let bytes = Math.min(FIRST_BYTES, maxBytes)
  let larger = make(bytes)
  // Compiles the code.
  for (let i = 0; i < 2; i++) await time(larger)
  let ms = await time(larger)
  while (bytes < maxBytes && ms < ENOUGH_MS) {
    bytes = Math.min(bytes * 2, maxBytes)
    larger = make(bytes)
    ms = await time(larger)
  }
  if (ms >= SHORTEST_MS) ms = Math.min(ms, await time(larger))
  if (ms < SHORTEST_MS) return { bytes, ms, ratio: 2 }
  const smaller = make(Math.ceil(bytes / 2))
  let half = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    half = Math.min(half, await time(smaller))
    if (round > 0) ms = Math.min(ms, await time(larger))
    if (ms / half <= MAX_GROWTH) break
  }
  return { bytes, ms, ratio: ms / half }
}

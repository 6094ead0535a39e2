/** How long a test of a tier counts (ms). */
const KEPT_MS = 60_000

export interface TierTest {
  /** Undefined if the storage server cannot test tiers. */
  online?: boolean
  /** The server's message if the tier is not online. */
  problem?: string
}

/** The last test of each tier. A test can cost requests to a cloud provider, so that it is made at most once a minute. */
export class TierStates {
  readonly #tests = new Map<string, { at: number; result: TierTest }>()

  constructor(private readonly now: () => number = Date.now) {}

  /** Returns the last result if it is recent enough, otherwise that of a new test. @param fresh always makes a test */
  async get(name: string, fresh: boolean, test: () => Promise<TierTest>): Promise<TierTest> {
    const last = this.#tests.get(name)
    if (last && !fresh && this.now() - last.at < KEPT_MS) return last.result
    const result = await test()
    this.#tests.set(name, { at: this.now(), result })
    return result
  }

  /** Replaces the result of a tier that was tested before. */
  update(name: string, result: TierTest): void {
    if (this.#tests.has(name)) this.#tests.set(name, { at: this.now(), result })
  }

  /** Forgets the result of a tier that was changed. */
  forget(name: string): void {
    this.#tests.delete(name)
  }

  /** Forgets the results of all other tiers. */
  keepOnly(names: readonly string[]): void {
    for (const name of this.#tests.keys()) if (!names.includes(name)) this.#tests.delete(name)
  }
}

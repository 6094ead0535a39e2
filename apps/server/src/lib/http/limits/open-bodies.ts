export interface OpenBodiesOptions {
  /** Maximum number of bodies in transfer. */
  atOnce: number
  /** Maximum number of bodies in transfer per caller. */
  each: number
}

/**
 * Limits the request bodies in transfer. If there are too many, the oldest is aborted: a normal body arrives within a moment,
 * so callers that never finish theirs cannot block others.
 */
export class OpenBodies {
  /** By caller, oldest first. */
  readonly #callers = new Map<string, Set<() => void>>()
  /** Oldest first. */
  readonly #all = new Map<() => void, string>()

  constructor(private readonly options: OpenBodiesOptions) {}

  /**
   * Counts a body.
   * @param cut aborts it if others need its slot
   * @returns a function to call when the body has arrived or its sender has disconnected
   */
  enter(caller: string, cut: () => void): () => void {
    const own = this.#callers.get(caller) ?? new Set()
    this.#callers.set(caller, own.add(cut))
    this.#all.set(cut, caller)
    if (own.size > this.options.each) this.#cutOldest(own)
    if (this.#all.size > this.options.atOnce) this.#cutOldest(this.#all.keys())
    return () => this.#leave(cut)
  }

  /** Number of bodies in transfer. */
  get size(): number {
    return this.#all.size
  }

  #cutOldest(bodies: Iterable<() => void>): void {
    for (const cut of bodies) {
      this.#leave(cut)
      cut()
      return
    }
  }

  #leave(cut: () => void): void {
    const caller = this.#all.get(cut)
    if (caller === undefined) return
    this.#all.delete(cut)
    const own = this.#callers.get(caller)
    own?.delete(cut)
    if (own?.size === 0) this.#callers.delete(caller)
  }
}

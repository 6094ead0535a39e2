export interface OpenBodiesOptions {
  /** Bodies that may be arriving at once. */
  atOnce: number
  /** Of these, from one caller. */
  each: number
}

/**
 * Request bodies that are arriving. When there are too many, the oldest is ended: a proper body arrives within a moment, so
 * callers that never finish theirs cannot keep others out.
 */
export class OpenBodies {
  /** By caller, each with the oldest first. */
  readonly #callers = new Map<string, Set<() => void>>()
  /** The oldest first. */
  readonly #all = new Map<() => void, string>()

  constructor(private readonly options: OpenBodiesOptions) {}

  /**
   * Counts a body.
   * @param cut ends it when others need its place
   * @returns a function to call when the body has arrived or its sender has left
   */
  enter(caller: string, cut: () => void): () => void {
    const own = this.#callers.get(caller) ?? new Set()
    this.#callers.set(caller, own.add(cut))
    this.#all.set(cut, caller)
    if (own.size > this.options.each) this.#cutOldest(own)
    if (this.#all.size > this.options.atOnce) this.#cutOldest(this.#all.keys())
    return () => this.#leave(cut)
  }

  /** Bodies that are arriving now. */
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

/** Maximum number of remembered sessions, to limit memory. */
const MAX_SESSIONS = 100_000

/**
 * Signed-out sessions, until they would have expired. The storage server revokes the credentials too; this list is for servers
 * that cannot, and is local to this process. Beyond `MAX_SESSIONS` the oldest are forgotten.
 */
export class RevokedSessions {
  readonly #until = new Map<string, number>()
  #sweepAt = 1_000

  /** Called for each session that is signed out. */
  onEnd: (id: string) => void = () => {}

  constructor(private readonly now: () => number = Date.now) {}

  /** @param expires when the session would have expired (ms since 1970) */
  add(id: string, expires: number): void {
    this.#until.set(id, expires)
    this.onEnd(id)
    if (this.#until.size >= this.#sweepAt) this.#sweep()
  }

  has(id: string): boolean {
    return (this.#until.get(id) ?? 0) > this.now()
  }

  get size(): number {
    return this.#until.size
  }

  #sweep(): void {
    const now = this.now()
    for (const [id, expires] of this.#until)
      if (expires <= now || this.#until.size > MAX_SESSIONS) this.#until.delete(id)
    // Rarely, so that the cost per session is constant.
    this.#sweepAt = Math.min(MAX_SESSIONS, this.#until.size) + 1_000
  }
}

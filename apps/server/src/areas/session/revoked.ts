/**
 * Sessions that were signed out, until they would have ended anyway. The storage server revokes the credentials too; this
 * list is for servers that cannot, and it is the memory of one process.
 */
export class RevokedSessions {
  readonly #until = new Map<string, number>()

  constructor(private readonly now: () => number = Date.now) {}

  /** @param expires when the session ends by itself (ms since 1970) */
  add(id: string, expires: number): void {
    this.#sweep()
    this.#until.set(id, expires)
  }

  has(id: string): boolean {
    return this.#until.has(id)
  }

  #sweep(): void {
    const now = this.now()
    for (const [id, expires] of this.#until) if (expires <= now) this.#until.delete(id)
  }
}

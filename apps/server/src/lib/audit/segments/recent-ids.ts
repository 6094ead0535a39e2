/**
 * Remembers the latest IDs: `count` of them at least, and twice as many at most. Two sets take turns, because a set from which
 * the oldest members are deleted one by one becomes slow.
 */
export class RecentIds {
  #latest = new Set<string>()
  #earlier = new Set<string>()

  constructor(private readonly count: number) {}

  has(id: string): boolean {
    return this.#latest.has(id) || this.#earlier.has(id)
  }

  add(id: string): void {
    if (this.#latest.size >= this.count) {
      this.#earlier = this.#latest
      this.#latest = new Set()
    }
    this.#latest.add(id)
  }
}

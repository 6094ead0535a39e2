/** A map of bounded size: what was used longest ago is dropped first. */
export class Lru<K, V> {
  readonly #entries = new Map<K, V>()

  constructor(
    private readonly limit: number,
    private readonly onDrop: (value: V) => void = () => {},
  ) {}

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    for (const [oldest, dropped] of this.#entries) {
      if (this.#entries.size <= this.limit) break
      this.#entries.delete(oldest)
      this.onDrop(dropped)
    }
  }

  delete(key: K): void {
    const value = this.#entries.get(key)
    if (value !== undefined && this.#entries.delete(key)) this.onDrop(value)
  }

  clear(): void {
    for (const value of this.#entries.values()) this.onDrop(value)
    this.#entries.clear()
  }
}

/** At most this often do listeners hear of progress, in milliseconds. */
const PROGRESS_EVERY = 200

/**
 * A list outside React, for `useSyncExternalStore`. Items are replaced, never changed, so a row draws again only when
 * its own item did. Listeners hear of progress a few times a second at most, whatever the number of events.
 */
export class ListStore<T extends { id: string }> {
  readonly #items = new Map<string, T>()
  readonly #listeners = new Set<() => void>()
  #snapshot: readonly T[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #queued = false

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The list as listeners were last told, the same array until they are told again. */
  readonly snapshot = (): readonly T[] => this.#snapshot

  get(id: string): T | undefined {
    return this.#items.get(id)
  }

  /** The list as it is at this moment. */
  values(): IterableIterator<T> {
    return this.#items.values()
  }

  add(items: Iterable<T>): void {
    for (const item of items) this.#items.set(item.id, item)
    this.#tellNow()
  }

  remove(id: string): void {
    if (this.#items.delete(id)) this.#tellNow()
  }

  /** Replaces the item by one with these fields; one that is gone stays gone. */
  patch(id: string, fields: Partial<T>): void {
    if (this.#set(id, fields)) this.#tellNow()
  }

  /** As `patch`, for changes that come many times a second. */
  progress(id: string, fields: Partial<T>): void {
    if (this.#set(id, fields) && !this.#queued) this.#timer ??= setTimeout(() => this.#tell(), PROGRESS_EVERY)
  }

  #set(id: string, fields: Partial<T>): boolean {
    const item = this.#items.get(id)
    if (!item) return false
    this.#items.set(id, { ...item, ...fields })
    return true
  }

  // Many items change state in one go (a folder of thousands is added): they are told of once.
  #tellNow(): void {
    if (this.#queued) return
    this.#queued = true
    queueMicrotask(() => this.#tell())
  }

  #tell(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#queued = false
    this.#snapshot = [...this.#items.values()]
    for (const listener of this.#listeners) listener()
  }
}

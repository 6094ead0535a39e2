/** How soon listeners hear of a change of state, and how often at most of progress, in milliseconds. */
const STATE_AFTER = 30
const PROGRESS_AFTER = 200

/**
 * A list outside React, for `useSyncExternalStore`. Items are replaced, never changed, so a row draws again only when
 * its own item did. Listeners hear of many changes at once: a folder of thousands of small files is thousands of changes
 * a minute.
 */
export class ListStore<T extends { id: string }> {
  readonly #items = new Map<string, T>()
  readonly #listeners = new Set<() => void>()
  #snapshot: readonly T[] = []
  #timer: { id: ReturnType<typeof setTimeout>; after: number } | undefined

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The list that listeners got last: the same array until they are called again. */
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
    this.#tellAfter(STATE_AFTER)
  }

  remove(id: string): void {
    if (this.#items.delete(id)) this.#tellAfter(STATE_AFTER)
  }

  /** Replaces the item by one with these fields; one that is gone stays gone. */
  patch(id: string, fields: Partial<T>): void {
    if (this.#set(id, fields)) this.#tellAfter(STATE_AFTER)
  }

  /** As `patch`, for changes that come many times a second. */
  progress(id: string, fields: Partial<T>): void {
    if (this.#set(id, fields)) this.#tellAfter(PROGRESS_AFTER)
  }

  #set(id: string, fields: Partial<T>): boolean {
    const item = this.#items.get(id)
    if (!item) return false
    this.#items.set(id, { ...item, ...fields })
    return true
  }

  #tellAfter(after: number): void {
    if (this.#timer && this.#timer.after <= after) return
    clearTimeout(this.#timer?.id)
    this.#timer = { id: setTimeout(() => this.#tell(), after), after }
  }

  #tell(): void {
    this.#timer = undefined
    this.#snapshot = [...this.#items.values()]
    for (const listener of this.#listeners) listener()
  }
}

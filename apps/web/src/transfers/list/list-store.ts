/** The delay before listeners are called for a change of state, and the minimum interval for progress (ms). */
const STATE_AFTER = 30
const PROGRESS_AFTER = 200

/**
 * A list outside of React, for `useSyncExternalStore`. Items are replaced, never mutated, so a row rerenders only if its own
 * item changed. Listeners are called once for many changes: uploading thousands of small files makes thousands of changes a
 * minute.
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

  /** Returns the list as of the last call of the listeners: the same array until the next call. */
  readonly snapshot = (): readonly T[] => this.#snapshot

  get(id: string): T | undefined {
    return this.#items.get(id)
  }

  /** Returns the current items. */
  values(): IterableIterator<T> {
    return this.#items.values()
  }

  add(items: Iterable<T>): void {
    for (const item of items) this.#items.set(item.id, item)
    this.#notifyAfter(STATE_AFTER)
  }

  remove(id: string): void {
    if (this.#items.delete(id)) this.#notifyAfter(STATE_AFTER)
  }

  /** Changes fields of an item (by replacing it). Ignores a removed item. */
  patch(id: string, fields: Partial<T>): void {
    if (this.#set(id, fields)) this.#notifyAfter(STATE_AFTER)
  }

  /** Like `patch`, for changes that occur many times a second. */
  progress(id: string, fields: Partial<T>): void {
    if (this.#set(id, fields)) this.#notifyAfter(PROGRESS_AFTER)
  }

  #set(id: string, fields: Partial<T>): boolean {
    const item = this.#items.get(id)
    if (!item) return false
    this.#items.set(id, { ...item, ...fields })
    return true
  }

  #notifyAfter(after: number): void {
    if (this.#timer && this.#timer.after <= after) return
    clearTimeout(this.#timer?.id)
    this.#timer = { id: setTimeout(() => this.#notify(), after), after }
  }

  #notify(): void {
    this.#timer = undefined
    this.#snapshot = [...this.#items.values()]
    for (const listener of this.#listeners) listener()
  }
}

import { useSyncExternalStore } from 'react'

/** A value outside of React that components can subscribe to: toasts, the open confirmation, sign-in state. */
export interface ValueStore<T> {
  get(): T
  set(next: T | ((old: T) => T)): void
  subscribe(listener: () => void): () => void
}

export function createStore<T>(initial: T): ValueStore<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      // A function is always an updater: no store has functions as its value.
      const now = next instanceof Function ? next(value) : next
      if (Object.is(now, value)) return
      value = now
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns the store's current value and rerenders on changes. */
export function useStore<T>(store: Pick<ValueStore<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}

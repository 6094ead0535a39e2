import { useCallback, useMemo, useRef, useState } from 'react'

export interface RowSelection {
  ids: ReadonlySet<string>
  has: (id: string) => boolean
  /** Toggles a row; with `range` also all rows between it and the previously toggled row. */
  toggle: (id: string, range?: boolean) => void
  all: (on: boolean) => void
  clear: () => void
  state: 'none' | 'some' | 'all'
  /** True if no row can be selected. */
  empty: boolean
}

/** Keeps the set of selected rows. Rows that left the list (deleted, filtered out) are no longer selected. */
export function useSelection(order: readonly string[]): RowSelection {
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string>(undefined)
  const ids = useMemo(() => (kept.size === 0 ? kept : new Set(order.filter((id) => kept.has(id)))), [kept, order])

  const toggle = useCallback(
    (id: string, range = false) => {
      const from = range && last.current !== undefined ? order.indexOf(last.current) : -1
      const to = order.indexOf(id)
      last.current = id
      setKept((old) => {
        const next = new Set(old)
        const on = !old.has(id)
        const touched = from >= 0 && to >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
        for (const one of touched) {
          if (on) next.add(one)
          else next.delete(one)
        }
        return next
      })
    },
    [order],
  )
  const all = useCallback((on: boolean) => setKept(on ? new Set(order) : new Set()), [order])
  const clear = useCallback(() => setKept(new Set()), [])

  const state = ids.size === 0 ? 'none' : ids.size === order.length ? 'all' : 'some'
  return { ids, has: (id) => ids.has(id), toggle, all, clear, state, empty: order.length === 0 }
}

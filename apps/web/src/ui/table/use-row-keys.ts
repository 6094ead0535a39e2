import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'

interface RowKeysOptions {
  count: number
  /** Brings a row that is not drawn yet into view. */
  scrollTo: (index: number) => void
  body: RefObject<HTMLElement | null>
  onOpen: (index: number) => void
  onToggle: ((index: number, range: boolean) => void) | undefined
  onSelectAll: (() => void) | undefined
}

/**
 * Rows by keyboard: one of them is in the tab order, the arrow keys move, Home and End jump, Enter opens, Space selects,
 * Shift with an arrow selects on the way, Ctrl+A selects all.
 */
export function useRowKeys({ count, scrollTo, body, onOpen, onToggle, onSelectAll }: RowKeysOptions) {
  const [active, setActive] = useState(0)
  const wanted = useRef<number>(undefined)
  const index = Math.min(active, Math.max(0, count - 1))

  // The row may only be drawn after the scroll: the focus follows when it is there.
  useEffect(() => {
    if (wanted.current === undefined) return
    const row = body.current?.querySelector<HTMLElement>(`tr[data-index="${wanted.current}"]`)
    if (!row) return
    row.focus({ preventScroll: true })
    wanted.current = undefined
  })

  const move = (to: number) => {
    const next = Math.max(0, Math.min(count - 1, to))
    wanted.current = next
    setActive(next)
    scrollTo(next)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Keys of a button, a link or a box inside the row are theirs; of the row itself ours.
    if (!(event.target instanceof HTMLTableRowElement)) return
    const step: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }
    if (event.key in step) {
      const to = index + (step[event.key] ?? 0)
      move(to)
      if (event.shiftKey && onToggle) onToggle(Math.max(0, Math.min(count - 1, to)), true)
    } else if (event.key === 'Home') move(0)
    else if (event.key === 'End') move(count - 1)
    else if (event.key === 'Enter') onOpen(index)
    else if (event.key === ' ' && onToggle) onToggle(index, event.shiftKey)
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && onSelectAll) onSelectAll()
    else return
    event.preventDefault()
  }
  return { active: index, setActive, onKeyDown }
}

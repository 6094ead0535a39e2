import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { runShortcut, type ShortcutHandlers, useShortcuts } from '../../lib/navigation/shortcuts.ts'
import { isFirstRowAwaited, lostFocusIndex } from '../keyboard/restore-focus.ts'

const arrivalIndex = () => (isFirstRowAwaited() ? 0 : undefined)

interface RowKeysOptions {
  count: number
  /** Scrolls a row that is not rendered yet into view. */
  scrollTo: (index: number) => void
  body: RefObject<HTMLElement | null>
  onOpen: (index: number) => void
  onToggle: ((index: number, range: boolean) => void) | undefined
  onSelectAll: (() => void) | undefined
  /** Called for Space. Without it, Space selects the row. */
  onPreview: ((index: number) => void) | undefined
  onDelete: ((index: number) => void) | undefined
}

/**
 * Keyboard control of the rows. One row is in the tab order; the arrow keys or J and K move, Home and End jump, Enter opens,
 * Space previews, X selects, Delete deletes, Shift with an arrow key extends the selection, Ctrl+A selects all.
 */
export function useRowKeys(options: RowKeysOptions) {
  const { count, scrollTo, body, onOpen, onToggle, onSelectAll, onPreview, onDelete } = options
  const [active, setActive] = useState(0)
  const wanted = useRef<number>(undefined)
  const index = Math.min(active, Math.max(0, count - 1))

  // The row may be rendered only after scrolling; focus it as soon as it exists.
  useEffect(() => {
    // If the focused row was deleted, focus the row that replaced it.
    const at = wanted.current ?? (lostFocusIndex(body.current) === undefined ? arrivalIndex() : index)
    if (at === undefined) return
    const row = body.current?.querySelector<HTMLElement>(`tr[data-index="${at}"]`)
    if (!row) return
    row.focus({ preventScroll: true })
    wanted.current = undefined
  })

  const move = (to: number) => {
    const next = Math.max(0, Math.min(count - 1, to))
    wanted.current = next
    setActive(next)
    scrollTo(next)
    return next
  }

  // These keys work from anywhere on the page; inside the rows their own key handler comes first.
  useShortcuts('lists', { rows: () => (count > 0 ? move(index) : false) })

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Keys pressed on a button, link or checkbox inside the row are left to it.
    if (!(event.target instanceof HTMLTableRowElement)) return
    const to = (step: number) => move(index + step)
    const extend = (step: number) => {
      const next = to(step)
      onToggle?.(next, true)
    }
    runShortcut('rows', event, {
      down: () => to(1),
      up: () => to(-1),
      pageDown: () => to(10),
      pageUp: () => to(-10),
      extendDown: () => extend(1),
      extendUp: () => extend(-1),
      first: () => move(0),
      last: () => move(count - 1),
      open: () => onOpen(index),
      preview: () => (onPreview ? onPreview(index) : onToggle ? onToggle(index, false) : false),
      remove: () => (onDelete ? onDelete(index) : false),
      select: () => (onToggle ? onToggle(index, false) : false),
      extend: () => (onToggle ? onToggle(index, true) : false),
      all: () => (onSelectAll ? onSelectAll() : false),
    } satisfies ShortcutHandlers<'rows'>)
  }
  return { active: index, setActive, onKeyDown }
}

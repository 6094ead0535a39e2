import { useEffect } from 'react'

/** An element that had the focus, and its position if it was in a list. The list remains when its row is removed. */
interface FocusedElement {
  element: HTMLElement
  list: Element | null
  index: number
  /** Whether it was focused by keyboard, so that the browser draws a focus ring. */
  byKeys: boolean
}

/**
 * The elements that had the focus, without duplicates, most recent last. A few are enough: a menu item, its button, the row.
 */
let recentFocus: readonly FocusedElement[] = []
const MAX_RECENT_FOCUS = 8
/** Whether the user opened a page from a focused row by keyboard, and the rows of that page are not loaded yet. */
let firstRowAwaited = false

document.addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLElement)) return
  const item = target.closest<HTMLElement>('[data-index]')
  const place = {
    element: target,
    list: item?.parentElement ?? null,
    index: Number(item?.dataset.index),
    byKeys: target.matches(':focus-visible'),
  }
  firstRowAwaited = false
  recentFocus = [...recentFocus.filter(({ element }) => element !== target), place].slice(-MAX_RECENT_FOCUS)
})

/** Returns the element that had the focus if it was removed and no other element has the focus since. */
function lostFocus(): FocusedElement | undefined {
  const { activeElement: active } = document
  const last = recentFocus.at(-1)
  return (active === null || active === document.body) && last?.element.isConnected === false ? last : undefined
}

function focusElement(element: HTMLElement): boolean {
  element.focus({ preventScroll: true })
  return document.activeElement === element
}

/**
 * Focuses the list item at `index`, or else the last one: its row, or the first focusable button or link in it.
 * @param list items have a `data-index`
 * @returns whether the focus was moved
 */
export function focusItem(list: Element, index: number): boolean {
  const items = [...list.querySelectorAll<HTMLElement>('[data-index]')]
  const item = items.find((one) => Number(one.dataset.index) >= index) ?? items.at(-1)
  return (
    item !== undefined &&
    (focusElement(item) || [...item.querySelectorAll<HTMLElement>('button, a')].some(focusElement))
  )
}

/** Returns the index of the removed list item that had the focus, if no other element has the focus since. */
export function lostFocusIndex(list: Element | null): number | undefined {
  const place = lostFocus()
  return list && place?.list === list ? place.index : undefined
}

/** Moves the focus to the replacement of a removed element. */
export function takeLostFocus(element: HTMLElement | null) {
  if (element && lostFocus()) focusElement(element)
}

/** Restores the focus to the most recent of these elements that still exists or that another row of its list has replaced. */
function restoreFocus(places: readonly FocusedElement[]) {
  if (!lostFocus()) return
  const given = places.toReversed().some(({ element, list, index }) => {
    if (element.isConnected) return focusElement(element)
    return list?.isConnected === true && focusItem(list, index)
  })
  if (!given) takeLostFocus(document.getElementById('page'))
}

/** Moves the focus to a page when it opens, if the focus was lost with the previous page. */
export function useFocusOnArrival() {
  useEffect(() => {
    const place = lostFocus()
    if (!place) return
    takeLostFocus(document.getElementById('page'))
    firstRowAwaited = place.byKeys && place.list !== null
  }, [])
}

/** Reports whether the first row of the page takes the focus, because the user opened the page from a row by keyboard. */
export const isFirstRowAwaited = () => firstRowAwaited

/**
 * For dialogs, drawers and the overlaid sidebar: when they close, returns the focus to the element that had it, or to the next
 * row if that row was deleted, or else to the page.
 * @param of identifies the content; a change counts as a new opening
 */
export function useFocusReturn(of?: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content was opened by another element
  useEffect(() => {
    const before = recentFocus
    return () => restoreFocus(before)
  }, [of])
}

import { useEffect } from 'react'

/** Something that had the focus, and where it stood if that was in a list: the list stays when its row goes. */
interface Place {
  element: HTMLElement
  list: Element | null
  index: number
  /** Whether it came there by keys: the browser draws a ring round it. */
  byKeys: boolean
}

/** What had the focus, the latest last, each once. A few are enough: a menu's item, its button, the row before. */
let past: readonly Place[] = []
const KEPT = 8
/** Whether who goes on from row to row by keys has come to a page whose rows are not there yet. */
let toFirstRow = false

document.addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLElement)) return
  const item = target.closest<HTMLElement>('[data-index]')
  const place = {
    element: target,
    list: item?.parentElement ?? null,
    index: Number(item?.dataset.index),
    byKeys: target.matches(':focus-visible'),
  }
  toFirstRow = false
  past = [...past.filter(({ element }) => element !== target), place].slice(-KEPT)
})

/** What had the focus last, when it was taken away and nothing has the focus since. */
function lostPlace(): Place | undefined {
  const { activeElement: active } = document
  const last = past.at(-1)
  return (active === null || active === document.body) && last?.element.isConnected === false ? last : undefined
}

function take(element: HTMLElement): boolean {
  element.focus({ preventScroll: true })
  return document.activeElement === element
}

/**
 * The focus for the item of a list that now stands at this place, or for the last one: for its row, or its first button.
 * @param list whose items have a `data-index`
 */
export function focusItem(list: Element, index: number): boolean {
  const items = [...list.querySelectorAll<HTMLElement>('[data-index]')]
  const item = items.find((one) => Number(one.dataset.index) >= index) ?? items.at(-1)
  return item !== undefined && (take(item) || [...item.querySelectorAll<HTMLElement>('button, a')].some(take))
}

/** The place in this list of what had the focus and is gone; undefined while the focus is anywhere. */
export function lostFrom(list: Element | null): number | undefined {
  const place = lostPlace()
  return list && place?.list === list ? place.index : undefined
}

/** Moves the focus to the replacement of a removed element. */
export function takeLost(element: HTMLElement | null) {
  if (element && lostPlace()) take(element)
}

/** Gives the focus to the latest of these that is still there, or that whose place in its list another has taken. */
function giveBack(places: readonly Place[]) {
  if (!lostPlace()) return
  const given = places.toReversed().some(({ element, list, index }) => {
    if (element.isConnected) return take(element)
    return list?.isConnected === true && focusItem(list, index)
  })
  if (!given) takeLost(document.getElementById('page'))
}

/** For a page that has come: the focus, if that went with the page before. */
export function useFocusOnArrival() {
  useEffect(() => {
    const place = lostPlace()
    if (!place) return
    takeLost(document.getElementById('page'))
    toFirstRow = place.byKeys && place.list !== null
  }, [])
}

/** For the rows of a page: whether the first one takes the focus, as who came from a row by keys expects. */
export const isFirstRowAwaited = () => toFirstRow

/**
 * For what takes the focus and then goes: dialogs, drawers, the sidebar over the page. When it is gone the focus goes back
 * to what had it, to the next row where that row is gone, or else to the page.
 * @param of changes when another thing is shown in it
 */
export function useFocusReturn(of?: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another thing was asked for from another place
  useEffect(() => {
    const before = past
    return () => giveBack(before)
  }, [of])
}

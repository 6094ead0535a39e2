import { useEffect } from 'react'

/** Something that had the focus, and where it stood if that was in a list: the list stays when its row goes. */
interface Place {
  element: HTMLElement
  list: Element | null
  index: number
}

/** What had the focus, the latest last, each once. A few are enough: a menu's item, its button, the row before. */
let past: readonly Place[] = []
const KEPT = 8

document.addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLElement)) return
  const item = target.closest<HTMLElement>('[data-index]')
  const place = { element: target, list: item?.parentElement ?? null, index: Number(item?.dataset.index) }
  past = [...past.filter(({ element }) => element !== target), place].slice(-KEPT)
})

/** Nothing has the focus: what had it was taken away. */
const isLost = () => document.activeElement === null || document.activeElement === document.body

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
  const last = past.at(-1)
  return list && last?.list === list && !last.element.isConnected && isLost() ? last.index : undefined
}

/** Gives the focus to the latest of these that is still there, or that whose place in its list another has taken. */
function giveBack(places: readonly Place[]) {
  if (!isLost()) return
  const given = places.toReversed().some(({ element, list, index }) => {
    if (element.isConnected) return take(element)
    return list?.isConnected === true && focusItem(list, index)
  })
  if (!given) document.getElementById('page')?.focus({ preventScroll: true })
}

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

import { startTransition, useEffect, useMemo, useRef } from 'react'

/** Whether a list moves, for its rows. Always the same object, so that a scrolled list does not render its rows again. */
export interface ScrollIdle {
  isMoving: () => boolean
  /** Calls `work` once the list stands still. @returns a function that cancels it */
  wait: (work: () => void) => () => void
}

/** Lets rows that appear while a list scrolls wait with what is not visible then. @param list the virtualizer */
export function useScrollIdle(list: { readonly isScrolling: boolean }): ScrollIdle {
  const waiting = useRef(new Set<() => void>())
  const { isScrolling } = list
  useEffect(() => {
    if (isScrolling || waiting.current.size === 0) return
    const works = [...waiting.current]
    waiting.current.clear()
    startTransition(() => {
      for (const work of works) work()
    })
  })
  return useMemo(
    () => ({
      isMoving: () => list.isScrolling,
      wait: (work) => {
        waiting.current.add(work)
        return () => waiting.current.delete(work)
      },
    }),
    [list],
  )
}

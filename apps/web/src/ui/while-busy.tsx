import type { MouseEvent } from 'react'

/** The button's own element as Mantine would draw it. */
type Root = Record<string, unknown> & { disabled?: boolean }

const stop = (event: MouseEvent) => event.preventDefault()

function drawBusy({ disabled: _, ...root }: Root) {
  return <button {...root} aria-disabled onClick={stop} />
}

/**
 * For a Button or ActionIcon: its spinner. It does nothing meanwhile, but is not `disabled` as Mantine's `loading` alone has
 * it: that would take the focus from it.
 */
export const whileBusy = (busy: boolean) => ({ loading: busy, ...(busy && { renderRoot: drawBusy }) })

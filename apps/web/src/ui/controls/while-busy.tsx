import type { MouseEvent } from 'react'

/** The properties of Mantine's root element for the button. */
type ButtonRootProps = Record<string, unknown> & { disabled?: boolean }

const stop = (event: MouseEvent) => event.preventDefault()

function renderBusyButton({ disabled: _, ...root }: ButtonRootProps) {
  return <button {...root} aria-disabled onClick={stop} />
}

/**
 * Properties for a Button or ActionIcon that is busy: a spinner, and clicks are ignored. Unlike Mantine's `loading` it does
 * not set `disabled`, which would take the focus away.
 */
export const whileBusy = (busy: boolean) => ({ loading: busy, ...(busy && { renderRoot: renderBusyButton }) })

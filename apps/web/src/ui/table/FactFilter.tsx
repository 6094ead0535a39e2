import type { ReactNode } from 'react'
import css from './FactFilter.module.css'

interface FactFilterProps {
  /** Name of the filter in the address. */
  name: string
  /** The filter in use. */
  show: string | undefined
  onShow: (show: string | undefined) => void
  children: ReactNode
}

/** A count in the facts of a page that filters its list; pressed again, it shows all rows. */
export function FactFilter({ name, show, onShow, children }: FactFilterProps) {
  return (
    <button
      type="button"
      className={css.filter ?? ''}
      aria-pressed={show === name}
      onClick={() => onShow(show === name ? undefined : name)}
    >
      {children}
    </button>
  )
}

import type { ReactNode } from 'react'
import { cx } from '../../../lib/cx.ts'
import { type Message, useT } from '../../../lib/text/i18n.ts'
import css from '../dashboard.module.css'

interface StatusTableProps {
  /** The ID of the heading, which names the section and its table for screen readers. */
  id: string
  title: Message
  columns: readonly Message[]
  /** The class that sets the column widths. */
  className: string | undefined
  /** The table bodies. */
  children: ReactNode
  /** Shown below the table. */
  legend?: ReactNode
}

/** A section with a table of items of one kind and their state. */
export function StatusTable({ id, title, columns, className, children, legend }: StatusTableProps) {
  const t = useT()
  return (
    <section aria-labelledby={id}>
      <h2 className={css.heading} id={id}>
        {t(title)}
      </h2>
      <table className={cx(css.table, className)} aria-labelledby={id}>
        <thead>
          <tr>
            {columns.map((label) => (
              <th key={label} scope="col">
                {t(label)}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
      {legend}
    </section>
  )
}

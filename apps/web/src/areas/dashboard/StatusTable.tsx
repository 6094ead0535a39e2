import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { type Message, useT } from '../../lib/text/i18n.ts'
import css from './dashboard.module.css'

interface StatusTableProps {
  /** Names the section and its table to who reads by ear. */
  id: string
  title: Message
  columns: readonly Message[]
  /** The widths of its columns. */
  className: string | undefined
  /** Bodies of the table. */
  children: ReactNode
  /** Below the table. */
  legend?: ReactNode
}

/** A section of the page that is one table: what of a kind there is, and how each is. */
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

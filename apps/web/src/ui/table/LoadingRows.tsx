import { SlowNotice, useLongWait } from '../feedback/states.tsx'
import css from './table.module.css'
import type { Column } from './types.ts'

// Widths like those of real names and figures, so that the placeholder looks like a list.
const widths = [0.62, 0.44, 0.78, 0.52, 0.7, 0.4, 0.66, 0.5]

/** Placeholder bars in the real columns, shown once the wait is long enough to be noticed. */
export function LoadingRows<Row>({ columns, selectable }: { columns: Column<Row>[]; selectable: boolean }) {
  const late = useLongWait(true)
  if (!late) return null
  return (
    <>
      <tr>
        <td colSpan={columns.length + 2} className={css.notice}>
          <SlowNotice />
        </td>
      </tr>
      {widths.map((width, i) => (
        // biome-ignore lint/a11y/noAriaHiddenOnFocusable: the row is not focusable
        <tr key={width} aria-hidden="true" className={css.loading}>
          {selectable && <td className={css.select} />}
          {columns.map((column, j) => (
            <td key={column.key} className={column.align === 'right' ? css.right : undefined} data-small={column.small}>
              <span className={css.bar} style={{ width: `${(widths[(i + j) % widths.length] ?? 0.5) * 100}%` }} />
            </td>
          ))}
          <td className={css.actions} />
        </tr>
      ))}
    </>
  )
}

import { Checkbox } from '@mantine/core'
import { memo, type MouseEvent as ReactMouseEvent, useEffect, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { useT } from '../../lib/text/i18n.ts'
import { RowTabStop } from '../keyboard/row-tab-stop.ts'
import { RowActions, RowMenu } from './RowActions.tsx'
import css from './table.module.css'
import type { Column, RowAction } from './types.ts'
import type { ScrollIdle } from './use-scroll-idle.ts'

interface TableRowProps<Row extends object> {
  row: Row
  id: string
  /** The position in the list. */
  index: number
  columns: Column<Row>[]
  actions: RowAction<Row>[]
  /** Undefined if the table has no selection; false if this row cannot be selected. */
  selectable: boolean | undefined
  selected: boolean
  /** Whether its details are open. */
  isOpen: boolean
  /** Whether the row and its controls are in the tab order. */
  active: boolean
  small: boolean
  /** Whether a click anywhere on the row toggles its selection. */
  selecting: boolean
  still: ScrollIdle
  measure: ((element: HTMLTableRowElement | null) => void) | undefined
  onFocus: (index: number) => void
  onToggle: (id: string, range?: boolean) => void
  /** Called for a click beside links and buttons. */
  onOpen: ((row: Row) => void) | undefined
}

/** A row. Rendered again only if its properties change: while a list scrolls, most of its rows stay the same. */
export const TableRow = memo(PlainRow) as typeof PlainRow

function PlainRow<Row extends object>(props: TableRowProps<Row>) {
  const { row, id, index, columns, actions, selectable, selected, small, still, onToggle } = props
  const t = useT()
  // The actions take most of the time of a row, and are visible only under the pointer or in the row with the focus.
  const [whole, setWhole] = useState(() => small || !still.isMoving())
  useEffect(() => (whole ? undefined : still.wait(() => setWhole(true))), [whole, still])
  const stop = props.active ? 0 : -1
  const click = ({ target }: ReactMouseEvent) => {
    // Ignore clicks on controls inside the row.
    if (target instanceof Element && target.closest('a, button, input, label, [role="menu"]')) return
    props.onOpen?.(row)
  }
  const select = (event: ReactMouseEvent) => {
    const { target } = event
    if (!selectable || !(target instanceof Element) || target.closest('button, input, label, [role="menu"]')) return
    // In the capture phase, before a link in the row receives the click.
    event.preventDefault()
    event.stopPropagation()
    onToggle(id)
  }
  return (
    <tr
      data-index={index}
      ref={props.measure}
      aria-rowindex={index + 2}
      aria-selected={selectable === undefined ? undefined : selected}
      tabIndex={stop}
      onFocus={() => props.onFocus(index)}
      className={cx(css.row, selected && css.selected, props.isOpen && css.open)}
      onClickCapture={props.selecting ? select : undefined}
      onClick={click}
    >
      {selectable !== undefined && (
        <td className={css.select}>
          <Checkbox
            aria-label={t('Select {{name}}', { name: id })}
            tabIndex={stop}
            checked={selected}
            disabled={!selectable}
            onChange={({ nativeEvent }) => onToggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
          />
        </td>
      )}
      <RowTabStop value={stop}>
        {columns.map((column) => (
          <td key={column.key} data-small={column.small} className={column.align === 'right' ? css.right : undefined}>
            {column.cell ? column.cell(row) : String((row as Record<string, unknown>)[column.key] ?? '–')}
          </td>
        ))}
        <td className={css.actions}>
          {small ? (
            <RowMenu row={row} name={id} actions={actions} onSelect={selectable ? () => onToggle(id) : undefined} />
          ) : (
            whole && <RowActions row={row} name={id} actions={actions} />
          )}
        </td>
      </RowTabStop>
    </tr>
  )
}

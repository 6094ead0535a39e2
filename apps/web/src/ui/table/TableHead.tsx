import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { cx } from '../../lib/cx.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import css from './table.module.css'
import type { Column } from './types.ts'
import type { RowSelection } from './use-selection.ts'
import type { SortOrder } from './use-table-model.ts'

interface TableHeadProps<Row> {
  columns: Column<Row>[]
  sort: SortOrder | undefined
  sortable: boolean
  onSort: (key: string) => void
  selection: RowSelection | undefined
}

/** The table header: the checkbox that selects all rows, and the sortable columns. */
export function TableHead<Row>({ columns, sort, sortable, onSort, selection }: TableHeadProps<Row>) {
  const t = useT()
  return (
    <thead>
      <tr>
        {selection && (
          <th className={css.select} scope="col">
            <Checkbox
              aria-label={t('Select all')}
              checked={selection.state === 'all'}
              indeterminate={selection.state === 'some'}
              disabled={selection.empty}
              onChange={() => selection.all(selection.state !== 'all')}
            />
          </th>
        )}
        {columns.map((column) => {
          const sorted = sort?.key === column.key
          const right = (column.headerAlign ?? column.align) === 'right'
          return (
            <th
              key={column.key}
              scope="col"
              className={right ? css.right : undefined}
              aria-sort={sorted ? (sort.desc ? 'descending' : 'ascending') : undefined}
            >
              <span style={column.headerPad === undefined ? undefined : { paddingRight: column.headerPad }}>
                {sortable && column.sortable !== false ? (
                  <button
                    type="button"
                    className={cx(css.sort, sorted && css.sorted)}
                    onClick={() => onSort(column.key)}
                  >
                    {t(column.label)}
                    {sorted && <Icon of={sort.desc ? IconArrowDown : IconArrowUp} size={12} />}
                  </button>
                ) : (
                  t(column.label)
                )}
              </span>
            </th>
          )
        })}
        <th scope="col">
          <span className="visually-hidden">{t('Actions')}</span>
        </th>
      </tr>
    </thead>
  )
}

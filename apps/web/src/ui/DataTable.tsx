import { useElementSize, useMediaQuery, useMergedRef } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { navigate } from '../lib/navigation/navigate.ts'
import { useShortcuts } from '../lib/navigation/shortcuts.ts'
import { useT } from '../lib/text/i18n.ts'
import { StaleNotice } from './StaleNotice.tsx'
import { EmptyState, ErrorState } from './states.tsx'
import { ColumnChooser } from './table/ColumnChooser.tsx'
import { FilterField } from './table/FilterField.tsx'
import { fitColumns, neededWidth } from './table/fit-columns.ts'
import { LoadingRows } from './table/LoadingRows.tsx'
import { TableHead } from './table/TableHead.tsx'
import { TableRow } from './table/TableRow.tsx'
import { TableTools } from './table/TableTools.tsx'
import css from './table/table.module.css'
import type { Column, FilterOptions, RowAction, SelectionOptions, TableTexts } from './table/types.ts'
import { useFilter, useFiltered } from './table/use-filter.ts'
import { useRowKeys } from './table/use-row-keys.ts'
import { useSelection } from './table/use-selection.ts'
import { type Sort, useTableModel } from './table/use-table-model.ts'

export type { Column, FilterOptions, RowAction, SelectionOptions, TableTexts } from './table/types.ts'

/** Measures of the specification. */
export const ROW_HEIGHT = 40
export const OVERSCAN = 10
const SELECT_WIDTH = 45
/** A row of two lines, on a small screen. */
const SMALL_ROW_HEIGHT = 61

interface DataTableProps<Row extends object> {
  /** Of the list, for its habits in the browser's storage: `buckets`. */
  name: string
  texts: TableTexts
  rows: Row[]
  /** The field or function that tells rows apart. */
  rowId: (row: Row) => string
  /** Declared outside the component, or kept by `useMemo`. */
  columns: Column<Row>[]
  actions?: RowAction<Row>[]
  filter?: FilterOptions<Row>
  selection?: SelectionOptions<Row>
  defaultSort?: Sort
  /** Rows that stand before all others, whatever the order: folders. */
  first?: (row: Row) => boolean
  /** False where the rows come in the server's order, page by page. */
  sortable?: boolean
  loading?: boolean
  /** Why the rows could not be read; with rows of an earlier reading they stay, and a notice says so. */
  error: unknown
  /** When the rows were read, milliseconds since 1970. */
  readAt: number
  onRetry: () => unknown
  /** Instead of the sentence that there is nothing yet. */
  empty?: ReactNode
  /** Right of the filter. */
  tools?: ReactNode
  /** What Enter on a row and a click beside its link do; the first action unless said. */
  onOpen?: (row: Row) => void
  /** The row whose detail is open. */
  openId?: string | undefined
  /** Called when the end of the rows comes near: time to read the next page. */
  onEndReached?: (() => void) | undefined
  /** Whether the next page is being read. */
  loadingMore?: boolean
  /** Why the next page could not be read. */
  moreError?: unknown
  onRetryMore?: () => unknown
}

/** A declared list: sorted, filtered, selected and drawn row by row as it scrolls. See `table/types.ts` for its parts. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { name, texts, rowId, columns, actions = [], filter, selection, loading = false, onEndReached } = props
  const t = useT()
  const small = useMediaQuery('(max-width: 640px)', undefined, { getInitialValueInEffect: false })
  const scroll = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)

  const [text, setText] = useFilter(filter)
  const shown = useFiltered(props.rows, text, filter, rowId)
  const model = useTableModel({
    name,
    rows: shown,
    columns,
    defaultSort: props.defaultSort,
    sortable: props.sortable !== false,
  })
  const { ref: frame, width } = useElementSize<HTMLDivElement>()
  const area = useMergedRef(scroll, frame)
  const actionsWidth = Math.max(60, actions.length * 28 + 32)
  const edges = (selection ? SELECT_WIDTH : 0) + actionsWidth
  const visible = small ? model.visible : fitColumns(model.visible, Math.max(0, width - edges))
  const isFirst = props.first
  const rows = useMemo(() => {
    const sorted = model.rows.map((row) => row.original)
    return isFirst ? [...sorted.filter(isFirst), ...sorted.filter((row) => !isFirst(row))] : sorted
  }, [model.rows, isFirst])

  const selectable = useMemo(
    () => (selection ? rows.filter((row) => selection.canSelect?.(row) !== false).map(rowId) : []),
    [rows, selection, rowId],
  )
  const selected = useSelection(selectable)
  const chosen = selected.ids.size > 0 ? rows.filter((row) => selected.has(rowId(row))) : []

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => (small ? SMALL_ROW_HEIGHT : ROW_HEIGHT),
    overscan: OVERSCAN,
    getItemKey: (index) => {
      const row = rows[index]
      return row ? rowId(row) : index
    },
    scrollPaddingStart: small ? 0 : ROW_HEIGHT,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)

  const lastIndex = last?.index ?? -1
  useEffect(() => {
    if (onEndReached && lastIndex >= 0 && lastIndex >= rows.length - 1 - OVERSCAN) onEndReached()
  }, [onEndReached, lastIndex, rows.length])

  const open = (row: Row) => {
    const [action] = actions
    if (props.onOpen) props.onOpen(row)
    else if (action?.to) navigate(action.to(row))
    else action?.onClick?.(row)
  }
  const keys = useRowKeys({
    count: rows.length,
    scrollTo: (index) => virtual.scrollToIndex(index),
    body,
    onOpen: (index) => {
      const row = rows[index]
      if (row) open(row)
    },
    onToggle: selection
      ? (index, range) => {
          const row = rows[index]
          if (row) selected.toggle(rowId(row), range)
        }
      : undefined,
    onSelectAll: selection ? () => selected.all(true) : undefined,
  })
  useShortcuts('lists', { clear: () => selected.ids.size > 0 && selected.clear() })

  // Where the active row is scrolled away Tab comes to the first one in sight.
  const inSight = items.find(({ start }) => start >= (virtual.scrollOffset ?? 0)) ?? first
  const stop = items.some(({ index }) => index === keys.active) ? keys.active : inSight?.index

  const failed = !loading && props.error != null
  const stale = failed && props.rows.length > 0

  const columnCount = visible.length + (selection ? 1 : 0) + 1

  return (
    <>
      <TableTools
        small={small}
        filter={filter && <FilterField placeholder={filter.placeholder} value={text} onType={setText} />}
        selection={selection}
        chosen={chosen}
        onClear={selected.clear}
      >
        {props.tools}
        {/* A small row has a place for each of its columns, or leaves it out. */}
        {!small && <ColumnChooser columns={columns} isVisible={model.isVisible} setVisible={model.setVisible} />}
      </TableTools>
      {stale && <StaleNotice error={props.error} readAt={props.readAt} onRetry={props.onRetry} />}
      <div ref={area} className={css.scroll}>
        <table
          className={css.table}
          style={small ? undefined : { minWidth: neededWidth(visible) + edges }}
          aria-label={t(texts.name)}
          aria-rowcount={rows.length + 1}
          aria-busy={loading}
        >
          <colgroup>
            {selection && <col style={{ width: SELECT_WIDTH }} />}
            {visible.map((column) => (
              <col key={column.key} style={column.width === undefined ? undefined : { width: column.width }} />
            ))}
            <col style={{ width: actionsWidth }} />
          </colgroup>
          <TableHead
            columns={visible}
            sort={model.sort}
            sortable={props.sortable !== false}
            onSort={model.setSort}
            selection={selection && selected}
          />
          <tbody ref={body} onKeyDown={keys.onKeyDown}>
            {loading && <LoadingRows columns={visible} selectable={selection !== undefined} />}
            {first && first.start > 0 && <Spacer height={first.start} columns={columnCount} />}
            {items.map((item) => {
              const row = rows[item.index]
              if (!row || loading) return null
              const id = rowId(row)
              return (
                <TableRow
                  key={id}
                  row={row}
                  id={id}
                  index={item.index}
                  columns={visible}
                  actions={actions}
                  selectable={selection && selection.canSelect?.(row) !== false}
                  selected={selected.has(id)}
                  isOpen={props.openId === id}
                  active={item.index === stop}
                  small={small}
                  measure={small ? virtual.measureElement : undefined}
                  onFocus={keys.setActive}
                  onToggle={selected.toggle}
                  onOpen={props.onOpen || small ? open : undefined}
                />
              )
            })}
            {last && virtual.getTotalSize() > last.end && (
              <Spacer height={virtual.getTotalSize() - last.end} columns={columnCount} />
            )}
          </tbody>
        </table>
        {props.loadingMore && <div className={css.more}>{t('Loading...')}</div>}
        {failed && !stale && <ErrorState error={props.error} onRetry={props.onRetry} />}
        {props.moreError != null && <ErrorState error={props.moreError} onRetry={props.onRetryMore} />}
        {!loading && !failed && props.moreError == null && rows.length === 0 && !props.loadingMore && (
          <Nothing texts={texts} filtered={props.rows.length > 0 || text !== ''} empty={props.empty} />
        )}
      </div>
    </>
  )
}

/** Keeps the height of the rows that are not drawn. */
function Spacer({ height, columns }: { height: number; columns: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus by itself
    <tr aria-hidden="true" className={css.spacer}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}

function Nothing({ texts, filtered, empty }: { texts: TableTexts; filtered: boolean; empty: ReactNode }) {
  const t = useT()
  if (filtered) return <EmptyState title={t(texts.noMatch)} />
  return empty ?? <EmptyState title={t(texts.empty)} />
}

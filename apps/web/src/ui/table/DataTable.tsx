import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import { type PagedQueryResult, type QueryResult, resultView } from '../../lib/api/query-result.ts'
import { cx } from '../../lib/cx.ts'
import { navigate } from '../../lib/navigation/navigate.ts'
import { useShortcuts } from '../../lib/navigation/shortcuts.ts'
import { useT } from '../../lib/text/i18n.ts'
import { useSmallScreen } from '../../lib/use-small-screen.ts'
import { isReason } from '../controls/Disabled.tsx'
import type { RequiredPermission } from '../feedback/AccessDenied.tsx'
import { StaleNotice } from '../feedback/StaleNotice.tsx'
import { EmptyState, ErrorState } from '../feedback/states.tsx'
import { ColumnChooser } from './ColumnChooser.tsx'
import { FilterField } from './FilterField.tsx'
import { fitColumns, neededWidth } from './fit-columns.ts'
import { LoadingRows } from './LoadingRows.tsx'
import { SortMenu } from './SortMenu.tsx'
import { TableHead } from './TableHead.tsx'
import { TableRow } from './TableRow.tsx'
import { TableTools } from './TableTools.tsx'
import css from './table.module.css'
import type { Column, FilterOptions, RowAction, SelectionOptions, TableTexts } from './types.ts'
import { useFilter, useFilteredRows } from './use-filter.ts'
import { useRowKeys } from './use-row-keys.ts'
import { useScrollIdle } from './use-scroll-idle.ts'
import { useSelection } from './use-selection.ts'
import { type SortOrder, useTableModel } from './use-table-model.ts'

export type { Column, FilterOptions, RowAction, SelectionOptions, TableTexts } from './types.ts'

/** Sizes from the specification. */
export const ROW_HEIGHT = 40
export const OVERSCAN = 10
const SELECT_WIDTH = 45
/** The height of a row on a small screen, where it has two lines (px). */
const SMALL_ROW_HEIGHT = 61

const NONE: never[] = []

interface DataTableProps<Row extends object> {
  /** Identifies the list: a key for its columns in local storage, and a prefix of its search parameters (`?buckets.sort`). */
  name: string
  texts: TableTexts
  /**
   * The result of `useQuery` whose data are the rows, or of `useInfiniteQuery`, whose next page is fetched when the user
   * scrolls near the end. If a request fails, the last rows stay visible below a notice.
   */
  query: QueryResult<readonly Row[]> & Partial<PagedQueryResult<readonly Row[]>>
  /** The action and resource of the request, to explain a denied request. */
  needs?: RequiredPermission
  /** Returns the unique ID of a row. */
  rowId: (row: Row) => string
  /** Must be stable: declared outside the component or memoized with `useMemo`. */
  columns: Column<Row>[]
  actions?: RowAction<Row>[]
  filter?: FilterOptions<Row>
  selection?: SelectionOptions<Row>
  defaultSort?: SortOrder
  /** Rows that are always listed first, in any sort order: folders. */
  first?: (row: Row) => boolean
  /** False if the server sorts the rows and returns them page by page. */
  sortable?: boolean
  /** Replaces the default text of an empty list. */
  empty?: ReactNode
  /** Shown to the right of the filter. */
  tools?: ReactNode
  /** Called for Enter on a row and for a click beside its link. Default: the first action. */
  onOpen?: (row: Row) => void
  /** The row whose details are open. */
  openId?: string | undefined
}

/** A list with sorting, filter, selection and virtual scrolling. Its parts are described in `table/types.ts`. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { name, texts, rowId, columns, actions = NONE, filter, selection, query, onOpen } = props
  const t = useT()
  const small = useSmallScreen()
  const scroll = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)

  const view = resultView(query)
  const loading = view.state === 'loading'
  // If only a later page failed, the rows above are still up to date.
  const pageFailed = query.isFetchNextPageError === true
  const stale = view.state === 'stale' && !pageFailed
  const all = view.state === 'ready' || view.state === 'stale' ? view.data : NONE

  const [text, setText] = useFilter(name, filter)
  const shown = useFilteredRows(all, text, filter, rowId)
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
  const visible = useMemo(
    () => (small ? model.visible : fitColumns(model.visible, Math.max(0, width - edges))),
    [small, model.visible, width, edges],
  )
  const isFirst = props.first
  const rows = useMemo(() => {
    const sorted = model.rows
    return isFirst ? [...sorted.filter(isFirst), ...sorted.filter((row) => !isFirst(row))] : sorted
  }, [model.rows, isFirst])

  const selectable = useMemo(
    () => (selection ? rows.filter((row) => selection.canSelect?.(row) !== false).map(rowId) : []),
    [rows, selection, rowId],
  )
  const selected = useSelection(selectable)
  /** On a small screen, once a row is selected, the checkboxes are visible and a tap on a row toggles its selection. */
  const selecting = small && selected.ids.size > 0
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
  const still = useScrollIdle(virtual)
  const items = virtual.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)

  const lastIndex = last?.index ?? -1
  const { fetchNextPage } = query
  // With a filter, filling the window could read the whole list. After a failed page, the user has to retry.
  const readOn = query.hasNextPage === true && query.isFetchingNextPage === false && !pageFailed && text === ''
  useEffect(() => {
    if (readOn && lastIndex >= 0 && lastIndex >= rows.length - 1 - OVERSCAN) void fetchNextPage?.()
  }, [readOn, fetchNextPage, lastIndex, rows.length])

  const open = useCallback(
    (row: Row) => {
      const [action] = actions
      if (onOpen) onOpen(row)
      else if (action?.to) navigate(action.to(row))
      else action?.onClick?.(row)
    },
    [actions, onOpen],
  )
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
    onPreview: rowKeyHandler(actions, 'preview', rows),
    onDelete:
      selection?.onDelete && chosen.length > 0
        ? () => selection.onDelete?.(chosen, selected.clear)
        : rowKeyHandler(actions, 'delete', rows),
  })
  useShortcuts('lists', { clear: () => selected.ids.size > 0 && selected.clear() })

  // If the active row is scrolled out of view, the first visible row is in the tab order instead.
  const inSight = items.find(({ start }) => start >= (virtual.scrollOffset ?? 0)) ?? first
  const stop = items.some(({ index }) => index === keys.active) ? keys.active : inSight?.index

  const columnCount = visible.length + (selection ? 1 : 0) + 1

  // There is nothing to filter or select, so the error replaces the whole list.
  if (view.state === 'failed')
    return <ErrorState error={view.failure} onRetry={query.refetch} {...(props.needs && { needs: props.needs })} />
  return (
    <>
      <TableTools
        small={small}
        filter={filter && <FilterField placeholder={filter.placeholder} value={text} onType={setText} />}
        selection={selection}
        chosen={chosen}
        selected={selected}
      >
        {props.tools}
        {/* On a small screen each column has a fixed place in the row or is hidden, so there is no column chooser. */}
        {small && props.sortable !== false && <SortMenu columns={columns} sort={model.sort} onSort={model.setSort} />}
        {!small && (
          <ColumnChooser
            columns={columns}
            fitting={visible}
            isVisible={model.isVisible}
            setVisible={model.setVisible}
          />
        )}
      </TableTools>
      {chosen.length > 0 && selection?.note?.(chosen, () => selected.all(true))}
      {stale && <StaleNotice error={view.failure} readAt={query.dataUpdatedAt} onRetry={query.refetch} />}
      <div ref={area} className={cx(css.scroll, selecting && css.selecting)}>
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
                  selecting={selecting}
                  small={small}
                  still={still}
                  measure={small ? virtual.measureElement : undefined}
                  onFocus={keys.setActive}
                  onToggle={selected.toggle}
                  onOpen={onOpen || small ? open : undefined}
                />
              )
            })}
            {last && virtual.getTotalSize() > last.end && (
              <Spacer height={virtual.getTotalSize() - last.end} columns={columnCount} />
            )}
          </tbody>
        </table>
        {query.isFetchingNextPage && <div className={css.more}>{t('Loading...')}</div>}
        {view.state === 'stale' && pageFailed && <ErrorState error={view.failure} onRetry={query.fetchNextPage} />}
        {view.state === 'ready' && rows.length === 0 && !query.isFetchingNextPage && (
          <EmptyTable texts={texts} filtered={all.length > 0 || text !== ''} empty={props.empty} />
        )}
      </div>
    </>
  )
}

/** Returns the key handler for a row action: the same as its button, if the button is enabled. */
function rowKeyHandler<Row>(actions: readonly RowAction<Row>[], type: RowAction<Row>['type'], rows: readonly Row[]) {
  const action = actions.find((each) => each.type === type && each.onClick)
  if (!action) return undefined
  return (index: number) => {
    const row = rows[index]
    if (row && !action.hidden?.(row) && !isReason(action.disabled?.(row))) action.onClick?.(row)
  }
}

/** Takes the place of the rows that are not rendered. */
function Spacer({ height, columns }: { height: number; columns: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus by itself
    <tr aria-hidden="true" className={css.spacer}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}

function EmptyTable({ texts, filtered, empty }: { texts: TableTexts; filtered: boolean; empty: ReactNode }) {
  const t = useT()
  if (filtered) return <EmptyState title={t(texts.noMatch)} />
  return empty ?? <EmptyState title={t(texts.empty)}>{texts.emptyHint && t(texts.emptyHint)}</EmptyState>
}

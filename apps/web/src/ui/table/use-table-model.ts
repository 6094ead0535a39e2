import {
  columnVisibilityFeature,
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { useSearchParam } from '../../lib/navigation/navigate.ts'
import type { Column } from './types.ts'

// Only the features in use, so that no others are bundled.
const features = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
})

export interface SortOrder {
  key: string
  desc: boolean
}

/** Parses the search parameter: `size` is ascending, `-size` descending. */
export function parseSort(text: string | undefined, fallback: SortOrder | undefined): SortOrder | undefined {
  if (!text) return fallback
  return text.startsWith('-') ? { key: text.slice(1), desc: true } : { key: text, desc: false }
}

function fieldValue<Row>(row: Row, key: string): string | number {
  const value = (row as Record<string, unknown>)[key]
  return typeof value === 'number' ? value : String(value ?? '')
}

/** The name of the search parameter with a table's sort order. */
export const sortParam = (table: string) => `${table}.sort`

/** Sorts and hides columns. The sort order is kept in the URL, the visible columns in local storage. */
export function useTableModel<Row extends object>(o: {
  name: string
  rows: readonly Row[]
  columns: Column<Row>[]
  defaultSort?: SortOrder | undefined
  sortable: boolean
}) {
  const [sortText, setSortText] = useSearchParam(sortParam(o.name))
  const sort = o.sortable ? parseSort(sortText, o.defaultSort) : undefined
  const [visibility, setVisibility] = useVisibility(o.name, o.columns)

  const columns = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return helper.columns(
      o.columns.map((column) =>
        helper.accessor((row) => column.value?.(row) ?? fieldValue(row, column.key), {
          id: column.key,
          enableSorting: column.sortable !== false,
          enableHiding: column.fixed !== true,
          sortFn: (column.numeric ?? column.align === 'right') ? 'basic' : 'alphanumeric',
        }),
      ),
    )
  }, [o.columns])

  const { key, desc = false } = sort ?? {}
  const sorting = useMemo(() => {
    const column = o.columns.find((each) => each.key === key)
    return column && !(column.inOrder && !desc) ? [{ id: column.key, desc }] : []
  }, [key, desc, o.columns])
  const table = useTable(
    { features, columns, data: o.rows, state: { sorting, columnVisibility: visibility } },
    (state) => ({ sorting: state.sorting, columnVisibility: state.columnVisibility }),
  )
  const visible = useMemo(() => o.columns.filter((column) => visibility[column.key] !== false), [o.columns, visibility])
  // Without a sort order, the model would only wrap each row of a long list.
  const sorted = sorting.length > 0 ? table.getRowModel() : undefined
  const rows = useMemo(() => sorted?.rows.map((row) => row.original) ?? o.rows, [sorted, o.rows])
  return {
    rows,
    visible,
    sort,
    setSort: (key: string) => {
      const desc = sort?.key === key && !sort.desc
      setSortText(desc ? `-${key}` : key === o.defaultSort?.key && !o.defaultSort.desc ? undefined : key)
    },
    setVisible: (key: string, on: boolean) => setVisibility({ ...visibility, [key]: on }),
    isVisible: (key: string) => visibility[key] !== false,
  }
}

/** Keeps the visible columns in local storage, because they are a preference of this browser and not part of the page's URL. */
function useVisibility<Row>(name: string, columns: Column<Row>[]) {
  const storageKey = `stowage.columns.${name}`
  const [kept, setKept] = useState<Record<string, boolean>>(() => readStoredVisibility(storageKey))
  const visibility = useMemo(
    () => ({ ...Object.fromEntries(columns.filter((c) => c.hidden).map((c) => [c.key, false])), ...kept }),
    [columns, kept],
  )
  const set = (next: Record<string, boolean>) => {
    setKept(next)
    localStorage.setItem(storageKey, JSON.stringify(next))
  }
  return [visibility, set] as const
}

function readStoredVisibility(storageKey: string): Record<string, boolean> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, boolean>
  } catch {
    // The stored value is invalid (edited by hand): use the default columns.
    return {}
  }
}

import { useDebouncedCallback } from '@mantine/hooks'
import { useDeferredValue, useMemo, useState } from 'react'
import { currentPathname, useSearchParam } from '../../lib/navigation/navigate.ts'
import type { FilterOptions } from './types.ts'

/** Delay between the last keystroke and the update of the URL (ms). */
const SETTLE_MS = 200

/** The name of the search parameter with a table's filter; each table on a page has its own. */
export const filterParam = (table: string) => `${table}.filter`

/** Keeps the filter text: it applies immediately, and the URL is updated a moment later. */
export function useFilter<Row>(table: string, filter: FilterOptions<Row> | undefined) {
  const [inAddress, setInAddress] = useSearchParam(filterParam(table))
  const [text, setText] = useState(inAddress ?? '')
  const onChange = filter?.onChange
  const settle = useDebouncedCallback((settled: string, page: string) => {
    // Ignored if the user has already left the page: the next page may not have this filter.
    if (page !== currentPathname()) return
    setInAddress(settled === '' ? undefined : settled)
    onChange?.(settled)
  }, SETTLE_MS)
  const type = (typed: string) => {
    setText(typed)
    settle(typed, currentPathname())
  }
  return [text, type] as const
}

/** Returns the matching rows; for a long list the result may lag behind the input. */
export function useFilteredRows<Row>(
  rows: readonly Row[],
  text: string,
  filter: FilterOptions<Row> | undefined,
  rowId: (row: Row) => string,
): readonly Row[] {
  const wanted = useDeferredValue(text.trim().toLowerCase())
  const rowText = filter?.text ?? rowId
  const also = filter?.also
  const elsewhere = filter?.onChange !== undefined
  return useMemo(() => {
    if ((wanted === '' || elsewhere) && !also) return rows
    return rows.filter(
      (row) => (elsewhere || wanted === '' || rowText(row).toLowerCase().includes(wanted)) && (!also || also(row)),
    )
  }, [rows, wanted, rowText, also, elsewhere])
}

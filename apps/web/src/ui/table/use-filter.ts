import { useDebouncedCallback } from '@mantine/hooks'
import { useDeferredValue, useMemo, useState } from 'react'
import { currentPathname, useSearchParam } from '../../lib/navigation/navigate.ts'
import type { FilterOptions } from './types.ts'

/** Time after the last key until the text stands in the address (ms). */
const SETTLE_MS = 200

/** The filter's text: at once in the list, a moment later in the address. */
export function useFilter<Row>(filter: FilterOptions<Row> | undefined) {
  const [inAddress, setInAddress] = useSearchParam('filter')
  const [text, setText] = useState(inAddress ?? '')
  const onChange = filter?.onChange
  const settle = useDebouncedCallback((settled: string, page: string) => {
    // Who typed and left at once is already on the way to a page that this filter is none of.
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

/** The rows that pass; a long list may lag a moment behind the keys. */
export function useFiltered<Row>(
  rows: Row[],
  text: string,
  filter: FilterOptions<Row> | undefined,
  rowId: (row: Row) => string,
): Row[] {
  const wanted = useDeferredValue(text.trim().toLowerCase())
  const textOf = filter?.text ?? rowId
  const also = filter?.also
  const elsewhere = filter?.onChange !== undefined
  return useMemo(() => {
    if ((wanted === '' || elsewhere) && !also) return rows
    return rows.filter(
      (row) => (elsewhere || wanted === '' || textOf(row).toLowerCase().includes(wanted)) && (!also || also(row)),
    )
  }, [rows, wanted, textOf, also, elsewhere])
}

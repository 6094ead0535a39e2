import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useSearchParam } from '../../lib/navigate.ts'
import type { FilterOptions } from './types.ts'

/** The filter's text: at once in the list, a moment later in the address. */
export function useFilter<Row>(filter: FilterOptions<Row> | undefined) {
  const [inAddress, setInAddress] = useSearchParam('filter')
  const [text, setText] = useState(inAddress ?? '')
  const onChange = filter?.onChange
  const settle = useCallback(
    (settled: string) => {
      setInAddress(settled === '' ? undefined : settled)
      onChange?.(settled)
    },
    [setInAddress, onChange],
  )
  return [text, setText, settle] as const
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

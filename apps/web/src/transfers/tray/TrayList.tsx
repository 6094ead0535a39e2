import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { focusItem, lostFocusIndex } from '../../ui/keyboard/restore-focus.ts'
import type { Transfer } from '../list/types.ts'
import { JobRow } from './JobRow.tsx'
import { idsWithSameName } from './same-names.ts'
import css from './tray.module.css'
import { UploadRow } from './UploadRow.tsx'

/** The height of a row without extra lines (px). */
const ROW = 78

/** The rows. Only those in view are rendered, because uploading a folder can create thousands of transfers. */
export function TrayList({ list }: { list: readonly Transfer[] }) {
  const scroll = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: list.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    getItemKey: (index) => list[index]?.id ?? index,
    overscan: 4,
  })
  const namesakes = useMemo(() => idsWithSameName(list), [list])
  // Cancel and Retry remove their own button or the whole row: move the focus.
  const rows = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const at = lostFocusIndex(rows.current)
    if (rows.current && at !== undefined) focusItem(rows.current, at)
  })
  return (
    <div ref={scroll} className={css.scroll}>
      <ul ref={rows} style={{ height: virtual.getTotalSize() }} className={css.list}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const transfer = list[index]
          if (!transfer) return null
          const whole = namesakes.has(transfer.id)
          return (
            <li
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              style={{ transform: `translateY(${start}px)` }}
            >
              {transfer.kind === 'upload' ? (
                <UploadRow upload={transfer} whole={whole} />
              ) : (
                <JobRow job={transfer} whole={whole} />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

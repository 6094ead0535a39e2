import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../../../../lib/cx.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import css from '../../styles/object-detail.module.css'
import type { VersionRow } from './use-versions.ts'

/** The height of a row (px). */
const ROW = 52
/** Rows beyond the view that are drawn. */
const OVERSCAN = 10

interface VersionListProps {
  versions: readonly VersionRow[]
  /** Reads the next page when the user comes near the end; undefined if there is none, or if it must not be read. */
  readOn: (() => Promise<unknown>) | undefined
  children: (version: VersionRow) => ReactNode
}

/** The versions of an object. Only those in view are drawn, because an object may have 100,000. It scrolls with its drawer. */
export function VersionList({ versions, readOn, children }: VersionListProps) {
  const t = useT()
  const list = useRef<HTMLUListElement>(null)
  const scroller = () => list.current?.closest('[data-scroll]') ?? null
  const [scrollMargin, setScrollMargin] = useState(0)
  // The buttons above the list may wrap, which moves it.
  useLayoutEffect(() => {
    const box = scroller()
    if (!box || !list.current) return
    setScrollMargin(list.current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop)
  })
  const virtual = useVirtualizer({
    count: versions.length,
    getScrollElement: scroller,
    estimateSize: () => ROW,
    getItemKey: (index) => versions[index]?.version_id ?? index,
    overscan: OVERSCAN,
    scrollMargin,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  const near = last >= 0 && last >= versions.length - 1 - OVERSCAN
  useEffect(() => {
    if (near) void readOn?.()
  }, [near, readOn])
  return (
    <ul
      ref={list}
      className={cx(css.versions, css.inView)}
      style={{ height: virtual.getTotalSize() }}
      aria-label={t('Versions')}
    >
      {items.map(({ index, key, start }) => {
        const version = versions[index]
        return (
          version && (
            <li
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              aria-setsize={readOn ? -1 : versions.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - scrollMargin}px)` }}
            >
              {children(version)}
            </li>
          )
        )
      })}
    </ul>
  )
}

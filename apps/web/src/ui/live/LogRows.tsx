import type { Virtualizer } from '@tanstack/react-virtual'
import type { ReactNode, RefObject, UIEvent } from 'react'
import type { LiveRow } from '../../lib/api/live-stream.ts'
import { cx } from '../../lib/cx.ts'
import { useT } from '../../lib/text/i18n.ts'
import { StatusIcon } from '../icons/StatusIcon.tsx'
import { gapText } from './gap-text.ts'
import css from './log.module.css'

interface LogRowsProps<Message> {
  rows: readonly LiveRow<Message>[]
  virtual: Virtualizer<HTMLDivElement, Element>
  scroll: RefObject<HTMLDivElement | null>
  onScroll?: (event: UIEvent<HTMLElement>) => void
  /** The class of the scrolling box; `rowClassName` is the class of each row. */
  className?: string | undefined
  rowClassName?: string | undefined
  children: (message: Message) => ReactNode
}

/** The rows of a log, rendered as they scroll into view. A gap in the stream is a separate row. */
export function LogRows<Message>(props: LogRowsProps<Message>) {
  const { rows, virtual, scroll, onScroll, className, rowClassName, children } = props
  const t = useT()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section ref={scroll} className={className} aria-label={t('Log')} tabIndex={0} onScroll={onScroll}>
      <ol className={css.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index]
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={cx(css.row, rowClassName)}
              style={{ transform: `translateY(${start}px)` }}
            >
              {row?.gap && (
                <StatusIcon state="warn" sentence>
                  {gapText(row.gap)}
                </StatusIcon>
              )}
              {row?.message !== undefined && children(row.message)}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

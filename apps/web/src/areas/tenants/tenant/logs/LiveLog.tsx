import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { LiveStream, LiveView } from '../../../../lib/api/live-stream.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { EmptyState, ErrorState } from '../../../../ui/feedback/states.tsx'
import { LogRows } from '../../../../ui/live/LogRows.tsx'
import { LogTools } from '../../../../ui/live/LogTools.tsx'
import { LogLineText, stripEscapeCodes } from './LogLineText.tsx'
import css from './log.module.css'

/** The height of a line that is not wrapped (px). */
const LINE_HEIGHT = 18
/** If the user has scrolled this close to the end, the log scrolls to new lines (px). */
const NEAR_END_PX = 24

export interface TenantLogLine {
  /** Undefined if there is only one pod. */
  pod?: string
  line: string
}

interface LiveLogProps<Message> {
  stream: LiveStream<Message>
  view: LiveView<Message>
  toLine: (message: Message) => TenantLogLine
  /** The name of the saved file, without extension. */
  file: string
  /** Controls to select the log. */
  tools?: ReactNode
}

/** A live log. The newest line is at the end and is kept in view until the user scrolls up. */
export function LiveLog<Message>({ stream, view, toLine, file, tools }: LiveLogProps<Message>) {
  const t = useT()
  const [marked, setMarked] = useState('')
  const scroll = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const { rows } = view
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const newest = rows.at(-1)?.id
  useEffect(() => {
    if (newest !== undefined && atEnd.current) virtual.scrollToIndex(virtual.options.count - 1, { align: 'end' })
  }, [newest, virtual])
  return (
    <>
      <LogTools
        stream={stream}
        view={view}
        highlight={marked}
        onHighlight={setMarked}
        file={file}
        lineText={(message) => lineText(toLine(message))}
      >
        {tools}
      </LogTools>
      {view.status === 'failed' ? (
        <ErrorState error={view.failure} onRetry={() => stream.start()} />
      ) : rows.length === 0 ? (
        <EmptyState title={t('No log lines yet')}>{t('Lines appear here as they are written.')}</EmptyState>
      ) : (
        <LogRows
          rows={rows}
          virtual={virtual}
          scroll={scroll}
          className={css.lines}
          rowClassName={css.item}
          onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
            atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX
          }}
        >
          {(message) => <LogLineText {...toLine(message)} marked={marked} />}
        </LogRows>
      )}
    </>
  )
}

const lineText = ({ pod, line }: TenantLogLine) =>
  pod === undefined ? stripEscapeCodes(line) : `${pod} ${stripEscapeCodes(line)}`

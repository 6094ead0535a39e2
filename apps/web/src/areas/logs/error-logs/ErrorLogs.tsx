import { Select } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useT } from '../../../lib/text/i18n.ts'
import { EmptyState, ErrorState } from '../../../ui/feedback/states.tsx'
import { LogRows } from '../../../ui/live/LogRows.tsx'
import { LogTools } from '../../../ui/live/LogTools.tsx'
import { useLiveStream } from '../../../ui/live/use-live-stream.ts'
import css from '../logs.module.css'
import { LogEntry } from './LogEntry.tsx'
import { logLevel, logLevels, logLines } from './log-lines.ts'

/** The estimated height of an entry before it is measured (px). */
const ENTRY_HEIGHT = 36

/** The live log of the storage server, from when the page is opened until it is left. */
export function ErrorLogs() {
  const t = useT()
  const { stream, view } = useLiveStream('consoleLog', () => ({ query: { logType: 'all' } }))
  useEffect(() => stream.start(), [stream])
  const [highlight, setHighlight] = useState('')
  const [level, setLevel] = useState<string | null>(null)
  const [node, setNode] = useState<string | null>(null)
  const scroll = useRef<HTMLDivElement>(null)

  const nodes = useMemo(
    () => [...new Set(view.rows.flatMap(({ message }) => (message?.node ? [message.node] : [])))].sort(),
    [view.rows],
  )
  const entries = useMemo(
    () =>
      view.rows
        .filter(
          ({ message }) =>
            !message || ((level === null || logLevel(message) === level) && (node === null || message.node === node)),
        )
        // Newest first, so that new entries are visible without scrolling.
        .reverse(),
    [view.rows, level, node],
  )
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ENTRY_HEIGHT,
    overscan: 10,
    getItemKey: (index) => entries[index]?.id ?? index,
  })
  if (view.status === 'failed')
    return <ErrorState error={view.failure} onRetry={() => stream.start()} needs={{ action: 'admin:ConsoleLog' }} />
  return (
    <>
      <LogTools
        stream={stream}
        view={view}
        highlight={highlight}
        onHighlight={setHighlight}
        file="log"
        lineText={(message) => logLines(message).join('\n')}
      >
        <Select
          aria-label={t('Level')}
          placeholder={t('All levels')}
          data={[...logLevels]}
          w={140}
          clearable
          value={level}
          onChange={setLevel}
        />
        {nodes.length > 1 && (
          <Select
            aria-label={t('Server')}
            placeholder={t('All servers')}
            data={nodes}
            w={200}
            clearable
            value={node}
            onChange={setNode}
          />
        )}
      </LogTools>
      {entries.length === 0 ? (
        <EmptyState title={t('No log lines yet')}>
          {t('Shows the latest lines of the server, followed by new ones.')}
        </EmptyState>
      ) : (
        <LogRows rows={entries} virtual={virtual} scroll={scroll} className={css.log} rowClassName={css.entry}>
          {(message) => <LogEntry message={message} highlight={highlight} />}
        </LogRows>
      )}
    </>
  )
}

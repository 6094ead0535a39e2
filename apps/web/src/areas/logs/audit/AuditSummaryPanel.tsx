import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { localTimeField } from '../../../lib/text/date-fields.ts'
import { formatCount, formatDateTime } from '../../../lib/text/format.ts'
import { type Message, msg, plural, useT } from '../../../lib/text/i18n.ts'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { arrowKeyIndex } from '../../../ui/keyboard/arrow-key-index.ts'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import { type AuditFilterField, type AuditFilters, auditFilterQuery, exactPattern } from './audit-query.ts'
import css from './audit-summary.module.css'

type Summary = Output<'summarizeLogs'>

interface AuditSummaryPanelProps {
  filters: AuditFilters
  /** Called with narrower filters. */
  onNarrow: (filters: AuditFilters) => void
}

/**
 * The number of records over time, and the most frequent users, buckets and calls. A click on any of them narrows the filters.
 */
export function AuditSummaryPanel({ filters, onNarrow }: AuditSummaryPanelProps) {
  const query = useQuery({
    ...q('summarizeLogs', { query: auditFilterQuery(filters) }),
    // The summary stays while a narrower one is loaded, so that the histogram keeps the focus.
    placeholderData: (before) => before,
  })
  return (
    <QueryView query={query}>
      {(summary) =>
        summary.total > 0 && (
          <div className={css.summary}>
            <Histogram summary={summary} onNarrow={onNarrow} />
            {TOP_LISTS.map(({ name, label, field }) => (
              <TopList
                key={name}
                label={label}
                values={summary[name]}
                onChoose={(value) => onNarrow({ [field]: exactPattern(value) })}
              />
            ))}
          </div>
        )
      }
    </QueryView>
  )
}

const TOP_LISTS: readonly { name: 'users' | 'buckets' | 'calls'; label: Message; field: AuditFilterField }[] = [
  { name: 'users', label: msg('Top users'), field: 'user' },
  { name: 'buckets', label: msg('Top buckets'), field: 'bucket' },
  { name: 'calls', label: msg('Top calls'), field: 'api_name' },
]

/**
 * A bar sets the start and end time to its interval. All bars together are one tab stop: the arrow keys move among them, Enter
 * chooses one.
 */
function Histogram({ summary, onNarrow }: { summary: Summary; onNarrow: AuditSummaryPanelProps['onNarrow'] }) {
  const t = useT()
  const id = useId()
  const [moved, setMoved] = useState<number>()
  const [hasFocus, setHasFocus] = useState(false)
  const { counts, step, total, searched_to: searchedTo } = summary
  const first = counts[0]?.time ?? 0
  const slots = Math.round(((counts.at(-1)?.time ?? 0) - first) / step) + 1
  const most = Math.max(...counts.map(({ count }) => count))
  // A narrower summary may have fewer bars. The newest is where the list below begins.
  const current = Math.min(moved ?? counts.length, counts.length - 1)
  const choose = ({ time }: Summary['counts'][number]) =>
    onNarrow({
      timeStart: localTimeField(new Date(time * 1000)),
      timeEnd: localTimeField(new Date((time + step) * 1000)),
    })
  const barText = ({ time, count, errors }: Summary['counts'][number]) =>
    t('{{time}}: {{count}} records, {{errors}} errors', {
      time: formatDateTime(new Date(time * 1000)),
      count: formatCount(count),
      errors: formatCount(errors),
    })
  const bar = counts[current]
  const press = (event: KeyboardEvent) => {
    const chosen = event.key === 'Enter' || event.key === ' '
    const next = arrowKeyIndex(event.key, current, counts.length)
    if (!chosen && next === undefined) return
    event.preventDefault()
    setMoved(next)
    if (chosen && bar) choose(bar)
  }
  return (
    <section className={css.histogram} aria-label={t('Records over time')}>
      <h2 className={css.label}>
        {searchedTo === undefined
          ? t(plural('{{count}} record', '{{count}} records'), { count: total })
          : t(plural('{{count}} record since {{time}}', '{{count}} records since {{time}}'), {
              count: total,
              time: formatDateTime(searchedTo),
            })}
      </h2>
      <div
        role="listbox"
        tabIndex={0}
        aria-label={t('Records over time')}
        aria-orientation="horizontal"
        aria-activedescendant={`${id}${current}`}
        className={css.bars}
        style={{ gridTemplateColumns: `repeat(${slots}, minmax(1px, 1fr))` }}
        onKeyDown={press}
        onFocus={(event) => setHasFocus(event.currentTarget.matches(':focus-visible'))}
        onBlur={() => setHasFocus(false)}
      >
        {counts.map((each, n) => {
          const { time, count, errors } = each
          const text = barText(each)
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
            <div
              key={time}
              id={`${id}${n}`}
              role="option"
              tabIndex={-1}
              aria-selected={n === current}
              className={css.bar}
              style={{ gridColumn: Math.round((time - first) / step) + 1 }}
              title={text}
              aria-label={text}
              // Otherwise it takes the focus, and narrowing removes it.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(each)}
            >
              <i style={{ height: `${(count / most) * 100}%` }}>
                <b style={{ height: `${(errors / count) * 100}%` }} />
              </i>
            </div>
          )
        })}
      </div>
      <div className={css.ends}>
        {hasFocus && bar ? (
          <strong>{barText(bar)}</strong>
        ) : (
          <>
            <span>{formatDateTime(new Date(first * 1000))}</span>
            <span>{formatDateTime(new Date((first + slots * step) * 1000))}</span>
          </>
        )}
      </div>
    </section>
  )
}

interface TopListProps {
  label: Message
  values: Summary['users']
  onChoose: (value: string) => void
}

function TopList({ label, values, onChoose }: TopListProps) {
  const t = useT()
  const most = values[0]?.count ?? 1
  return (
    <section className={css.top} aria-label={t(label)}>
      <h2 className={css.label}>{t(label)}</h2>
      {values.length === 0 && <span className="ink-3">–</span>}
      <ol className={css.values}>
        {values.slice(0, 5).map(({ value, count }) => (
          <li key={value}>
            <i style={{ width: `${(count / most) * 100}%` }} />
            <button type="button" className="link truncate" title={value} onClick={() => onChoose(value)}>
              <ObjectName name={value} />
            </button>
            <span className="figures">{formatCount(count)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

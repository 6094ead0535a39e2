import { shortDurationText } from '../../lib/text/clock-time.ts'
import { formatCount, formatPercent } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import { callFigures } from './call-figures.ts'
import css from './trace.module.css'
import type { TraceRow } from './trace-rows.ts'

/** Rate, durations and errors of the last ten seconds, in total and for the most frequent calls. */
export function TraceSummary({ rows, live }: { rows: readonly TraceRow[]; live: boolean }) {
  const t = useT()
  const newest = rows.find(({ message }) => message)?.message?.time
  const figures = callFigures(rows, live ? Date.now() : Date.parse(newest ?? ''))
  if (figures[0]?.p50Ns === 0) return null
  return (
    <dl className={css.summary} aria-label={t('Figures of the last 10 seconds')}>
      {figures.map(({ name, perSecond, p50Ns, p99Ns, errors }) => (
        <div key={name}>
          <dt>
            <span className="truncate">{name === '' ? t('All') : name}</span>
            {errors > 0 && (
              <StatusIcon state="bad">{t('{{share}} errors', { share: formatPercent(errors) })}</StatusIcon>
            )}
          </dt>
          <dd>
            <span className={css.rate}>
              {t('{{count}}/s', { count: formatCount(Math.round(perSecond * 10) / 10) })}
            </span>
            <span className="ink-2">
              {t('p50 {{p50}}, p99 {{p99}}', { p50: shortDurationText(p50Ns), p99: shortDurationText(p99Ns) })}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

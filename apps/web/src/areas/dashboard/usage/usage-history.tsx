import { Select } from '@mantine/core'
import type { Output } from '@stowage/contract'
import { useMemo } from 'react'
import { useSearchParam } from '../../../lib/navigation/navigate.ts'
import { formatCount, formatDuration, formatSize } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Cell, CellNote, CellValue } from '../../../ui/page/Cell.tsx'
import { LineChart, LineSwatch } from '../board/LineChart.tsx'
import type { ChartLine } from '../board/widget-values.ts'
import css from './usage.module.css'
import { growthText } from './usage-texts.ts'

type Usage = Output<'getBucketUsage'>
type UsageValue = Usage['values'][number]

/** The ranges to choose from (days). The history goes back five years. */
const DAY_RANGES = [7, 30, 90, 365, 1825] as const
const DEFAULT_DAYS = 30
const DAY = 86_400

/** Returns the range from the URL (days). */
export function useUsageDays(): number {
  const [days] = useSearchParam('days')
  return DAY_RANGES.find((each) => String(each) === days) ?? DEFAULT_DAYS
}

export function UsageDaysSelect() {
  const t = useT()
  const days = useUsageDays()
  const [, setDays] = useSearchParam('days')
  return (
    <div className={css.head}>
      <Select
        aria-label={t('Time range')}
        w={156}
        allowDeselect={false}
        data={DAY_RANGES.map((each) => ({
          value: String(each),
          // A year and a month as such, not in days.
          label: t('Last {{time}}', { time: formatDuration((each >= 365 ? each + 1 : each) * DAY) }),
        }))}
        value={String(days)}
        onChange={(value) => setDays(value === String(DEFAULT_DAYS) ? undefined : (value ?? undefined))}
      />
    </div>
  )
}

/** The growth in 7, 30 and 90 days. */
export function GrowthCells({ growth }: { growth: Usage['growth'] }) {
  const t = useT()
  const cells = [
    [t('Growth in 7 days'), growth.days7],
    [t('Growth in 30 days'), growth.days30],
    [t('Growth in 90 days'), growth.days90],
  ] as const
  return cells.map(([label, bytes]) => (
    <Cell key={label} label={label}>
      <CellValue>{growthText(bytes)}</CellValue>
      {bytes === null && <CellNote>{t('The history does not go back that far.')}</CellNote>}
    </Cell>
  ))
}

/** Charts of size, objects and versions over time. */
export function UsageCharts({ values, days }: { values: readonly UsageValue[]; days: number }) {
  const t = useT()
  const times = useMemo(() => values.map(({ time }) => time), [values])
  const size = useMemo(() => [{ label: t('Size'), values: values.map((each) => each.size) }], [values, t])
  const counts = useMemo(
    () => [
      { label: t('Objects'), values: values.map((each) => each.objects) },
      { label: t('Versions'), values: values.map((each) => each.versions) },
    ],
    [values, t],
  )
  if (values.length === 0) return <p className={css.none}>{t('Nothing was recorded in this time.')}</p>
  const end = times.at(-1) ?? 0
  const range = { times, start: Math.min(end - days * DAY, times[0] ?? 0), end }
  return (
    <div className={css.charts}>
      <UsageChart {...range} title={t('Size')} lines={size} unit="bytes" format={formatSize} />
      <UsageChart {...range} title={t('Objects and versions')} lines={counts} unit="count" format={formatCount} />
    </div>
  )
}

interface UsageChartProps {
  title: string
  times: number[]
  lines: ChartLine[]
  unit: 'bytes' | 'count'
  format: (value: number) => string
  start: number
  end: number
}

function UsageChart({ title, lines, format, ...chart }: UsageChartProps) {
  const t = useT()
  const values = lines.flatMap((line) => line.values).filter((value) => value !== null)
  const label = t('{{title}}: {{count}} lines, least {{least}}, most {{most}}, last {{last}}', {
    title,
    count: lines.length,
    least: format(values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)),
    most: format(values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)),
    last: format(lines[0]?.values.at(-1) ?? 0),
  })
  return (
    <section className={css.chart} aria-label={title}>
      <h2 className={css.title}>
        {title}
        {lines.length > 1 &&
          lines.map((line, n) => (
            <span key={line.label} className={css.legend}>
              <LineSwatch n={n} />
              {line.label}
            </span>
          ))}
      </h2>
      <LineChart {...chart} lines={lines} label={label} format={format} fromZero />
    </section>
  )
}

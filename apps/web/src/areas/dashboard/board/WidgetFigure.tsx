import { useT } from '../../../lib/text/i18n.ts'
import css from './board.module.css'
import type { BoardRange } from './board-range.ts'
import { LineChart, LineSwatch } from './LineChart.tsx'
import { CapacityPie, HorizontalBars } from './pie-and-bars.tsx'
import { formatUnitParts } from './widget-units.ts'
import { type ChartLine, shortenLabels, type WidgetData } from './widget-values.ts'
import type { BoardWidget } from './widgets.ts'

interface WidgetFigureProps {
  definition: BoardWidget
  data: WidgetData
  range: BoardRange
}

/** The chart or figure of a widget, according to its kind. */
export function WidgetFigure({ definition, data, range }: WidgetFigureProps) {
  const t = useT()
  if (data.kind === 'share') return <CapacityPie free={data.free} total={data.total} />
  if (data.kind === 'bars') return <HorizontalBars bars={data.bars} />
  if (data.kind === 'value') {
    const { value, unit } = formatUnitParts(data.value, definition.unit)
    return (
      <p className={css.value}>
        {value}
        {unit !== undefined && <span className={css.unit}> {unit}</span>}
      </p>
    )
  }
  const values = data.lines.flatMap((line) => line.values).filter((value) => value !== null)
  const label = t('{{title}}: {{count}} lines, least {{least}}, most {{most}}, last {{last}}', {
    title: t(definition.title),
    count: data.lines.length,
    least: definition.format(values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)),
    most: definition.format(values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)),
    last: definition.format(data.lines[0]?.values.findLast((value) => value !== null) ?? 0),
  })
  return (
    <LineChart
      times={data.times}
      lines={data.lines}
      label={label}
      unit={definition.unit}
      format={definition.format}
      fromZero={definition.axisFromZero}
      start={range.start}
      end={range.end}
    />
  )
}

/** The number of lines named beside the title; the tooltip and the table list all. */
const MAX_LEGEND_LINES = 3

export function ChartLegend({ lines }: { lines: readonly ChartLine[] }) {
  const t = useT()
  const rest = lines.length - MAX_LEGEND_LINES
  const names = shortenLabels(lines.map(({ label }) => label))
  // A single line is already named by the title.
  if (lines.length < 2) return null
  return (
    <ul className={css.legend} aria-hidden="true">
      {lines.slice(0, MAX_LEGEND_LINES).map(({ label }, n) => (
        <li key={label} title={label}>
          <LineSwatch n={n} />
          <span>{names[n]}</span>
        </li>
      ))}
      {rest > 0 && <li className={css.more}>{t('{{count}} more', { count: rest })}</li>}
    </ul>
  )
}

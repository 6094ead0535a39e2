import { useT } from '../../../lib/text/i18n.ts'
import css from './board.module.css'
import { LineChart, Swatch } from './LineChart.tsx'
import type { ShownRange } from './range.ts'
import { Bars, CapacityPie } from './Shapes.tsx'
import { unitParts } from './units.ts'
import { type Line, shortened, type WidgetData } from './values.ts'
import { fromZero, type WidgetDefinition } from './widgets.ts'

interface WidgetFigureProps {
  definition: WidgetDefinition
  data: WidgetData
  range: ShownRange
}

/** The chart or figure of a widget, according to its kind. */
export function WidgetFigure({ definition, data, range }: WidgetFigureProps) {
  const t = useT()
  if (data.kind === 'share') return <CapacityPie free={data.free} total={data.total} />
  if (data.kind === 'bars') return <Bars bars={data.bars} />
  if (data.kind === 'value') {
    const { value, unit } = unitParts(data.value, definition.unit)
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
      fromZero={fromZero(definition)}
      start={range.start}
      end={range.end}
    />
  )
}

/** The number of lines named beside the title; the tooltip and the table list all. */
const NAMED = 3

export function Legend({ lines }: { lines: readonly Line[] }) {
  const t = useT()
  const rest = lines.length - NAMED
  const names = shortened(lines.map(({ label }) => label))
  // A single line is already named by the title.
  if (lines.length < 2) return null
  return (
    <ul className={css.legend} aria-hidden="true">
      {lines.slice(0, NAMED).map(({ label }, n) => (
        <li key={label} title={label}>
          <Swatch n={n} />
          <span>{names[n]}</span>
        </li>
      ))}
      {rest > 0 && <li className={css.more}>{t('{{count}} more', { count: rest })}</li>}
    </ul>
  )
}

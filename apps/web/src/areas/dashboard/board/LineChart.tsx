import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { WidgetUnit } from '@stowage/contract/admin/dashboard-widgets'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatDateTime } from '../../../lib/text/format.ts'
import { arrowKeyIndex } from '../../../ui/keyboard/arrow-key-index.ts'
import css from './chart.module.css'
import { chartOptions, lineStyle } from './chart-options.ts'
import type { ChartLines } from './widget-values.ts'

/** The number of lines listed in the tooltip; the others are in the table. */
const MAX_TOOLTIP_LINES = 10

interface LineChartProps extends ChartLines {
  /** The accessible name: the title with the last, lowest and highest value. */
  label: string
  unit: WidgetUnit
  format: (value: number) => string
  fromZero: boolean
  /** Seconds since 1970. */
  start: number
  end: number
}

/** A line chart over time. The arrow keys move along the values, which screen readers announce. */
export function LineChart({ times, lines, label, unit, format, fromZero, start, end }: LineChartProps) {
  const scheme = useComputedColorScheme()
  const { ref: frame, width, height } = useElementSize<HTMLDivElement>()
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const [index, setIndex] = useState<number | null>(null)
  const data = useMemo((): uPlot.AlignedData => [times, ...lines.map(({ values }) => values)], [times, lines])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read again when the colour scheme changes
  useEffect(() => {
    if (!host.current || width < 40 || height < 40) return
    const names = lines.map((line) => line.label)
    const options = chartOptions(host.current, { width, height, names, unit, fromZero, start, end, onIndex: setIndex })
    const made = new uPlot(options, data, host.current)
    plot.current = made
    return () => {
      made.destroy()
      plot.current = undefined
    }
  }, [data, lines, width, height, unit, fromZero, start, end, scheme])

  const move = (event: KeyboardEvent) => {
    const next = arrowKeyIndex(event.key, index, times.length)
    if (next === undefined) return
    event.preventDefault()
    const time = times[next] ?? 0
    plot.current?.setCursor({ left: plot.current.valToPos(time, 'x'), top: 0 })
    setIndex(next)
  }
  const shown = index === null ? undefined : times[index]
  return (
    <div className={css.chart}>
      <div ref={frame} className={css.frame}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move along its values */}
        <div ref={host} className={css.host} role="img" aria-label={label} tabIndex={0} onKeyDown={move} />
        {index !== null && shown !== undefined && (
          <div className={css.tooltip} role="status" data-side={isInRightHalf(index, times.length) ? 'left' : 'right'}>
            <div className={css.time}>{formatDateTime(shown)}</div>
            {valuesAt(lines, index)
              .slice(0, MAX_TOOLTIP_LINES)
              .map(({ name, value, n }) => (
                <div key={name} className={css.entry}>
                  <LineSwatch n={n} />
                  <span className={css.name}>{name}</span>
                  <span>{format(value)}</span>
                </div>
              ))}
          </div>
        )}
      </div>
    </div>
  )
}

/** The legend symbol of a line. */
export function LineSwatch({ n }: { n: number }) {
  const { color, dash } = lineStyle(n)
  return <i className={css.swatch} style={{ borderTopColor: color, borderTopStyle: dash ? 'dashed' : 'solid' }} />
}

const isInRightHalf = (index: number, count: number) => index > count / 2

function valuesAt(lines: ChartLines['lines'], index: number) {
  return lines
    .flatMap(({ label, values }, n) => {
      const value = values[index]
      return value == null ? [] : [{ name: label, value, n }]
    })
    .sort((a, b) => b.value - a.value)
}

import { saveText, timestampedFileName } from '../../../lib/save-text.ts'
import { t } from '../../../lib/text/i18n.ts'
import { type Message, msg } from '../../../lib/text/message.ts'
import { drawWidget } from './draw-widget.ts'
import type { WidgetData } from './widget-values.ts'
import type { BoardWidget } from './widgets.ts'

type WidgetTableRow = [head: number | Message, ...values: (number | null)[]]

/** Returns values as columns and rows. Rows of line charts begin with the time (seconds since 1970). */
export function widgetTable(data: WidgetData): { columns: string[]; rows: WidgetTableRow[] } {
  if (data.kind === 'lines') {
    return {
      columns: data.lines.map(({ label }) => label),
      rows: data.times.map((time, i): WidgetTableRow => [time, ...data.lines.map(({ values }) => values[i] ?? null)]),
    }
  }
  if (data.kind === 'bars')
    return { columns: [''], rows: data.bars.map(({ label, value }): WidgetTableRow => [label, value]) }
  if (data.kind === 'value') return { columns: [''], rows: [[msg('Value'), data.value]] }
  const total: WidgetTableRow[] = data.total === undefined ? [] : [[msg('Total'), data.total]]
  return { columns: [''], rows: [[msg('Free'), data.free], ...total] }
}

/** Quotes a CSV field. A text that looks like a formula is prefixed with a quote, so that no spreadsheet evaluates it. */
const quoteCsv = (text: string) => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`

export function widgetCsv({ title }: Pick<BoardWidget, 'title'>, data: WidgetData): string {
  const { columns, rows } = widgetTable(data)
  const head = [data.kind === 'lines' ? 'time' : 'name', ...columns.map((name) => name || title)].map(quoteCsv)
  const lines = rows.map(([first, ...values]) =>
    [
      typeof first === 'number' ? new Date(first * 1000).toISOString() : quoteCsv(first),
      ...values.map((value) => (value === null ? '' : String(value))),
    ].join(','),
  )
  return [head.join(','), ...lines, ''].join('\r\n')
}

const fileStem = (title: string) => title.toLowerCase().replaceAll(' ', '-')

export function saveWidgetCsv(definition: BoardWidget, data: WidgetData): void {
  saveText(timestampedFileName(fileStem(definition.title), 'csv'), 'text/csv', [widgetCsv(definition, data)])
}

/** Saves a widget as a picture, with its title and background colour. @param cell the element of the widget */
export function saveWidgetPicture(definition: BoardWidget, data: WidgetData, cell: HTMLElement): void {
  const picture = drawWidget(t(definition.title), definition, data, cell)
  const link = document.createElement('a')
  link.href = picture.toDataURL('image/png')
  link.download = timestampedFileName(fileStem(definition.title), 'png')
  link.click()
}

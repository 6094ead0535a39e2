import { t } from '../../../lib/text/i18n.ts'
import { type Message, msg } from '../../../lib/text/message.ts'
import { fileName, saveText } from '../../../ui/live/save-text.ts'
import { pictureOf } from './picture.ts'
import type { WidgetData } from './values.ts'
import type { WidgetDefinition } from './widgets.ts'

type Row = [head: number | Message, ...values: (number | null)[]]

/** Returns values as columns and rows. Rows of line charts begin with the time (seconds since 1970). */
export function tableOf(data: WidgetData): { columns: string[]; rows: Row[] } {
  if (data.kind === 'lines') {
    return {
      columns: data.lines.map(({ label }) => label),
      rows: data.times.map((time, i): Row => [time, ...data.lines.map(({ values }) => values[i] ?? null)]),
    }
  }
  if (data.kind === 'bars') return { columns: [''], rows: data.bars.map(({ label, value }): Row => [label, value]) }
  if (data.kind === 'value') return { columns: [''], rows: [[msg('Value'), data.value]] }
  const total: Row[] = data.total === undefined ? [] : [[msg('Total'), data.total]]
  return { columns: [''], rows: [[msg('Free'), data.free], ...total] }
}

/** Quotes a CSV field. A text that looks like a formula is prefixed with a quote, so that no spreadsheet evaluates it. */
const quoted = (text: string) => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`

export function csvOf({ title }: Pick<WidgetDefinition, 'title'>, data: WidgetData): string {
  const { columns, rows } = tableOf(data)
  const head = [data.kind === 'lines' ? 'time' : 'name', ...columns.map((name) => name || title)].map(quoted)
  const lines = rows.map(([first, ...values]) =>
    [
      typeof first === 'number' ? new Date(first * 1000).toISOString() : quoted(first),
      ...values.map((value) => (value === null ? '' : String(value))),
    ].join(','),
  )
  return [head.join(','), ...lines, ''].join('\r\n')
}

const stem = (title: string) => title.toLowerCase().replaceAll(' ', '-')

export function saveCsv(definition: WidgetDefinition, data: WidgetData): void {
  saveText(fileName(stem(definition.title), 'csv'), 'text/csv', [csvOf(definition, data)])
}

/** Saves a widget as a picture, with its title and background colour. @param cell the element of the widget */
export function savePicture(definition: WidgetDefinition, data: WidgetData, cell: HTMLElement): void {
  const picture = pictureOf(t(definition.title), definition, data, cell)
  const link = document.createElement('a')
  link.href = picture.toDataURL('image/png')
  link.download = fileName(stem(definition.title), 'png')
  link.click()
}

import { formatDateTime } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import css from './board.module.css'
import { widgetTable } from './save-widget.ts'
import type { WidgetData } from './widget-values.ts'
import type { BoardWidget } from './widgets.ts'

/** The values of a chart as table rows, newest first. */
export function ValuesTable({ definition, data }: { definition: BoardWidget; data: WidgetData }) {
  const t = useT()
  const { columns, rows } = widgetTable(data)
  const isTime = data.kind === 'lines'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard
    <div className={css.tableFrame} tabIndex={0}>
      <table className={css.table} aria-label={t(definition.title)}>
        <thead>
          <tr>
            <th scope="col">{isTime ? t('Time') : t('Name')}</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name || t('Value')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(([head, ...values]) => (
            <tr key={head}>
              <th scope="row">{typeof head === 'number' ? formatDateTime(head) : t(head)}</th>
              {values.map((value, i) => (
                <td key={columns[i]}>{value === null ? '–' : definition.format(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

import type { HealColumns, HealMessage } from '@stowage/contract'
import { formatCount, formatPercent } from '../../lib/text/format.ts'
import { type Message, msg, useT } from '../../lib/text/i18n.ts'
import { StatusIcon, type StatusIconState } from '../../ui/icons/StatusIcon.tsx'
import css from './heal.module.css'

export const HEALTH_COLOURS = [
  { column: 'Green', label: msg('Green'), mark: 'ok', className: css.green },
  { column: 'Yellow', label: msg('Yellow'), mark: 'warn', className: css.yellow },
  { column: 'Red', label: msg('Red'), mark: 'bad', className: css.red },
  { column: 'Grey', label: msg('Grey'), mark: 'unknown', className: css.grey },
] as const satisfies {
  column: keyof HealColumns
  label: Message
  mark: StatusIconState
  className: string | undefined
}[]

/** The health of the items before and after the heal, as bars and numbers. */
export function HealChart({ message }: { message: HealMessage }) {
  const t = useT()
  const { itemsScanned } = message
  const sides = [
    { label: t('Before'), columns: message.healthBeforeCols },
    { label: t('After'), columns: message.healthAfterCols },
  ]
  const columnShare = (columns: HealColumns, column: keyof HealColumns) =>
    (columns[column] ?? 0) / Math.max(1, itemsScanned)
  return (
    <section className={css.chart} aria-label={t("Item's Health Status [%]")}>
      <header className={css.legend}>
        <h2>{t("Item's Health Status [%]")}</h2>
        {HEALTH_COLOURS.map(({ column, label, mark }) => (
          <StatusIcon key={column} state={mark}>
            {t(label)}
          </StatusIcon>
        ))}
      </header>
      {sides.map(({ label, columns }) => (
        <div key={label} className={css.side}>
          <span className={css.sideName}>{label}</span>
          <div
            className={css.bar}
            role="img"
            aria-label={`${label}: ${HEALTH_COLOURS.map((each) => `${t(each.label)} ${formatPercent(columnShare(columns, each.column))}`).join(', ')}`}
          >
            {HEALTH_COLOURS.map(({ column, className }) => (
              <i key={column} className={className} style={{ flexGrow: columns[column] ?? 0 }} />
            ))}
          </div>
          <span className="figures">
            {t('{{share}} green', { share: formatPercent(columnShare(columns, 'Green')) })}
          </span>
        </div>
      ))}
      <table className={css.counts}>
        <thead>
          <tr>
            <td />
            {HEALTH_COLOURS.map(({ column, label }) => (
              <th key={column} scope="col">
                {t(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sides.map(({ label, columns }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {HEALTH_COLOURS.map(({ column }) => (
                <td key={column} className="figures">
                  {formatCount(columns[column] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

import { cx } from '../../lib/cx.ts'
import { formatPercent, formatSize } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import css from './Gauge.module.css'

/** The share of a limit from which it is marked as nearly reached. */
export const NEAR_LIMIT_SHARE = 0.9

interface GaugeProps {
  share: number
  /** The share that is used by others, in grey. */
  other?: number
  thick?: boolean
}

/** A bar that shows how much of a limit is used, with a tick at 90 %. Decorative: the figures beside it state the values. */
export function Gauge({ share, other = 0, thick }: GaugeProps) {
  return (
    <span
      className={cx(css.gauge, thick && css.thick, share + other >= NEAR_LIMIT_SHARE && css.warn)}
      aria-hidden="true"
    >
      {other > 0 && <i className={css.other} style={{ width: `${Math.min(100, (share + other) * 100)}%` }} />}
      <i style={{ width: `${Math.min(100, share * 100)}%` }} />
    </span>
  )
}

/** A limit in a table cell: gauge, percent, `of 10 TiB`. */
export function LimitUsage({ used, limit }: { used: number; limit: number }) {
  const t = useT()
  const share = limit > 0 ? used / limit : 1
  return (
    <span className={css.usage}>
      <Gauge share={share} />
      <span className={css.percent}>{formatPercent(share)}</span>
      <span className={css.of}>{t('of {{size}}', { size: formatSize(limit) })}</span>
    </span>
  )
}

/** A progress bar; `share` is undefined while the total is unknown. */
export function ProgressBar({
  share,
  state = 'run',
  label,
}: {
  share: number | undefined
  state?: 'run' | 'ok' | 'bad'
  label: string
}) {
  const percent = share === undefined ? undefined : Math.round(Math.min(1, share) * 100)
  return (
    <span
      className={cx(css.bar, css[state], percent === undefined && css.unknown)}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <i style={{ width: percent === undefined ? '30%' : `${percent}%` }} />
    </span>
  )
}

import { formatCount, formatPercent, formatSize } from '../../../lib/text/format.ts'
import { type Message, useT } from '../../../lib/text/i18n.ts'
import css from './chart.module.css'

const RADIUS = 44
const LENGTH = 2 * Math.PI * RADIUS

/** The used share of the capacity. If the total is unknown, the free space. */
export function CapacityPie({ free, total }: { free: number; total: number | undefined }) {
  const t = useT()
  const used = total === undefined ? undefined : Math.max(0, total - free)
  const share = used === undefined || !total ? 0 : used / total
  return (
    <div className={css.pie}>
      {used !== undefined && (
        <svg className={css.ring} viewBox="0 0 104 104" aria-hidden="true">
          <circle cx="52" cy="52" r={RADIUS} fill="none" stroke="var(--st-line)" strokeWidth="10" />
          <circle
            cx="52"
            cy="52"
            r={RADIUS}
            fill="none"
            stroke="var(--st-chart-1)"
            strokeWidth="10"
            strokeDasharray={`${share * LENGTH} ${LENGTH}`}
            transform="rotate(-90 52 52)"
          />
          <text x="52" y="52">
            {formatPercent(share)}
          </text>
        </svg>
      )}
      <dl className={css.parts}>
        {used !== undefined && (
          <div>
            <dt>{t('Used')}</dt>
            <dd>{formatSize(used)}</dd>
          </div>
        )}
        <div>
          <dt>{t('Free')}</dt>
          <dd>{formatSize(free)}</dd>
        </div>
      </dl>
    </div>
  )
}

export function HorizontalBars({ bars }: { bars: readonly { label: Message; value: number }[] }) {
  const t = useT()
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <dl className={css.bars}>
      {bars.map(({ label, value }) => (
        <Bar key={label} label={t(label)} value={value} share={value / most} />
      ))}
    </dl>
  )
}

function Bar({ label, value, share }: { label: string; value: number; share: number }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {/* Leaves 90 px for the figure beside it. */}
        <i style={{ width: `calc((100% - 90px) * ${share})`, minWidth: value > 0 ? 1 : 0 }} />
        {formatCount(value)}
      </dd>
    </>
  )
}

import { cx } from '../../../lib/cx.ts'
import { shortDurationText } from '../../../lib/text/clock-time.ts'
import { formatPercent } from '../../../lib/text/format.ts'
import { plural, type Translate, useT } from '../../../lib/text/i18n.ts'
import css from './drives-by-server.module.css'
import { type DashboardDrive, type DashboardServer, driveFill, driveName, driveState } from './server-health.ts'

/** Servers with more drives than this have small slots without text. */
const MAX_WIDE = 8

/** A row per server with a slot per drive, filled by its use. Drives that are not in use have their state in the slot. */
export function DrivesByServer({ servers }: { servers: readonly DashboardServer[] }) {
  const t = useT()
  return (
    <div className={css.plan}>
      {servers.map((server) => {
        const small = server.drives.length > MAX_WIDE
        return (
          <div key={server.endpoint} className={css.server}>
            {servers.length > 1 && <span className={cx('mono', css.endpoint)}>{server.endpoint}</span>}
            <ul
              className={cx(css.slots, small && css.small)}
              aria-label={t('Drives of {{name}}', { name: server.endpoint })}
            >
              {server.drives.map((drive) => (
                <DriveSlot key={`${drive.endpoint} ${drive.uuid}`} drive={drive} small={small} />
              ))}
            </ul>
          </div>
        )
      })}
    </div>
  )
}

function DriveSlot({ drive, small }: { drive: DashboardDrive; small: boolean }) {
  const t = useT()
  const { mark } = driveState(drive)
  const { own, other } = driveFill(drive)
  const [state, ...measures] = slotTexts(drive, t)
  const text = [driveName(drive), state, ...measures].join(', ')
  return (
    <li className={css.slot} data-state={mark} title={text} aria-label={text}>
      <i style={{ width: `${Math.min(1, own + other) * 100}%` }} />
      {!small && (
        <span aria-hidden="true">
          <span className={cx('mono', css.name)}>
            <bdi>{driveName(drive)}</bdi>
          </span>
          <span className={css.state}>{[state, ...measures].join(' · ')}</span>
        </span>
      )}
    </li>
  )
}

/** The state or use of a drive, then its errors and latency if the server reports them. */
function slotTexts(drive: DashboardDrive, t: Translate): string[] {
  const { mark, word } = driveState(drive)
  const { own, other } = driveFill(drive)
  const state =
    mark === 'ok'
      ? formatPercent(own + other)
      : drive.healed === undefined || mark !== 'run'
        ? word
        : t('Healing {{percent}}', { percent: formatPercent(drive.healed) })
  return [
    state,
    ...(drive.errors ? [t(plural('{{count}} error', '{{count}} errors'), { count: drive.errors })] : []),
    ...(drive.latencyMs === undefined ? [] : [shortDurationText(drive.latencyMs * 1e6)]),
  ]
}

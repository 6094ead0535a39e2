import { Fragment } from 'react'
import { cx } from '../../../lib/cx.ts'
import { formatPercent, formatSize } from '../../../lib/text/format.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { Gauge } from '../../../ui/values/Gauge.tsx'
import { Size } from '../../../ui/values/Size.tsx'
import css from '../dashboard.module.css'
import { StatusTable } from './StatusTable.tsx'
import {
  type DashboardDrive,
  type DashboardServer,
  driveFill,
  driveName,
  driveState,
  hasOtherData,
} from './server-health.ts'

const columns = [msg('Drive'), msg('State'), msg('Usage'), msg('Used'), msg('Available'), msg('Capacity')]

/** A table with one row per drive, grouped by server if there are several. */
export function DrivesStatus({ servers }: { servers: DashboardServer[] }) {
  const several = servers.length > 1
  const shared = servers.some(({ drives }) => drives.some(hasOtherData))
  return (
    <StatusTable
      id="drives-status"
      title={msg('Drives Status')}
      columns={columns}
      className={css.drives}
      legend={shared && <Legend />}
    >
      {servers.map((server) => (
        <tbody key={server.endpoint}>
          {several && (
            <tr className={css.group}>
              <th scope="rowgroup" colSpan={columns.length} className="mono">
                {server.endpoint}
              </th>
            </tr>
          )}
          {server.drives.map((drive) => (
            <DriveRow key={`${drive.endpoint} ${drive.uuid}`} drive={drive} />
          ))}
        </tbody>
      ))}
    </StatusTable>
  )
}

function Legend() {
  const t = useT()
  return (
    <p className={css.legend}>
      <span className={css.own}>{t('Object store data')}</span>
      <span className={css.other}>{t('Other data on the same disk')}</span>
    </p>
  )
}

/** A path that can wrap after its slashes. */
function WrappingPath({ text }: { text: string }) {
  return text.split(/(?<=\/)/).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, which may be equal
    <Fragment key={i}>
      {part}
      <wbr />
    </Fragment>
  ))
}

function DriveRow({ drive }: { drive: DashboardDrive }) {
  const t = useT()
  const { mark, word } = driveState(drive)
  const measured = drive.state === 'ok' && drive.totalSpace > 0
  const { own, other } = driveFill(drive)
  return (
    <tr>
      <th scope="row" className={cx('mono', css.name)}>
        <WrappingPath text={driveName(drive)} />
      </th>
      <td>
        <StatusIcon state={mark} className={css.state}>
          {word}
        </StatusIcon>
      </td>
      {measured ? (
        <>
          <td>
            <span className={css.fill}>
              <Gauge share={own} other={other} />
              <span className="figures">{formatPercent(own + other)}</span>
            </span>
            <span className={css.below}>{t('{{size}} available', { size: formatSize(drive.availableSpace) })}</span>
          </td>
          <td className={css.wide}>
            <Size bytes={drive.usedSpace} />
          </td>
          <td className={css.wide}>
            <Size bytes={drive.availableSpace} />
          </td>
          <td className={css.wide}>
            <Size bytes={drive.totalSpace} />
          </td>
        </>
      ) : (
        <>
          <td className="ink-3">–</td>
          <td className={cx(css.wide, 'ink-3')}>–</td>
          <td className={cx(css.wide, 'ink-3')}>–</td>
          <td className={cx(css.wide, 'ink-3')}>–</td>
        </>
      )}
    </tr>
  )
}

import { cx } from '../../../lib/cx.ts'
import { type HealthyCount, healthState } from '../../../lib/data/admin-info.ts'
import { formatDuration } from '../../../lib/text/format.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import css from '../dashboard.module.css'
import { StatusTable } from './StatusTable.tsx'
import { type DashboardServer, drivesHealth, networkHealth, serverState } from './server-health.ts'

const columns = [msg('Server'), msg('State'), msg('Drives'), msg('Network'), msg('Uptime'), msg('Version')]

/** A table with one row per server. */
export function ServersStatus({ servers }: { servers: DashboardServer[] }) {
  return (
    <StatusTable id="servers-status" title={msg('Servers Status')} columns={columns} className={css.servers}>
      <tbody>
        {servers.map((server) => (
          <ServerRow key={server.endpoint} server={server} />
        ))}
      </tbody>
    </StatusTable>
  )
}

function ServerRow({ server }: { server: DashboardServer }) {
  const t = useT()
  const { mark, word } = serverState(server)
  const network = networkHealth(server)
  const uptime = server.uptime > 0 ? formatDuration(server.uptime) : '–'
  return (
    <tr>
      <th scope="row">
        <span className={cx('mono', css.name)}>{server.endpoint}</span>
        {/* On a small screen this replaces the columns that do not fit. */}
        <span className={css.below}>{t('Uptime {{time}}', { time: uptime })}</span>
      </th>
      <td>
        <StatusIcon state={mark} className={css.state}>
          {word}
        </StatusIcon>
      </td>
      <td>
        <HealthyShare of={drivesHealth(server)} />
      </td>
      <td className={css.wide}>
        <HealthyShare of={network} />
        {network.lost.map((peer) => (
          <span key={peer} className={css.lost}>
            {t('cannot reach {{peer}}', { peer })}
          </span>
        ))}
      </td>
      <td className={cx(css.wide, 'figures')}>{uptime}</td>
      <td className={cx(css.wide, 'mono', css.name)}>{server.version || '–'}</td>
    </tr>
  )
}

/** The number of healthy parts of all, with a status icon. */
function HealthyShare({ of }: { of: HealthyCount }) {
  const t = useT()
  if (of.total === 0) return <>–</>
  return (
    <StatusIcon state={healthState(of)}>
      {t('{{healthy}} of {{total}}', { healthy: of.healthy, total: of.total })}
    </StatusIcon>
  )
}

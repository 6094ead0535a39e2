import type { TenantItem } from '@stowage/contract'
import { pathTo } from '../../lib/navigation/pages.ts'
import { msg, t } from '../../lib/text/i18n.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { Usage } from '../../ui/Gauge.tsx'
import { Link } from '../../ui/Link.tsx'
import { Count, Quantity } from '../../ui/Quantity.tsx'
import { StatusIcon } from '../../ui/StatusIcon.tsx'
import { healthOf } from './health.ts'
import css from './tenants.module.css'
import { versionOf } from './version.ts'

export const tenantColumns: Column<TenantItem>[] = [
  {
    key: 'name',
    label: msg('Name'),
    fixed: true,
    small: 'title',
    cell: ({ name, namespace, health_status }) => (
      <span className={css.name}>
        <StatusIcon state={healthOf(health_status).mark}>
          <span className="visually-hidden">{t(healthOf(health_status).word)}</span>
        </StatusIcon>
        <Link to={pathTo('/namespaces/$namespace/tenants/$tenant/summary', { namespace, tenant: name })} data-row-link>
          {name}
        </Link>
      </span>
    ),
  },
  {
    key: 'namespace',
    label: msg('Namespace'),
    width: 150,
    small: 'note',
    cell: ({ namespace }) => <code>{namespace}</code>,
  },
  {
    key: 'total_size',
    label: msg('Capacity'),
    width: 112,
    align: 'right',
    headerPad: 29,
    small: 'aside',
    cell: ({ total_size }) => <Quantity bytes={total_size} />,
  },
  {
    key: 'usage',
    label: msg('Usage'),
    width: 206,
    yields: 2,
    value: ({ capacity, capacity_usage }) => (capacity > 0 ? capacity_usage / capacity : -1),
    cell: ({ capacity, capacity_usage }) =>
      capacity > 0 ? <Usage used={capacity_usage} limit={capacity} /> : <span className="ink-3">–</span>,
  },
  {
    key: 'pool_count',
    label: msg('# of Pools'),
    width: 104,
    align: 'right',
    cell: ({ pool_count }) => <Count of={pool_count} />,
  },
  {
    key: 'image',
    label: msg('Version'),
    width: 120,
    yields: 3,
    value: ({ image }) => versionOf(image),
    cell: ({ image }) => <code title={image}>{versionOf(image) || '–'}</code>,
  },
  {
    key: 'currentState',
    label: msg('State'),
    width: 230,
    small: 'extra',
    cell: ({ currentState, deletion_date }) =>
      deletion_date === undefined ? (
        <span className="ink-2">{currentState || t('Waiting for the operator')}</span>
      ) : (
        <StatusIcon state="run">{t('Is being deleted')}</StatusIcon>
      ),
  },
  {
    key: 'health_message',
    label: msg('What Is Wrong'),
    width: 200,
    yields: 4,
    cell: ({ health_message }) => <span className="ink-2">{health_message || '–'}</span>,
  },
]

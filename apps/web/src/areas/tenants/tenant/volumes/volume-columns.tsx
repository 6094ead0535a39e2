import type { TenantVolume } from '@stowage/contract'
import { quantityAmount } from '@stowage/contract/values/quantity'
import { pathTo } from '../../../../lib/navigation/pages.ts'
import { msg } from '../../../../lib/text/i18n.ts'
import { Link } from '../../../../ui/controls/Link.tsx'
import { StatusIcon } from '../../../../ui/icons/StatusIcon.tsx'
import type { Column } from '../../../../ui/table/DataTable.tsx'
import { Size } from '../../../../ui/values/Size.tsx'

export const volumeId = ({ namespace, name }: TenantVolume) => `${namespace}/${name}`

/** Returns the page of a volume's tenant, which must be known. */
export const volumeTenantPath = ({ namespace, tenant }: TenantVolume) =>
  pathTo('/namespaces/$namespace/tenants/$tenant/summary', { namespace, tenant })

const MARKS: Readonly<Record<string, 'ok' | 'run' | 'bad'>> = {
  Bound: 'ok',
  Pending: 'run',
  Lost: 'bad',
  Terminating: 'run',
}

const name: Column<TenantVolume> = { key: 'name', label: msg('Name'), fixed: true, small: 'title' }
const namespace: Column<TenantVolume> = { key: 'namespace', label: msg('Namespace'), width: 130 }
const status: Column<TenantVolume> = {
  key: 'status',
  label: msg('Status'),
  width: 110,
  small: 'note',
  cell: ({ status: phase }) => <StatusIcon state={MARKS[phase] ?? 'unknown'}>{phase}</StatusIcon>,
}
const tenant: Column<TenantVolume> = {
  key: 'tenant',
  label: msg('Tenant'),
  width: 180,
  value: (volume) => `${volume.namespace}/${volume.tenant}`,
  cell: (volume) => <Link to={volumeTenantPath(volume)}>{`${volume.namespace}/${volume.tenant}`}</Link>,
}
const capacity: Column<TenantVolume> = {
  key: 'capacity',
  label: msg('Capacity'),
  width: 104,
  align: 'right',
  headerPad: 29,
  small: 'aside',
  value: (volume) => quantityAmount(volume.capacity),
  numeric: true,
  cell: (volume) => <Size bytes={quantityAmount(volume.capacity)} />,
}
const storageClass: Column<TenantVolume> = { key: 'storageClass', label: msg('Storage Class'), width: 140 }

export const volumeColumns = [name, namespace, status, tenant, capacity, storageClass]
/** The columns for the volumes of a single tenant. */
export const tenantVolumeColumns = [name, status, capacity, storageClass]

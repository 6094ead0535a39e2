import type { Volume } from '@stowage/contract'
import { pathTo } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/i18n.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { Link } from '../../ui/Link.tsx'
import { Quantity } from '../../ui/Quantity.tsx'
import { StatusIcon } from '../../ui/StatusIcon.tsx'
import { bytesOf } from './quantity.ts'

export const nameOfVolume = ({ namespace, name }: Volume) => `${namespace}/${name}`

/** Returns the page of a volume's tenant, which must be known. */
export const tenantOf = ({ namespace, tenant }: Volume) =>
  pathTo('/namespaces/$namespace/tenants/$tenant/summary', { namespace, tenant })

const MARKS: Readonly<Record<string, 'ok' | 'run' | 'bad'>> = {
  Bound: 'ok',
  Pending: 'run',
  Lost: 'bad',
  Terminating: 'run',
}

const name: Column<Volume> = { key: 'name', label: msg('Name'), fixed: true, small: 'title' }
const namespace: Column<Volume> = { key: 'namespace', label: msg('Namespace'), width: 130 }
const status: Column<Volume> = {
  key: 'status',
  label: msg('Status'),
  width: 110,
  small: 'note',
  cell: ({ status: phase }) => <StatusIcon state={MARKS[phase] ?? 'unknown'}>{phase}</StatusIcon>,
}
const tenant: Column<Volume> = {
  key: 'tenant',
  label: msg('Tenant'),
  width: 180,
  value: (volume) => `${volume.namespace}/${volume.tenant}`,
  cell: (volume) => <Link to={tenantOf(volume)}>{`${volume.namespace}/${volume.tenant}`}</Link>,
}
const capacity: Column<Volume> = {
  key: 'capacity',
  label: msg('Capacity'),
  width: 104,
  align: 'right',
  headerPad: 29,
  small: 'aside',
  value: (volume) => bytesOf(volume.capacity),
  numeric: true,
  cell: (volume) => <Quantity bytes={bytesOf(volume.capacity)} />,
}
const storageClass: Column<Volume> = { key: 'storageClass', label: msg('Storage Class'), width: 140 }

export const volumeColumns = [name, namespace, status, tenant, capacity, storageClass]
/** The columns for the volumes of a single tenant. */
export const tenantVolumeColumns = [name, status, capacity, storageClass]

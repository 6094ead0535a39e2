import type { AuditRow } from '@stowage/contract'
import { formatDateTime, formatNanoseconds } from '../../../lib/text/format.ts'
import { msg } from '../../../lib/text/i18n.ts'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import type { Column } from '../../../ui/table/DataTable.tsx'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import { Size } from '../../../ui/values/Size.tsx'

export const auditRowId = (row: AuditRow) => row.id

const text = (value: string) =>
  value === '' ? (
    <span className="ink-3">–</span>
  ) : (
    <span className="truncate" title={value}>
      <ObjectName name={value} />
    </span>
  )
const size = (bytes: number | null) => (bytes === null ? <span className="ink-3">–</span> : <Size bytes={bytes} />)

export function auditStatusText({ response_status_code, response_status }: AuditRow): string {
  if (response_status_code === 0) return response_status || '–'
  return response_status === '' ? String(response_status_code) : `${response_status_code} (${response_status})`
}

/** All columns are visible unless the user hides them or there is not enough room. */
export const auditColumns: Column<AuditRow>[] = [
  {
    key: 'time',
    label: msg('Timestamp'),
    width: 184,
    fixed: true,
    small: 'aside',
    cell: (row) => <span className="figures">{formatDateTime(row.time)}</span>,
  },
  {
    key: 'api_name',
    label: msg('API Name'),
    width: 150,
    small: 'title',
    cell: (row) => (
      <span className="strong">
        <ObjectName name={row.api_name} />
      </span>
    ),
  },
  { key: 'bucket', label: msg('Bucket'), width: 130, yields: 2, cell: (row) => text(row.bucket) },
  { key: 'object', label: msg('Object'), small: 'extra', cell: (row) => text(row.object) },
  { key: 'remote_host', label: msg('Remote Host'), width: 120, yields: 4, cell: (row) => text(row.remote_host) },
  { key: 'request_id', label: msg('Request ID'), width: 160, yields: 7, cell: (row) => text(row.request_id) },
  { key: 'user_agent', label: msg('User Agent'), width: 140, yields: 8, cell: (row) => text(row.user_agent) },
  {
    key: 'response_status',
    label: msg('Response Status'),
    width: 156,
    small: 'note',
    cell: (row) => {
      const { response_status_code: code } = row
      // It is not about a request: a gap, for example.
      if (code === 0) return text(row.response_status)
      return (
        <StatusIcon state={code >= 500 ? 'bad' : code >= 400 ? 'warn' : 'ok'}>
          <ObjectName name={auditStatusText(row)} />
        </StatusIcon>
      )
    },
  },
  {
    key: 'request_content_length',
    label: msg('Request Content Length'),
    width: 176,
    yields: 6,
    align: 'right',
    cell: (row) => size(row.request_content_length),
  },
  {
    key: 'response_content_length',
    label: msg('Response Content Length'),
    width: 184,
    yields: 5,
    align: 'right',
    cell: (row) => size(row.response_content_length),
  },
  {
    key: 'time_to_response_ns',
    label: msg('Time to Response NS'),
    width: 160,
    yields: 3,
    align: 'right',
    cell: (row) => <span className="figures">{formatNanoseconds(row.time_to_response_ns)}</span>,
  },
]

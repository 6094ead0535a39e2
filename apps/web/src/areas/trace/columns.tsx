import type { TraceMessage } from '@stowage/contract'
import { clockTime, shortDurationText } from '../../lib/text/clock-time.ts'
import { msg } from '../../lib/text/i18n.ts'
import { StatusIcon, type StatusIconState } from '../../ui/icons/StatusIcon.tsx'
import { gapText } from '../../ui/live/gap-text.ts'
import type { Column } from '../../ui/table/DataTable.tsx'
import { ObjectName } from '../../ui/values/ObjectName.tsx'
import { Size } from '../../ui/values/Size.tsx'
import type { TraceRow } from './trace-rows.ts'

export function traceStatus({ statusCode, error }: TraceMessage): StatusIconState {
  if (statusCode >= 500 || (statusCode === 0 && error !== '')) return 'bad'
  if (statusCode >= 400) return 'warn'
  return statusCode === 0 ? 'unknown' : 'ok'
}

export const traceColumns: Column<TraceRow>[] = [
  {
    key: 'time',
    label: msg('Time'),
    width: 130,
    small: 'aside',
    value: ({ message, gap }) => message?.time ?? new Date(gap?.at ?? 0).toISOString(),
    cell: ({ message, gap }) => <span className="figures">{clockTime(message?.time ?? gap?.at ?? 0)}</span>,
  },
  {
    key: 'name',
    label: msg('Name'),
    width: 190,
    fixed: true,
    small: 'title',
    value: ({ message }) => message?.api ?? '',
    cell: ({ message, gap }) =>
      message ? (
        <span className="strong">
          <ObjectName name={message.api} />
        </span>
      ) : (
        gap && <StatusIcon state="warn">{gapText(gap)}</StatusIcon>
      ),
  },
  {
    key: 'status',
    label: msg('Status'),
    width: 84,
    small: 'note',
    value: ({ message }) => message?.statusCode ?? 0,
    cell: ({ message }) =>
      message && (
        <span title={message.statusMsg}>
          <StatusIcon state={traceStatus(message)}>{message.statusCode === 0 ? '–' : message.statusCode}</StatusIcon>
        </span>
      ),
  },
  {
    key: 'location',
    label: msg('Location'),
    small: 'extra',
    value: ({ message }) => message?.path ?? '',
    cell: ({ message }) =>
      message && (
        <span className="mono truncate" title={`${message.host} ${message.client}`}>
          <ObjectName name={message.path} />
        </span>
      ),
  },
  {
    key: 'duration',
    label: msg('Load Time'),
    width: 112,
    align: 'right',
    value: ({ message }) => message?.durationNs ?? 0,
    cell: ({ message }) => message && <span className="figures">{shortDurationText(message.durationNs)}</span>,
  },
  {
    key: 'upload',
    label: msg('Upload'),
    width: 104,
    yields: 2,
    align: 'right',
    value: ({ message }) => message?.callStats.rx ?? 0,
    cell: ({ message }) => message && <Size bytes={Math.max(0, message.callStats.rx)} />,
  },
  {
    key: 'download',
    label: msg('Download'),
    width: 104,
    yields: 1,
    align: 'right',
    value: ({ message }) => message?.callStats.tx ?? 0,
    cell: ({ message }) => message && <Size bytes={Math.max(0, message.callStats.tx)} />,
  },
]

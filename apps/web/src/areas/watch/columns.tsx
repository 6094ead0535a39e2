import { clockTime } from '../../lib/text/clock-time.ts'
import { msg } from '../../lib/text/i18n.ts'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import { gapText } from '../../ui/live/gap-text.ts'
import type { Column } from '../../ui/table/DataTable.tsx'
import { ObjectName } from '../../ui/values/ObjectName.tsx'
import { Size } from '../../ui/values/Size.tsx'
import type { WatchRow } from './watch-rows.ts'

export const watchColumns: Column<WatchRow>[] = [
  {
    key: 'time',
    label: msg('Time'),
    width: 130,
    small: 'aside',
    cell: ({ message, gap }) => <span className="figures">{clockTime(message?.Time ?? gap?.at ?? 0)}</span>,
  },
  {
    key: 'size',
    label: msg('Size'),
    width: 104,
    align: 'right',
    small: 'note',
    cell: ({ message }) => message && <Size bytes={Math.max(0, message.Size)} />,
  },
  {
    key: 'type',
    label: msg('Type'),
    width: 260,
    small: 'extra',
    cell: ({ message }) =>
      message && (
        <span className="truncate" title={message.Type}>
          <ObjectName name={message.Type} />
        </span>
      ),
  },
  {
    key: 'path',
    label: msg('Path'),
    small: 'title',
    cell: ({ message, gap }) =>
      message ? (
        <span className="mono truncate" title={message.Path}>
          <ObjectName name={`/${message.bucket}/${message.key}`} />
        </span>
      ) : (
        gap && <StatusIcon state="warn">{gapText(gap)}</StatusIcon>
      ),
  },
]

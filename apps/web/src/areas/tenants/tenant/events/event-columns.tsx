import type { KubeEvent } from '@stowage/contract'
import { msg } from '../../../../lib/text/i18n.ts'
import { StatusIcon } from '../../../../ui/icons/StatusIcon.tsx'
import type { Column } from '../../../../ui/table/DataTable.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import css from '../../tenants.module.css'

export const eventId = ({ last_seen, reason, message, object }: KubeEvent) =>
  `${last_seen} ${object} ${reason} ${message}`

export const eventColumns: Column<KubeEvent>[] = [
  { key: 'namespace', label: msg('Namespace'), width: 110 },
  {
    key: 'last_seen',
    label: msg('Last Seen'),
    width: 178,
    small: 'aside',
    cell: ({ last_seen }) => <Time at={last_seen} exact />,
  },
  {
    key: 'message',
    label: msg('Message'),
    fixed: true,
    small: 'whole',
    cell: ({ message }) => (
      <span className={css.clamp} title={message}>
        {message}
      </span>
    ),
  },
  {
    key: 'event_type',
    label: msg('Event Type'),
    width: 104,
    small: 'note',
    cell: ({ event_type }) => <StatusIcon state={event_type === 'Normal' ? 'ok' : 'warn'}>{event_type}</StatusIcon>,
  },
  { key: 'reason', label: msg('Reason'), width: 130, small: 'title' },
]

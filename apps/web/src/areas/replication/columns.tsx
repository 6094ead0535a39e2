import type { ReplicationRule } from '@stowage/contract'
import { msg, t } from '../../lib/text/i18n.ts'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import type { Column } from '../../ui/table/DataTable.tsx'
import { destinationBucket } from './replication-rule-texts.ts'

export const replicationRuleColumns: Column<ReplicationRule>[] = [
  { key: 'priority', label: msg('Priority'), width: 96, fixed: true, numeric: true, small: 'aside' },
  {
    key: 'destination',
    label: msg('Destination'),
    fixed: true,
    small: 'title',
    value: destinationBucket,
    cell: (rule) => <span title={rule.target_arn}>{destinationBucket(rule)}</span>,
  },
  {
    key: 'prefix',
    label: msg('Prefix'),
    small: 'extra',
    cell: ({ prefix }) => prefix || <span className="ink-3">–</span>,
  },
  {
    key: 'tags',
    label: msg('Tags'),
    width: 80,
    yields: 1,
    value: ({ tags }) => (tags === '' ? 0 : 1),
    cell: ({ tags }) => <span title={tags}>{tags === '' ? t('No') : t('Yes')}</span>,
  },
  {
    key: 'status',
    label: msg('Status'),
    width: 120,
    small: 'note',
    cell: ({ status }) => (
      <StatusIcon state={status === 'Enabled' ? 'ok' : 'off'}>
        {status === 'Enabled' ? t('Enabled') : t('Disabled')}
      </StatusIcon>
    ),
  },
]

import type { Output } from '@stowage/contract'
import { msg, t } from '../../../lib/text/i18n.ts'
import type { Column } from '../../../ui/table/DataTable.tsx'

/** A user or group of the directory. */
export type DirectoryEntity = Output<'listDirectoryPolicies'>[number]

const entityTypeText = ({ entityType }: DirectoryEntity) => (entityType === 'user' ? t('User') : t('Group'))
export const directoryColumns: Column<DirectoryEntity>[] = [
  { key: 'name', label: msg('Name'), fixed: true, small: 'title' },
  { key: 'entityType', label: msg('Type'), width: 112, small: 'aside', value: entityTypeText, cell: entityTypeText },
  {
    key: 'policies',
    label: msg('Policies'),
    width: 320,
    value: ({ policies }) => policies.join(', '),
    cell: ({ policies }) => <span className="ink-2">{policies.join(', ')}</span>,
  },
]

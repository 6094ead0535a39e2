import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { formatDuration } from '../../lib/text/format.ts'
import { msg } from '../../lib/text/i18n.ts'
import { RefreshButton } from '../../ui/page/RefreshButton.tsx'
import { type Column, DataTable, type TableTexts } from '../../ui/table/DataTable.tsx'

type Lock = Output<'listLocks'>['locks'][number]

const texts: TableTexts = {
  name: msg('Locks'),
  empty: msg('No request holds a lock.'),
  noMatch: msg('No Locks match the filter.'),
}

const columns: Column<Lock>[] = [
  {
    key: 'resource',
    label: msg('Resource'),
    fixed: true,
    small: 'title',
    cell: ({ resource }) => <code title={resource}>{resource}</code>,
  },
  { key: 'type', label: msg('Type'), width: 90, small: 'note' },
  {
    key: 'age',
    label: msg('Held for'),
    width: 140,
    small: 'aside',
    value: ({ age }) => age ?? -1,
    cell: ({ age }) => (age === undefined ? '–' : formatDuration(age)),
  },
  { key: 'owner', label: msg('Owner'), width: 200, yields: 1 },
  {
    key: 'source',
    label: msg('Source'),
    width: 220,
    yields: 2,
    cell: ({ source }) => <code title={source}>{source}</code>,
  },
]

const lockRows = ({ locks }: Output<'listLocks'>) => locks

/** What requests of the server wait for. */
export function LocksTab() {
  const query = useQuery({ ...q('listLocks', { query: { count: 1000 } }), select: lockRows })
  return (
    <DataTable
      name="locks"
      texts={texts}
      query={query}
      needs={{ action: 'admin:TopLocksInfo' }}
      rowId={({ id, resource }) => `${id} ${resource}`}
      columns={columns}
      defaultSort={{ key: 'age', desc: true }}
      filter={{ placeholder: msg('Filter Locks') }}
      tools={<RefreshButton reads={['listLocks']} />}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { msg } from '../../lib/text/i18n.ts'
import { type Column, DataTable, type TableTexts } from '../../ui/table/DataTable.tsx'
import { type NameRow, nameRows, rowName } from './name-rows.ts'
import css from './policies.module.css'

const texts: TableTexts = {
  name: msg('Groups'),
  empty: msg('No Groups Available'),
  noMatch: msg('No Groups match the filter.'),
}
const columns: Column<NameRow>[] = [{ key: 'name', label: msg('Name'), fixed: true, small: 'title' }]

/** The groups that a policy is attached to. */
export function PolicyGroupsSection({ policy }: { policy: string }) {
  const query = useQuery({ ...q('listPolicyGroups', { params: { policy } }), select: nameRows })
  return (
    <div className={css.section}>
      <DataTable
        name="policy-groups"
        texts={texts}
        query={query}
        needs={{ action: 'admin:ListGroups' }}
        rowId={rowName}
        columns={columns}
        defaultSort={{ key: 'name', desc: false }}
        filter={{ placeholder: msg('Search Groups') }}
      />
    </div>
  )
}

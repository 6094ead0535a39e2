import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { pathTo } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/i18n.ts'
import { type Column, DataTable, type RowAction, type TableTexts } from '../../ui/table/DataTable.tsx'
import { type NameRow, nameRows, rowName } from './name-rows.ts'
import css from './policies.module.css'

const texts: TableTexts = {
  name: msg('Users'),
  empty: msg('No Users Available'),
  noMatch: msg('No Users match the filter.'),
}
const columns: Column<NameRow>[] = [{ key: 'name', label: msg('Name'), fixed: true, small: 'title' }]
const actions: RowAction<NameRow>[] = [
  { type: 'view', label: msg('View'), to: ({ name }) => pathTo('/users/$user', { user: name }) },
]

/** The users that a policy is attached to. */
export function PolicyUsersSection({ policy }: { policy: string }) {
  const query = useQuery({ ...q('listPolicyUsers', { params: { policy } }), select: nameRows })
  return (
    <div className={css.section}>
      <DataTable
        name="policy-users"
        texts={texts}
        query={query}
        needs={{ action: 'admin:ListUsers' }}
        rowId={rowName}
        columns={columns}
        actions={actions}
        defaultSort={{ key: 'name', desc: false }}
        filter={{ placeholder: msg('Search Users') }}
      />
    </div>
  )
}

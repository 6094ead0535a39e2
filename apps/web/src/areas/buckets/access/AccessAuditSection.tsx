import { Tabs } from '@mantine/core'
import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { useSearchParam } from '../../../lib/navigation/navigate.ts'
import { pathTo } from '../../../lib/navigation/pages.ts'
import { useSession } from '../../../lib/session/session.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { type Column, DataTable, type RowAction, type TableTexts } from '../../../ui/table/DataTable.tsx'
import css from '../styles/buckets.module.css'
import { listPolicyGrants, type PolicyGrant } from './policy-grants.ts'

interface NamedRow {
  name: string
}

const policyTexts: TableTexts = {
  name: msg('Policies'),
  empty: msg('There are no Policies yet.'),
  noMatch: msg('No Policies match the filter.'),
}
const userTexts: TableTexts = {
  name: msg('Users'),
  empty: msg('There are no Users yet.'),
  noMatch: msg('No Users match the filter.'),
}
const grantTexts: TableTexts = {
  name: msg('Bucket Policy'),
  empty: msg('The bucket has no policy: only users whose own policies allow it can reach the objects.'),
  noMatch: msg('No Statements match the filter.'),
}

const policyColumns: Column<NamedRow>[] = [{ key: 'name', label: msg('Name'), fixed: true, small: 'title' }]
const userColumns: Column<NamedRow>[] = [{ key: 'name', label: msg('User'), fixed: true, small: 'title' }]
const grantColumns: Column<PolicyGrant>[] = [
  { key: 'effect', label: msg('Effect'), width: 80, fixed: true, small: 'aside' },
  { key: 'principals', label: msg('Principal'), width: 150, small: 'title' },
  {
    key: 'actions',
    label: msg('Actions'),
    small: 'note',
    cell: ({ actions }) => <code title={actions}>{actions}</code>,
  },
  {
    key: 'resources',
    label: msg('Resources'),
    cell: ({ resources }) => <code title={resources}>{resources}</code>,
  },
  {
    key: 'condition',
    label: msg('Condition'),
    width: 190,
    yields: 1,
    cell: ({ condition }) => (condition ? <code title={condition}>{condition}</code> : '–'),
  },
]
const policyActions: RowAction<NamedRow>[] = [
  { type: 'view', label: msg('View'), to: ({ name }) => pathTo('/policies/$policy', { policy: name }) },
]
const userActions: RowAction<NamedRow>[] = [
  { type: 'view', label: msg('View'), to: ({ name }) => pathTo('/users/$user', { user: name }) },
]

const policyRows = ({ policies }: Output<'listBucketPolicies'>): NamedRow[] => policies
const userRows = (users: Output<'listBucketUsers'>): NamedRow[] => users.map((name) => ({ name }))
const statementRows = ({ policy }: Output<'getBucketPolicy'>): PolicyGrant[] => listPolicyGrants(policy)
const rowName = ({ name }: NamedRow) => name

/** Lists who can access the bucket: policies, users, and statements of the bucket policy. */
export function AccessAuditSection({ bucket }: { bucket: string }) {
  const t = useT()
  const { pages } = useSession()
  const [shown, show] = useSearchParam('tab')
  const hasUsers = pages.includes('/users')
  const tab = shown === 'statements' || (shown === 'users' && hasUsers) ? shown : 'policies'
  return (
    <Tabs
      value={tab}
      onChange={(next) => show(next === 'policies' ? undefined : (next ?? undefined))}
      keepMounted={false}
      className={css.tabs ?? ''}
    >
      <Tabs.List className={css.tabList ?? ''}>
        <Tabs.Tab value="policies">{t('Policies')}</Tabs.Tab>
        {hasUsers && <Tabs.Tab value="users">{t('Users')}</Tabs.Tab>}
        <Tabs.Tab value="statements">{t('Bucket Policy')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="policies" className={css.list ?? ''}>
        <PolicyTable bucket={bucket} />
      </Tabs.Panel>
      {hasUsers && (
        <Tabs.Panel value="users" className={css.list ?? ''}>
          <UserTable bucket={bucket} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="statements" className={css.list ?? ''}>
        <StatementTable bucket={bucket} />
      </Tabs.Panel>
    </Tabs>
  )
}

function PolicyTable({ bucket }: { bucket: string }) {
  const query = useQuery({ ...q('listBucketPolicies', { params: { bucket } }), select: policyRows })
  return (
    <DataTable
      name="bucket-policies"
      texts={policyTexts}
      query={query}
      needs={{ action: 'admin:ListUserPolicies' }}
      rowId={rowName}
      columns={policyColumns}
      actions={policyActions}
      defaultSort={{ key: 'name', desc: false }}
      filter={{ placeholder: msg('Search Policies') }}
    />
  )
}

function UserTable({ bucket }: { bucket: string }) {
  const query = useQuery({ ...q('listBucketUsers', { params: { bucket } }), select: userRows })
  return (
    <DataTable
      name="bucket-users"
      texts={userTexts}
      query={query}
      needs={{ action: 'admin:ListUsers' }}
      rowId={rowName}
      columns={userColumns}
      actions={userActions}
      defaultSort={{ key: 'name', desc: false }}
      filter={{ placeholder: msg('Search Users') }}
    />
  )
}

function StatementTable({ bucket }: { bucket: string }) {
  const query = useQuery({ ...q('getBucketPolicy', { params: { bucket } }), select: statementRows })
  return (
    <DataTable
      name="bucket-statements"
      texts={grantTexts}
      query={query}
      needs={{ action: 's3:GetBucketPolicy', bucket }}
      rowId={({ id }) => id}
      columns={grantColumns}
      sortable={false}
    />
  )
}

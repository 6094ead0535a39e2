import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { pathTo } from '../../lib/navigation/pages.ts'
import { msg, useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type RowAction, type TableTexts } from '../../ui/table/DataTable.tsx'
import { type NameRow, nameRows, rowName } from '../policies/name-rows.ts'
import css from '../policies/policies.module.css'

const SetPoliciesModal = loadableDialog(async () => (await import('../policies/SetPoliciesModal.tsx')).SetPoliciesModal)

const texts: TableTexts = {
  name: msg('Policies'),
  empty: msg('No Policies Available'),
  emptyHint: msg('The policies of the groups of this user also apply.'),
  noMatch: msg('No Policies match the filter.'),
}
const columns: Column<NameRow>[] = [{ key: 'name', label: msg('Name'), fixed: true, small: 'title' }]
const actions: RowAction<NameRow>[] = [
  { type: 'view', label: msg('View'), to: ({ name }) => pathTo('/policies/$policy', { policy: name }) },
]
const policyRows = ({ policy }: Output<'getUser'>) => nameRows(policy)

/** The policies that are attached to a user. */
export function UserPoliciesSection({ user }: { user: string }) {
  const t = useT()
  const query = useQuery({ ...q('getUser', { query: { name: user } }), select: policyRows })
  const needs = useDisabledReason()
  const [setting, setSetting] = useState(false)
  return (
    <div className={css.section}>
      <DataTable
        name="user-policies"
        texts={texts}
        query={query}
        needs={{ action: 'admin:GetUser' }}
        rowId={rowName}
        columns={columns}
        actions={actions}
        defaultSort={{ key: 'name', desc: false }}
        tools={
          <Disabled reason={needs('admin:AttachUserOrGroupPolicy')}>
            <Button size="xs" onClick={() => setSetting(true)}>
              {t('Assign Policies')}
            </Button>
          </Disabled>
        }
      />
      {setting && query.data && (
        <SetPoliciesModal
          entityType="user"
          entityName={user}
          policies={query.data.map(rowName)}
          onClose={() => setSetting(false)}
        />
      )}
    </div>
  )
}

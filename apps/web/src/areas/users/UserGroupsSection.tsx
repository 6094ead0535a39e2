import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { withData } from '../../lib/api/query-result.ts'
import { msg, useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type TableTexts } from '../../ui/table/DataTable.tsx'
import { type NameRow, nameRows, rowName } from '../policies/name-rows.ts'
import css from '../policies/policies.module.css'

const SetGroupsModal = loadableDialog(async () => (await import('./SetGroupsModal.tsx')).SetGroupsModal)

const texts: TableTexts = {
  name: msg('Groups'),
  empty: msg('No Groups Available'),
  noMatch: msg('No Groups match the filter.'),
}
const columns: Column<NameRow>[] = [{ key: 'name', label: msg('Name'), fixed: true, small: 'title' }]
const groupRows = ({ memberOf }: Output<'getUser'>) => nameRows(memberOf)

/** The groups of a user. */
export function UserGroupsSection({ user }: { user: string }) {
  const t = useT()
  const read = useQuery(q('getUser', { query: { name: user } }))
  const rows = useQuery({ ...q('getUser', { query: { name: user } }), select: groupRows })
  const needs = useDisabledReason()
  const [setting, setSetting] = useState(false)
  return (
    <div className={css.section}>
      <DataTable
        name="user-groups"
        texts={texts}
        query={withData(read, rows.data)}
        needs={{ action: 'admin:GetUser' }}
        rowId={rowName}
        columns={columns}
        defaultSort={{ key: 'name', desc: false }}
        tools={
          <Disabled reason={needs('admin:AddUserToGroup')}>
            <Button size="xs" onClick={() => setSetting(true)}>
              {t('Add to Groups')}
            </Button>
          </Disabled>
        }
      />
      {setting && read.data && <SetGroupsModal user={read.data} onClose={() => setSetting(false)} />}
    </div>
  )
}

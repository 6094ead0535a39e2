import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { useSearchParam } from '../../lib/navigation/navigate.ts'
import { msg, useT } from '../../lib/text/i18n.ts'
import { Disabled, isReason, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { type Column, DataTable, type RowAction, type TableTexts } from '../../ui/table/DataTable.tsx'
import { type NameRow, nameRows, rowName } from '../policies/name-rows.ts'
import { askDeleteGroup } from './delete-group.tsx'

const CreateGroupModal = loadableDialog(async () => (await import('./group-modals.tsx')).CreateGroupModal)
const EditGroupModal = loadableDialog(async () => (await import('./group-modals.tsx')).EditGroupModal)
const GroupPoliciesModal = loadableDialog(async () => (await import('./GroupPoliciesModal.tsx')).GroupPoliciesModal)

const texts: TableTexts = {
  name: msg('Groups'),
  empty: msg('No Groups Available'),
  emptyHint: msg('The policies of a group apply to all of its members.'),
  noMatch: msg('No Groups match the filter.'),
}
const columns: Column<NameRow>[] = [{ key: 'name', label: msg('Name'), fixed: true, small: 'title' }]
const groupRows = ({ groups }: Output<'listGroups'>) => nameRows(groups)

/** The list of groups. */
export function GroupsPage() {
  const t = useT()
  const query = useQuery({ ...q('listGroups', {}), select: groupRows })
  const needs = useDisabledReason()
  const [creating, setCreating] = useSearchParam('create')
  const [opened, setOpened] = useState<{ name: string; dialog: 'edit' | 'policies' }>()
  const close = () => setOpened(undefined)
  const edit = ({ name }: NameRow) => setOpened({ name, dialog: 'edit' })
  const actions: RowAction<NameRow>[] = [
    {
      type: 'view',
      label: msg('View'),
      onClick: edit,
      disabled: () => needs('admin:GetGroup'),
    },
    {
      type: 'description',
      label: msg('Set Policies'),
      onClick: ({ name }) => setOpened({ name, dialog: 'policies' }),
      disabled: () => needs('admin:AttachUserOrGroupPolicy'),
    },
    {
      type: 'delete',
      label: msg('Delete'),
      onClick: ({ name }) => askDeleteGroup(name),
      disabled: () => needs('admin:RemoveUserFromGroup'),
    },
  ]
  return (
    <Page
      refresh={['listGroups']}
      actions={
        <Disabled reason={needs('admin:AddUserToGroup')}>
          <Button variant="filled" leftSection={<Icon of={IconPlus} />} onClick={() => setCreating('group')}>
            {t('Create Group')}
          </Button>
        </Disabled>
      }
    >
      <DataTable
        name="groups"
        texts={texts}
        query={query}
        needs={{ action: 'admin:ListGroups' }}
        rowId={rowName}
        columns={columns}
        actions={actions}
        {...(isReason(needs('admin:GetGroup')) ? {} : { onOpen: edit })}
        defaultSort={{ key: 'name', desc: false }}
        filter={{ placeholder: msg('Search Groups') }}
      />
      {creating === 'group' && (
        <CreateGroupModal existing={query.data?.map(rowName) ?? []} onClose={() => setCreating(undefined)} />
      )}
      {opened?.dialog === 'edit' && <EditGroupModal name={opened.name} onClose={close} />}
      {opened?.dialog === 'policies' && <GroupPoliciesModal name={opened.name} onClose={close} />}
    </Page>
  )
}

import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import type { User } from '@stowage/contract/users/users'
import { IconKey, IconPlus, IconTrash, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { useSearchParam } from '../../lib/navigation/navigate.ts'
import { pathTo } from '../../lib/navigation/pages.ts'
import { useSession } from '../../lib/session/session.ts'
import { msg, plural, useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { Disabled, isReason, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { DataTable, type RowAction } from '../../ui/table/DataTable.tsx'
import { userColumns } from './columns.tsx'
import { askDeleteUser } from './delete-user.tsx'
import { userAccessKey, userTexts } from './user-table.ts'

const CreateUserModal = loadableDialog(async () => (await import('./CreateUserModal.tsx')).CreateUserModal)
const AddToGroupModal = loadableDialog(async () => (await import('./AddToGroupModal.tsx')).AddToGroupModal)
const DeleteUsersModal = loadableDialog(async () => (await import('./DeleteUsersModal.tsx')).DeleteUsersModal)

const userRows = ({ users }: Output<'listUsers'>): User[] => users

/** The list of users. */
export function UsersPage() {
  const t = useT()
  const session = useSession()
  const query = useQuery({ ...q('listUsers', {}), select: userRows })
  const needs = useDisabledReason()
  const [creating, setCreating] = useSearchParam('create')
  const [adding, setAdding] = useState<string[]>([])
  const [deleting, setDeleting] = useState<string[]>([])
  const cannotDelete = ({ accessKey }: User) =>
    accessKey === session.user ? t('You cannot delete the user that you are signed in as') : needs('admin:DeleteUser')
  const actions: RowAction<User>[] = [
    { type: 'view', label: msg('View'), to: ({ accessKey }) => pathTo('/users/$user/groups', { user: accessKey }) },
    {
      type: 'delete',
      label: msg('Delete'),
      onClick: ({ accessKey }) => askDeleteUser(accessKey),
      disabled: cannotDelete,
    },
  ]
  const disabled = query.data?.filter(({ status }) => status === 'disabled').length ?? 0

  return (
    <Page
      facts={
        query.data ? (
          <>
            <span>
              <Trans
                text={plural('<b>{{count}}</b> user', '<b>{{count}}</b> users')}
                values={{ count: query.data.length }}
                parts={{ b: <b /> }}
              />
            </span>
            {disabled > 0 && <span>{t('{{count}} disabled', { count: disabled })}</span>}
          </>
        ) : null
      }
      refresh={['listUsers']}
      actions={
        <>
          <Disabled reason={needs('admin:ListServiceAccounts')}>
            <Button component={Link} to="/access-keys" leftSection={<Icon of={IconKey} />}>
              {t('All access keys')}
            </Button>
          </Disabled>
          <Disabled reason={needs('admin:CreateUser')}>
            <Button variant="filled" leftSection={<Icon of={IconPlus} />} onClick={() => setCreating('user')}>
              {t('Create User')}
            </Button>
          </Disabled>
        </>
      }
    >
      <DataTable
        name="users"
        texts={userTexts}
        query={query}
        needs={{ action: 'admin:ListUsers' }}
        rowId={userAccessKey}
        columns={userColumns}
        actions={actions}
        defaultSort={{ key: 'accessKey', desc: false }}
        filter={{ placeholder: msg('Search Users') }}
        tools={
          <Disabled reason={t('Select users first')}>
            <Button size="xs" leftSection={<Icon of={IconUsersGroup} />}>
              {t('Add to Group')}
            </Button>
          </Disabled>
        }
        selection={{
          actions: (rows) => (
            <>
              <Disabled reason={needs('admin:AddUserToGroup')}>
                <Button
                  size="xs"
                  leftSection={<Icon of={IconUsersGroup} />}
                  onClick={() => setAdding(rows.map(userAccessKey))}
                >
                  {t('Add to Group')}
                </Button>
              </Disabled>
              <Disabled reason={rows.every((row) => isReason(cannotDelete(row))) && rows[0] && cannotDelete(rows[0])}>
                <Button
                  size="xs"
                  variant="danger"
                  leftSection={<Icon of={IconTrash} />}
                  onClick={() => setDeleting(rows.map(userAccessKey))}
                >
                  {t('Delete')}
                </Button>
              </Disabled>
            </>
          ),
        }}
      />
      {creating === 'user' && <CreateUserModal onClose={() => setCreating(undefined)} />}
      {adding.length > 0 && <AddToGroupModal users={adding} onClose={() => setAdding([])} />}
      {deleting.length > 0 && <DeleteUsersModal names={deleting} onClose={() => setDeleting([])} />}
    </Page>
  )
}

import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import type { AccessKey } from '@stowage/contract/service-accounts/service-accounts'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { change } from '../../lib/changes/change.ts'
import { usePermissionReport } from '../../lib/data/permissions.ts'
import { confirmDelete } from '../../lib/feedback/confirm.ts'
import { pathTo } from '../../lib/navigation/pages.ts'
import { msg, t, useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type RowAction, type TableTexts } from '../../ui/table/DataTable.tsx'
import { EnabledStatus } from '../../ui/values/EnabledStatus.tsx'
import { Age, Time } from '../../ui/values/Time.tsx'
import type { NewCredentials } from './credentials.ts'

const CreateServiceAccountModal = loadableDialog(
  async () => (await import('./CreateServiceAccountModal.tsx')).CreateServiceAccountModal,
)
const CredentialsModal = loadableDialog(async () => (await import('./CredentialsModal.tsx')).CredentialsModal)
const EditServiceAccountModal = loadableDialog(
  async () => (await import('./EditServiceAccountModal.tsx')).EditServiceAccountModal,
)

const texts: TableTexts = {
  name: msg('Service Accounts'),
  empty: msg('There are no Service Accounts yet.'),
  emptyHint: msg('A service account is an access key for a program. It has the rights of its user, or fewer.'),
  noMatch: msg('No Service Accounts match the filter.'),
}

const columns: Column<AccessKey>[] = [
  {
    key: 'accessKey',
    label: msg('Access Key'),
    fixed: true,
    small: 'title',
    cell: ({ accessKey }) => <span className="mono">{accessKey}</span>,
  },
  { key: 'name', label: msg('Name'), width: 160, yields: 1, small: 'note', cell: ({ name }) => name || '–' },
  {
    key: 'description',
    label: msg('Description'),
    width: 220,
    yields: 3,
    cell: ({ description }) => <span className="ink-2">{description || '–'}</span>,
  },
  {
    key: 'inherits',
    label: msg('Rights'),
    width: 130,
    yields: 2,
    value: ({ inherits }) => String(inherits),
    cell: ({ inherits }) => (
      <span className="ink-2">{inherits === undefined ? '–' : inherits ? t('As the user') : t('Restricted')}</span>
    ),
  },
  {
    key: 'expiration',
    label: msg('Expires'),
    width: 128,
    yields: 2,
    value: ({ expiration }) => expiration ?? '9',
    cell: ({ expiration }) => <span className="ink-2">{expiration ? <Time at={expiration} /> : t('Never')}</span>,
  },
  {
    key: 'created',
    label: msg('Age'),
    width: 112,
    yields: 4,
    value: ({ created }) => created ?? '',
    cell: ({ created }) => <span className="ink-2">{created ? <Age at={created} /> : t('Unknown')}</span>,
  },
  {
    key: 'last_used',
    label: msg('Last use'),
    width: 112,
    yields: 3,
    value: ({ last_used }) => last_used ?? '',
    cell: ({ last_used }) => <span className="ink-2">{lastUseText(last_used)}</span>,
  },
  {
    key: 'status',
    label: msg('Status'),
    width: 112,
    small: 'aside',
    value: ({ status }) => status ?? '',
    cell: ({ status }) => (status ? <EnabledStatus of={status} /> : '–'),
  },
]

/** Formats the day of the last use. Servers store no time of day. */
function lastUseText(day: string | undefined): string {
  if (day === undefined) return t('Unknown')
  return day === '' ? t('Never') : day
}

const accessKeyRows = ({ keys }: Output<'listAccessKeys'>): AccessKey[] => keys
const accessKeyId = ({ accessKey }: AccessKey) => accessKey

/** Only in the list of all users. */
const ownerColumn: Column<AccessKey> = {
  key: 'user',
  label: msg('Owner'),
  width: 180,
  small: 'note',
  value: ({ user, owner_name }) => owner_name ?? user,
  cell: ({ user, owner_name }) => <Owner user={user} name={owner_name ?? user} />,
}

const userNames = ({ users }: Output<'listUsers'>) => new Set(users.map(({ accessKey }) => accessKey))

function Owner({ user, name }: { user: string; name: string }) {
  const { data: users } = useQuery({ ...q('listUsers', {}), select: userNames })
  // The root user and users of an identity provider have no page.
  if (!users?.has(user)) return <span title={user}>{name}</span>
  return (
    <Link to={pathTo('/users/$user', { user })} className="link" title={user}>
      {user}
    </Link>
  )
}

/** The owner replaces the description, and the rights give way to age and last use. */
const columnsWithOwner = [
  ...columns.slice(0, 1),
  ownerColumn,
  ...columns
    .slice(1)
    .filter(({ key }) => key !== 'description')
    .map((column) => (column.key === 'inherits' ? { ...column, yields: 5 } : column)),
]

interface AccessKeysProps {
  /** The user; the caller by default. */
  user?: string
  /** Lists the service accounts of all users, with their owners. */
  all?: boolean
}

/** A list of service accounts: of a user, of the caller, or of all users. */
export function AccessKeys({ user, all = false }: AccessKeysProps) {
  const t = useT()
  const query = useQuery({ ...q('listAccessKeys', { query: all ? { all: 'true' } : { user } }), select: accessKeyRows })
  const needs = useDisabledReason()
  const noPolicyReason = useNoPolicyReason()
  const [creating, setCreating] = useState(false)
  const [created, setCreated] = useState<NewCredentials>()
  const [editing, setEditing] = useState<string>()
  const actions: RowAction<AccessKey>[] = [
    {
      type: 'edit',
      label: msg('Edit'),
      onClick: ({ accessKey }) => setEditing(accessKey),
      disabled: () => needs('admin:UpdateServiceAccount'),
    },
    { type: 'delete', label: msg('Delete'), onClick: ({ accessKey }) => askDeleteServiceAccount(accessKey) },
  ]
  return (
    <>
      <DataTable
        name="service-accounts"
        texts={texts}
        query={query}
        needs={{ action: 'admin:ListServiceAccounts' }}
        rowId={accessKeyId}
        columns={all ? columnsWithOwner : columns}
        actions={actions}
        defaultSort={{ key: 'accessKey', desc: false }}
        filter={{
          placeholder: msg('Search Service Accounts'),
          text: ({ accessKey, name, description, user: owner, owner_name = '' }) =>
            `${accessKey} ${name} ${description}${all ? ` ${owner} ${owner_name}` : ''}`,
        }}
        tools={
          all ? undefined : (
            <Disabled reason={user === undefined ? noPolicyReason : needs('admin:CreateServiceAccount')}>
              <Button size="xs" leftSection={<Icon of={IconPlus} />} onClick={() => setCreating(true)}>
                {t('Create service account')}
              </Button>
            </Disabled>
          )
        }
      />
      {creating && <CreateServiceAccountModal user={user} onCreated={setCreated} onClose={() => setCreating(false)} />}
      {created && (
        <CredentialsModal
          title={t('New Service Account Created')}
          credentials={created}
          onClose={() => setCreated(undefined)}
        />
      )}
      {editing !== undefined && <EditServiceAccountModal accessKey={editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}

/** Returns why the caller cannot create service accounts: no policy applies to it, or a group of it is disabled. */
function useNoPolicyReason(): string | false {
  const t = useT()
  const verdict = usePermissionReport('admin:CreateServiceAccount', {})
  // With a policy, servers let every user create service accounts of its own.
  return (
    verdict?.decision === 'deny' &&
    verdict.statements.length === 0 &&
    t('You have no rights: no policy applies to you.')
  )
}

function askDeleteServiceAccount(accessKey: string) {
  confirmDelete({
    title: t('Delete ServiceAccount'),
    name: accessKey,
    run: () =>
      change(
        'deleteServiceAccount',
        { params: { accessKey } },
        { message: () => t('Service account {{name}} deleted', { name: accessKey }) },
      ),
  })
}

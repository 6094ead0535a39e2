import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asFailure } from '../../../lib/api/api.ts'
import { q } from '../../../lib/api/query.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { EmptyState } from '../../../ui/feedback/states.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { DataTable, type RowAction, type TableTexts } from '../../../ui/table/DataTable.tsx'
import { type DirectoryEntity, directoryColumns } from './directory-columns.tsx'

const DirectoryPoliciesModal = loadableDialog(
  async () => (await import('./DirectoryPoliciesModal.tsx')).DirectoryPoliciesModal,
)

const texts: TableTexts = {
  name: msg('Directory (LDAP)'),
  empty: msg('No user or group of the directory has a policy yet. Without one they have no rights.'),
  noMatch: msg('No users or groups match the filter.'),
}
const entityId = ({ entityType, name }: DirectoryEntity) => `${entityType} ${name}`

/** The users and groups of the directory (LDAP) that have policies. */
export function DirectoryPage() {
  const t = useT()
  const query = useQuery(q('listDirectoryPolicies', {}))
  const needs = useDisabledReason()
  const [opened, setOpened] = useState<DirectoryEntity | 'new'>()
  const actions: RowAction<DirectoryEntity>[] = [
    {
      type: 'description',
      label: msg('Set Policies'),
      onClick: setOpened,
      disabled: () => needs('admin:AttachUserOrGroupPolicy'),
    },
  ]
  if (query.error && asFailure(query.error).code === 'XMinioLDAPNotEnabled') {
    return (
      <Page refresh={['listDirectoryPolicies']}>
        <NoDirectory />
      </Page>
    )
  }
  return (
    <Page
      refresh={['listDirectoryPolicies']}
      actions={
        <Disabled reason={needs('admin:AttachUserOrGroupPolicy')}>
          <Button variant="filled" leftSection={<Icon of={IconPlus} />} onClick={() => setOpened('new')}>
            {t('Attach Policies')}
          </Button>
        </Disabled>
      }
    >
      <DataTable
        name="directory"
        texts={texts}
        query={query}
        needs={{ action: 'admin:ListUserPolicies' }}
        rowId={entityId}
        columns={directoryColumns}
        actions={actions}
        defaultSort={{ key: 'name', desc: false }}
        filter={{ placeholder: msg('Search Users and Groups') }}
      />
      {opened !== undefined && (
        <DirectoryPoliciesModal
          {...(opened === 'new' ? {} : { entity: opened })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Page>
  )
}

function NoDirectory() {
  const t = useT()
  return (
    <EmptyState
      title={t('The storage server has no directory (LDAP).')}
      actions={
        <Button component={Link} to="/settings/configurations">
          {t('Open Configurations')}
        </Button>
      }
    >
      {t(
        'Set it up in the configuration Active Directory. Its users can then sign in, and policies can be attached to them.',
      )}
    </EmptyState>
  )
}

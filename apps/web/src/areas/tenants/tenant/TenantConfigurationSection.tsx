import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { change } from '../../../lib/changes/change.ts'
import { confirmDelete } from '../../../lib/feedback/confirm.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { Disabled } from '../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type RowAction } from '../../../ui/table/DataTable.tsx'
import { useKubePermissions } from '../cluster/use-kube-permissions.tsx'

const EnvironmentVariableModal = loadableDialog(
  async () => (await import('./EnvironmentVariableModal.tsx')).EnvironmentVariableModal,
)

interface EnvironmentVariable {
  key: string
  value: string
  secret: boolean
}

const columns: Column<EnvironmentVariable>[] = [
  { key: 'key', label: msg('Variable'), fixed: true, small: 'title', cell: ({ key }) => <code>{key}</code> },
  {
    key: 'value',
    label: msg('Value'),
    small: 'note',
    cell: ({ value, secret }) => (secret ? <HiddenValue /> : <code>{value || '–'}</code>),
  },
]

function HiddenValue() {
  const t = useT()
  return <span className="ink-3">{t('Not shown: it is a secret')}</span>
}

/** The environment variables of a tenant. */
export function TenantConfigurationSection({ namespace, tenant }: { namespace: string; tenant: string }) {
  const t = useT()
  const params = { namespace, tenant }
  const query = useQuery({
    ...q('getTenantConfiguration', { params }),
    select: ({ environmentVariables }) => environmentVariables,
  })
  const [editing, setEditing] = useState<EnvironmentVariable | 'new'>()
  const refused = useKubePermissions(['update secrets'], namespace)
  const remove = (key: string) =>
    confirmDelete({
      title: t('Delete Variable'),
      name: key,
      body: (
        <Trans text="<name/> will be removed, and the pods of the tenant restart." parts={{ name: <b>{key}</b> }} />
      ),
      run: () =>
        change(
          'updateTenantConfiguration',
          { params, body: { keysToBeDeleted: [key] } },
          { message: () => t('{{name}} deleted', { name: key }) },
        ),
    })
  const actions: RowAction<EnvironmentVariable>[] = [
    { type: 'edit', label: msg('Edit'), onClick: setEditing, disabled: () => refused('update secrets') },
    {
      type: 'delete',
      label: msg('Delete'),
      onClick: ({ key }) => remove(key),
      disabled: () => refused('update secrets'),
    },
  ]
  return (
    <>
      <DataTable
        name="variables"
        texts={{
          name: msg('Environment variables'),
          empty: msg('There are no environment variables.'),
          noMatch: msg('No variables match the filter.'),
        }}
        query={query}
        rowId={({ key }) => key}
        columns={columns}
        actions={actions}
        defaultSort={{ key: 'key', desc: false }}
        filter={{ placeholder: msg('Filter') }}
        tools={
          <Disabled reason={refused('update secrets')}>
            <Button size="xs" leftSection={<Icon of={IconPlus} />} onClick={() => setEditing('new')}>
              {t('Add Variable')}
            </Button>
          </Disabled>
        }
      />
      {editing && (
        <EnvironmentVariableModal
          {...params}
          variable={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}

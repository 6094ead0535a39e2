import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import { IconAddressBook, IconDownload, IconPlus, IconUpload, IconUserQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { useSearchParam } from '../../lib/navigation/navigate.ts'
import { pathTo } from '../../lib/navigation/pages.ts'
import { msg, useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { type Column, DataTable, type RowAction, type TableTexts } from '../../ui/table/DataTable.tsx'
import { askDeletePolicy } from './delete-policy.tsx'
import { type NameRow, rowName } from './name-rows.ts'

const CreatePolicyModal = loadableDialog(async () => (await import('./CreatePolicyModal.tsx')).CreatePolicyModal)

const ExportIamModal = loadableDialog(async () => (await import('./ExportIamModal.tsx')).ExportIamModal)
const ImportIamModal = loadableDialog(async () => (await import('./ImportIamModal.tsx')).ImportIamModal)

const texts: TableTexts = {
  name: msg('IAM Policies'),
  empty: msg('There are no Policies yet.'),
  noMatch: msg('No Policies match the filter.'),
}

const columns: Column<NameRow>[] = [
  {
    key: 'name',
    label: msg('Name'),
    fixed: true,
    small: 'title',
    cell: ({ name }) => (
      <Link to={pathTo('/policies/$policy/summary', { policy: name })} data-row-link title={name}>
        {name}
      </Link>
    ),
  },
]

const policyRows = ({ policies }: Output<'listPolicies'>): NameRow[] => policies.map(({ name }) => ({ name }))

/** The list of policies. */
export function PoliciesPage() {
  const t = useT()
  const query = useQuery({ ...q('listPolicies', {}), select: policyRows })
  const { data: strategy } = useQuery(q('getLoginStrategy', {}))
  const needs = useDisabledReason()
  const [creating, setCreating] = useSearchParam('create')
  const actions: RowAction<NameRow>[] = [
    { type: 'view', label: msg('View'), to: ({ name }) => pathTo('/policies/$policy/summary', { policy: name }) },
    {
      type: 'delete',
      label: msg('Delete'),
      onClick: ({ name }) => askDeletePolicy(name),
      disabled: () => needs('admin:DeletePolicy'),
    },
  ]
  return (
    <Page
      refresh={['listPolicies']}
      actions={
        <>
          {strategy?.directory && (
            <Button component={Link} to="/directory" leftSection={<Icon of={IconAddressBook} />}>
              {t('Directory (LDAP)')}
            </Button>
          )}
          <Button component={Link} to="/can-they" leftSection={<Icon of={IconUserQuestion} />}>
            {t('Can they?')}
          </Button>
          <Disabled reason={needs('admin:ExportIAM')}>
            <Button leftSection={<Icon of={IconDownload} />} onClick={() => setCreating('export')}>
              {t('Export')}
            </Button>
          </Disabled>
          <Disabled reason={needs('admin:ImportIAM')}>
            <Button leftSection={<Icon of={IconUpload} />} onClick={() => setCreating('import')}>
              {t('Import')}
            </Button>
          </Disabled>
          <Disabled reason={needs('admin:CreatePolicy')}>
            <Button variant="filled" leftSection={<Icon of={IconPlus} />} onClick={() => setCreating('policy')}>
              {t('Create Policy')}
            </Button>
          </Disabled>
        </>
      }
    >
      <DataTable
        name="policies"
        texts={texts}
        query={query}
        needs={{ action: 'admin:ListUserPolicies' }}
        rowId={rowName}
        columns={columns}
        actions={actions}
        defaultSort={{ key: 'name', desc: false }}
        filter={{ placeholder: msg('Search Policies') }}
      />
      {creating === 'policy' && <CreatePolicyModal onClose={() => setCreating(undefined)} />}
      {creating === 'export' && <ExportIamModal onClose={() => setCreating(undefined)} />}
      {creating === 'import' && <ImportIamModal onClose={() => setCreating(undefined)} />}
    </Page>
  )
}

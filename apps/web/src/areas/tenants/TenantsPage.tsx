import { Button } from '@mantine/core'
import type { TenantItem } from '@stowage/contract'
import { namespacesIn } from '@stowage/contract/tenants/namespaces'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asFailure } from '../../lib/api/api.ts'
import { q } from '../../lib/api/query.ts'
import { navigate } from '../../lib/navigation/navigate.ts'
import { pathTo } from '../../lib/navigation/pages.ts'
import { formatSize } from '../../lib/text/format.ts'
import { msg, plural, useT } from '../../lib/text/i18n.ts'
import { DataTable, type RowAction } from '../../ui/DataTable.tsx'
import { Disabled } from '../../ui/Disabled.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatusIcon } from '../../ui/StatusIcon.tsx'
import { tenantColumns } from './columns.tsx'
import { isInProgress } from './health.ts'
import { NamespacesForm } from './NamespacesForm.tsx'
import { NotFollowed } from './NotFollowed.tsx'
import { useRightsIn } from './rights.tsx'
import { useFollow } from './use-follow.ts'
import { useNamespaces } from './use-namespaces.ts'

const DeleteTenantModal = loadableDialog(async () => (await import('./DeleteTenantModal.tsx')).DeleteTenantModal)

const NONE: TenantItem[] = []
const rowId = ({ namespace, name }: TenantItem) => `${namespace}/${name}`
const KINDS = ['tenants'] as const
const EVERYWHERE = [undefined]
/** Refresh interval while a tenant is being changed and changes are not received (ms). */
const FOLLOW_MS = 3_000

/** The tenants of the cluster, or of the namespaces that the caller may see. */
export function TenantsPage() {
  const t = useT()
  const [namespaces, setNamespaces] = useNamespaces()
  const followed = useFollow(KINDS, namespaces)
  const query = useQuery({
    ...q('listTenants', { query: namespaces === undefined ? {} : { namespaces } }),
    select: (answer) => answer.tenants,
    refetchInterval: ({ state }) => (!followed.live && state.data?.tenants.some(isInProgress) ? FOLLOW_MS : false),
  })
  const [deleting, setDeleting] = useState<TenantItem>()
  // Users who entered namespaces may have rights there and nowhere else.
  const places = namespaces === undefined ? EVERYWHERE : namespacesIn(namespaces)
  const refused = useRightsIn(['create tenants.minio.min.io', 'delete tenants.minio.min.io'], places)
  const reasons = places.map((namespace) => refused('create tenants.minio.min.io', namespace))
  const tenants = query.data ?? NONE
  const actions: RowAction<TenantItem>[] = [
    {
      type: 'view',
      label: msg('View'),
      to: ({ namespace, name }) =>
        pathTo('/namespaces/$namespace/tenants/$tenant/summary', { namespace, tenant: name }),
    },
    {
      type: 'delete',
      label: msg('Delete'),
      onClick: setDeleting,
      disabled: ({ namespace }) =>
        refused('delete tenants.minio.min.io', namespaces === undefined ? undefined : namespace),
    },
  ]
  const ill = tenants.filter(({ health_status }) => health_status === 'red' || health_status === 'yellow').length
  const onlySome = namespaces === undefined && query.isError && asFailure(query.error).status === 403

  return (
    <Page
      facts={
        query.data ? (
          <>
            <span>{t(plural('{{count}} tenant', '{{count}} tenants'), { count: tenants.length })}</span>
            <span>
              {t('{{size}} capacity', { size: formatSize(tenants.reduce((sum, each) => sum + each.total_size, 0)) })}
            </span>
            <NotFollowed state={followed} />
            {ill > 0 && (
              <StatusIcon state="warn">
                {t(plural('{{count}} needs attention', '{{count}} need attention'), { count: ill })}
              </StatusIcon>
            )}
          </>
        ) : null
      }
      refresh={['listTenants']}
      actions={
        <Disabled reason={reasons.every(Boolean) && reasons[0]}>
          <Button variant="filled" leftSection={<Icon of={IconPlus} />} onClick={() => navigate('/tenants/add')}>
            {t('Create Tenant')}
          </Button>
        </Disabled>
      }
    >
      {onlySome || namespaces !== undefined ? <NamespacesForm value={namespaces} onChange={setNamespaces} /> : null}
      {!onlySome && (
        <DataTable
          name="tenants"
          texts={{
            name: msg('Tenants'),
            empty: msg('There are no Tenants yet.'),
            emptyHint: msg(
              'A tenant is a storage cluster of its own: servers, drives, users and buckets. Create one here.',
            ),
            noMatch: msg('No Tenants match the search.'),
          }}
          query={query}
          rowId={rowId}
          columns={tenantColumns}
          actions={actions}
          defaultSort={{ key: 'name', desc: false }}
          filter={{ placeholder: msg('Search Tenants'), text: ({ name }) => name }}
        />
      )}
      {deleting && (
        <DeleteTenantModal
          namespace={deleting.namespace}
          tenant={deleting.name}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => setDeleting(undefined)}
        />
      )}
    </Page>
  )
}

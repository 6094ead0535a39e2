import type { FormerTenant } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asFailure } from '../../lib/api/api.ts'
import { q } from '../../lib/api/query.ts'
import { msg, useT } from '../../lib/text/i18n.ts'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type RowAction } from '../../ui/table/DataTable.tsx'
import { Count, Size } from '../../ui/values/Size.tsx'
import { NamespacesForm } from '../tenants/cluster/NamespacesForm.tsx'
import { StaleDataNote } from '../tenants/cluster/StaleDataNote.tsx'
import { useClusterChanges } from '../tenants/cluster/use-cluster-changes.ts'
import { useNamespaces } from '../tenants/cluster/use-namespaces.ts'
import css from './volumes.module.css'

const DeleteLeftoversModal = loadableDialog(
  async () => (await import('./DeleteLeftoversModal.tsx')).DeleteLeftoversModal,
)

const rowId = ({ namespace, tenant }: FormerTenant) => `${namespace}/${tenant}`

const columns: Column<FormerTenant>[] = [
  { key: 'tenant', label: msg('Tenant'), fixed: true, small: 'title' },
  {
    key: 'namespace',
    label: msg('Namespace'),
    width: 180,
    small: 'note',
    cell: ({ namespace }) => <code>{namespace}</code>,
  },
  { key: 'volumes', label: msg('Volumes'), width: 96, align: 'right', cell: ({ volumes }) => <Count of={volumes} /> },
  {
    key: 'size',
    label: msg('Size'),
    width: 112,
    align: 'right',
    headerPad: 29,
    small: 'aside',
    cell: ({ size }) => <Size bytes={size} />,
  },
  {
    key: 'secrets',
    label: msg('Secrets'),
    width: 96,
    align: 'right',
    value: ({ secrets }) => secrets ?? -1,
    cell: ({ secrets }) => (secrets === null ? <span className="ink-3">–</span> : <Count of={secrets} />),
  },
]

const FOLLOWED_KINDS = ['tenants', 'persistentvolumeclaims'] as const

/** The volumes and secrets that deleted tenants left. */
export function FormerTenantsSection() {
  const t = useT()
  const [namespaces, setNamespaces] = useNamespaces()
  const query = useQuery({
    ...q('listFormerTenants', { query: namespaces === undefined ? {} : { namespaces } }),
    select: ({ tenants }) => tenants,
  })
  const [deleting, setDeleting] = useState<FormerTenant>()
  const actions: RowAction<FormerTenant>[] = [
    { type: 'delete', label: msg('Delete Volumes and Secrets'), onClick: setDeleting },
  ]
  const clusterChanges = useClusterChanges(FOLLOWED_KINDS, namespaces)
  const onlySome = namespaces === undefined && query.isError && asFailure(query.error).status === 403
  return (
    <>
      <h2 className={css.title}>
        {t('Former Tenants')} {query.data && <StaleDataNote state={clusterChanges} />}
      </h2>
      {(onlySome || namespaces !== undefined) && <NamespacesForm value={namespaces} onChange={setNamespaces} />}
      {!onlySome && (
        <DataTable
          name="former"
          texts={{
            name: msg('Former Tenants'),
            empty: msg('No deleted tenant has volumes or secrets left.'),
            noMatch: msg('No Former Tenants match the search.'),
          }}
          query={query}
          rowId={rowId}
          columns={columns}
          actions={actions}
          defaultSort={{ key: 'tenant', desc: false }}
          filter={{ placeholder: msg('Search Former Tenants'), text: ({ tenant }) => tenant }}
        />
      )}
      {deleting && (
        <DeleteLeftoversModal
          namespace={deleting.namespace}
          tenant={deleting.tenant}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  )
}

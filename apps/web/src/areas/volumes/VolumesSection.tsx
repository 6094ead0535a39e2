import type { TenantVolume } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { asFailure } from '../../lib/api/api.ts'
import { q } from '../../lib/api/query.ts'
import { msg, useT } from '../../lib/text/i18n.ts'
import type { RowAction } from '../../ui/table/DataTable.tsx'
import { NamespacesForm } from '../tenants/cluster/NamespacesForm.tsx'
import { StaleDataNote } from '../tenants/cluster/StaleDataNote.tsx'
import { useClusterChanges } from '../tenants/cluster/use-cluster-changes.ts'
import { useNamespaces } from '../tenants/cluster/use-namespaces.ts'
import { VolumesTable } from '../tenants/tenant/volumes/VolumesTable.tsx'
import { volumeColumns, volumeTenantPath } from '../tenants/tenant/volumes/volume-columns.tsx'
import css from './volumes.module.css'

const actions: RowAction<TenantVolume>[] = [{ type: 'view', label: msg('View'), to: volumeTenantPath }]

const FOLLOWED_KINDS = ['persistentvolumeclaims'] as const

/** The volumes of all tenants. */
export function VolumesSection() {
  const t = useT()
  const [namespaces, setNamespaces] = useNamespaces()
  const query = useQuery({
    ...q('listVolumes', { query: namespaces === undefined ? {} : { namespaces } }),
    select: ({ pvcs }) => pvcs,
  })
  const clusterChanges = useClusterChanges(FOLLOWED_KINDS, namespaces)
  const onlySome = namespaces === undefined && query.isError && asFailure(query.error).status === 403
  return (
    <>
      <h2 className={css.title}>
        {t('Volumes')} {query.data && <StaleDataNote state={clusterChanges} />}
      </h2>
      {(onlySome || namespaces !== undefined) && <NamespacesForm value={namespaces} onChange={setNamespaces} />}
      {!onlySome && <VolumesTable query={query} columns={volumeColumns} actions={actions} />}
    </>
  )
}

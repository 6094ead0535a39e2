import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../lib/api/query.ts'
import { VolumesTable } from './VolumesTable.tsx'
import { tenantVolumeColumns } from './volume-columns.tsx'

/** The volumes of a tenant. */
export function TenantVolumesSection({ namespace, tenant }: { namespace: string; tenant: string }) {
  const query = useQuery({ ...q('listTenantVolumes', { params: { namespace, tenant } }), select: ({ pvcs }) => pvcs })
  return <VolumesTable query={query} columns={tenantVolumeColumns} />
}

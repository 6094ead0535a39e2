import type { Volume } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { msg, useT } from '../../lib/text/i18n.ts'
import type { RowAction } from '../../ui/DataTable.tsx'
import { VolumesTable } from './VolumesTable.tsx'
import { tenantOf, volumeColumns } from './volume-columns.tsx'
import css from './volumes.module.css'

const actions: RowAction<Volume>[] = [{ type: 'view', label: msg('View'), to: tenantOf }]

/** The volumes of all tenants. */
export function VolumesSection() {
  const t = useT()
  const query = useQuery({ ...q('listVolumes', {}), select: ({ pvcs }) => pvcs })
  return (
    <>
      <h2 className={css.title}>{t('Volumes')}</h2>
      <VolumesTable query={query} columns={volumeColumns} actions={actions} />
    </>
  )
}

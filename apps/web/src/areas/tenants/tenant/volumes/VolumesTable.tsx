import type { TenantVolume } from '@stowage/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { msg } from '../../../../lib/text/i18n.ts'
import { type Column, DataTable, type RowAction } from '../../../../ui/table/DataTable.tsx'
import { volumeId } from './volume-columns.tsx'

interface VolumesTableProps {
  query: UseQueryResult<TenantVolume[]>
  columns: Column<TenantVolume>[]
  actions?: RowAction<TenantVolume>[]
}

/** A table of volumes, of one tenant or of all. */
export function VolumesTable({ query, columns, actions = [] }: VolumesTableProps) {
  return (
    <DataTable
      name="volumes"
      texts={{
        name: msg('Volumes'),
        empty: msg('There are no Volumes yet.'),
        noMatch: msg('No Volumes match the search.'),
      }}
      query={query}
      rowId={volumeId}
      columns={columns}
      actions={actions}
      defaultSort={{ key: 'name', desc: false }}
      filter={{ placeholder: msg('Search Volumes (PVCs)'), text: ({ name }) => name }}
    />
  )
}

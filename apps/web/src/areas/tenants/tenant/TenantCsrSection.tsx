import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { msg } from '../../../lib/text/i18n.ts'
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx'
import { Time } from '../../../ui/values/Time.tsx'

interface Csr {
  name: string
  status: string
  signer: string
  created: string
}

const columns: Column<Csr>[] = [
  { key: 'name', label: msg('Name'), fixed: true, small: 'title' },
  { key: 'status', label: msg('Status'), width: 140, small: 'note' },
  { key: 'signer', label: msg('Signer'), width: 260, yields: 1 },
  { key: 'created', label: msg('Created'), width: 140, small: 'aside', cell: ({ created }) => <Time at={created} /> },
]

/** The certificate signing requests of a tenant. */
export function TenantCsrSection({ namespace, tenant }: { namespace: string; tenant: string }) {
  const query = useQuery({
    ...q('listTenantCsrs', { params: { namespace, tenant } }),
    select: ({ csrElement }) => csrElement,
  })
  return (
    <DataTable
      name="csr"
      texts={{
        name: msg('Requests for certificates'),
        empty: msg('There are no requests for certificates.'),
        noMatch: msg('No requests match the filter.'),
      }}
      query={query}
      rowId={({ name }) => name}
      columns={columns}
      defaultSort={{ key: 'name', desc: false }}
      filter={{ placeholder: msg('Filter') }}
    />
  )
}

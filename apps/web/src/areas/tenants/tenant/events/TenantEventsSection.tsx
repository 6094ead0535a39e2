import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../lib/api/query.ts'
import { EventsTable } from './EventsTable.tsx'

/** The events of a tenant. */
export function TenantEventsSection({ namespace, tenant }: { namespace: string; tenant: string }) {
  return <EventsTable query={useQuery(q('listTenantEvents', { params: { namespace, tenant } }))} />
}

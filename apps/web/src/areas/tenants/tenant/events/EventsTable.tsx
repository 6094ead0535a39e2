import type { KubeEvent } from '@stowage/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { msg } from '../../../../lib/text/i18n.ts'
import { DataTable } from '../../../../ui/table/DataTable.tsx'
import { eventColumns, eventId } from './event-columns.tsx'

/** Kubernetes events about one object, newest first. */
export function EventsTable({ query }: { query: UseQueryResult<KubeEvent[]> }) {
  return (
    <DataTable
      name="events"
      texts={{
        name: msg('Events'),
        empty: msg('There are no Events yet.'),
        noMatch: msg('No Events match the filter.'),
      }}
      query={query}
      rowId={eventId}
      columns={eventColumns}
      defaultSort={{ key: 'last_seen', desc: true }}
      filter={{ placeholder: msg('Filter'), text: ({ message, reason }) => `${reason} ${message}` }}
    />
  )
}

import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { change } from '../../../lib/changes/change.ts'
import { confirmDelete } from '../../../lib/feedback/confirm.ts'
import { msg, t, useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { AddButton } from '../../../ui/controls/ListButtons.tsx'
import { EmptyState } from '../../../ui/feedback/states.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type RowAction, type TableTexts } from '../../../ui/table/DataTable.tsx'
import css from '../styles/buckets.module.css'

const SubscribeModal = loadableDialog(async () => (await import('./SubscribeModal.tsx')).SubscribeModal)

type BucketEvent = Output<'listBucketEvents'>['events'][number]

const texts: TableTexts = {
  name: msg('Events'),
  empty: msg('There are no Events yet.'),
  noMatch: msg('No Events match the filter.'),
}

const columns: Column<BucketEvent>[] = [
  { key: 'arn', label: msg('SQS'), fixed: true, small: 'title', cell: ({ arn }) => <code title={arn}>{arn}</code> },
  { key: 'events', label: msg('Events'), width: 200, small: 'note', value: eventsText, cell: eventsText },
  { key: 'prefix', label: msg('Prefix'), width: 180, yields: 1, small: 'aside', cell: ({ prefix }) => prefix || '–' },
  { key: 'suffix', label: msg('Suffix'), width: 120, yields: 2, cell: ({ suffix }) => suffix || '–' },
]

function eventsText({ events }: BucketEvent): string {
  return events.join(', ')
}

const eventRows = ({ events }: Output<'listBucketEvents'>) => events
// Also used in the accessible names of the row actions.
const eventId = ({ arn, events, prefix, suffix }: BucketEvent) => `${arn} (${events.join(', ')}) ${prefix}*${suffix}`

/** Lists the targets that receive events of the bucket. */
export function BucketEventsSection({ bucket }: { bucket: string }) {
  const t = useT()
  const query = useQuery({ ...q('listBucketEvents', { params: { bucket } }), select: eventRows })
  const needs = useDisabledReason({ bucket })
  const [subscribing, setSubscribing] = useState(false)
  const missing = needs('s3:PutBucketNotification')
  const actions: RowAction<BucketEvent>[] = [
    { type: 'delete', label: msg('Delete'), onClick: (row) => askDelete(bucket, row), disabled: () => missing },
  ]
  const subscribe = (
    <AddButton reason={missing} onClick={() => setSubscribing(true)}>
      {t('Subscribe to Event')}
    </AddButton>
  )
  return (
    <div className={css.list}>
      <DataTable
        name="bucket-events"
        texts={texts}
        query={query}
        needs={{ action: 's3:GetBucketNotification', bucket }}
        rowId={eventId}
        columns={columns}
        actions={actions}
        tools={subscribe}
        empty={
          <EmptyState title={t(texts.empty)}>
            {t('A subscription sends a message to a notification target when objects are written, read or deleted.')}
          </EmptyState>
        }
      />
      {subscribing && <SubscribeModal bucket={bucket} onClose={() => setSubscribing(false)} />}
    </div>
  )
}

function askDelete(bucket: string, { arn, events, prefix, suffix }: BucketEvent) {
  confirmDelete({
    title: t('Delete Event'),
    name: arn,
    body: (
      <Trans
        text="Events of <bucket/> are no longer sent to this target: <events/>."
        parts={{ bucket: <b>{bucket}</b>, events: events.join(', ') }}
      />
    ),
    run: () =>
      change(
        'deleteBucketEvent',
        { params: { bucket, arn }, body: { events, prefix, suffix } },
        { message: () => t('Event deleted') },
      ),
  })
}

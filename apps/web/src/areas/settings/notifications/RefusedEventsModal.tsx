import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import type { NotificationEndpoint } from '@stowage/contract/notification-targets/notification-targets'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { change, useChange } from '../../../lib/changes/change.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import { msg, plural, useT } from '../../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import formCss from '../../../ui/dialog/FormModal.module.css'
import { WIDE_DIALOG_WIDTH } from '../../../ui/dialog/FormModal.tsx'
import { ErrorBanner } from '../../../ui/feedback/ErrorBanner.tsx'
import { type Column, DataTable, type TableTexts } from '../../../ui/table/DataTable.tsx'
import { Time } from '../../../ui/values/Time.tsx'

type RefusedEvents = Output<'listRefusedEvents'>
/** With an ID, because two events of one object may be rejected in the same millisecond. */
type RefusedEventRow = RefusedEvents['events'][number] & { id: string }

const refusedEventRows = ({ events }: RefusedEvents): RefusedEventRow[] =>
  events.map((event, index) => ({ ...event, id: `${index}` }))

const texts: TableTexts = {
  name: msg('Refused Events'),
  empty: msg('There are no refused events.'),
  noMatch: msg('No refused events match the filter.'),
}

const columns: Column<RefusedEventRow>[] = [
  {
    key: 'time',
    label: msg('Time'),
    width: 180,
    small: 'title',
    cell: ({ time }) => <Time at={time} exact />,
  },
  { key: 'key', label: msg('Object'), fixed: true, small: 'whole', cell: ({ key }) => <span title={key}>{key}</span> },
  {
    key: 'reason',
    label: msg('Reason'),
    small: 'whole',
    cell: ({ reason }) => (
      // Text of the target.
      <span lang="en" title={reason}>
        {reason}
      </span>
    ),
  },
]

interface RefusedEventsModalProps {
  target: NotificationEndpoint
  onClose: () => void
}

/** The dialog with events that a target rejected permanently; they can be sent again or deleted. */
export function RefusedEventsModal({ target, onClose }: RefusedEventsModalProps) {
  const t = useT()
  const reason = useDisabledReason()('admin:ConfigUpdate')
  const params = { service: target.service as 'webhook', account_id: target.account_id }
  const query = useQuery({ ...q('listRefusedEvents', { params }), select: refusedEventRows })
  const resend = useChange('resendRefusedEvents', {
    onDone: onClose,
    message: ({ count }) => t(plural('{{count}} event is sent again', '{{count}} events are sent again'), { count }),
  })
  const askDrop = () => {
    onClose()
    confirm({
      title: t('Drop Refused Events'),
      subject: target.account_id,
      body: t('The target never receives these events.'),
      action: t('Drop'),
      danger: true,
      run: () => change('dropRefusedEvents', { params }, { message: () => t('Refused events dropped') }),
    })
  }
  return (
    <Dialog title={t('Refused Events')} onClose={onClose} size={WIDE_DIALOG_WIDTH} busy={resend.isPending}>
      <div className={formCss.body}>
        <p className="ink-2">{t('Fix the problem that the target reports, then send the events again.')}</p>
        {resend.error && <ErrorBanner error={resend.error} />}
      </div>
      <DataTable
        name="refused"
        texts={texts}
        query={query}
        needs={{ action: 'admin:ConfigUpdate' }}
        rowId={({ id }) => id}
        columns={columns}
      />
      <div className={formCss.foot}>
        <div className="grow" />
        <Button onClick={onClose}>{t('Close')}</Button>
        <Disabled reason={reason}>
          <Button variant="danger" onClick={askDrop}>
            {t('Drop')}
          </Button>
        </Disabled>
        <Disabled reason={reason}>
          <Button variant="filled" onClick={() => resend.run({ params, body: {} })} {...whileBusy(resend.isPending)}>
            {t('Send Again')}
          </Button>
        </Disabled>
      </div>
    </Dialog>
  )
}

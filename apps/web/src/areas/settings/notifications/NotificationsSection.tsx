import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import type { NotificationEndpoint } from '@stowage/contract/notification-targets/notification-targets'
import { IconMailOff, IconPlus, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { change } from '../../../lib/changes/change.ts'
import { recordSaved } from '../../../lib/changes/server-restart.ts'
import { confirmDelete } from '../../../lib/feedback/confirm.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import { navigate, useSearchParam } from '../../../lib/navigation/navigate.ts'
import { withSearch } from '../../../lib/navigation/pages.ts'
import { formatCount } from '../../../lib/text/format.ts'
import { msg, plural, t, useT } from '../../../lib/text/i18n.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { StatusIcon, type StatusIconState } from '../../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type TableTexts } from '../../../ui/table/DataTable.tsx'
import { SettingForm } from '../form/SettingForm.tsx'
import { SlidingPanel } from '../form/SlidingPanel.tsx'
import { notificationTitle } from '../form/setting-labels.ts'
import { setTargetEnabled } from '../form/target-actions.ts'
import css from '../settings.module.css'
import { NotificationKindPicker } from './NotificationKindPicker.tsx'

const RefusedEventsModal = loadableDialog(async () => (await import('./RefusedEventsModal.tsx')).RefusedEventsModal)

const LIST = '/settings/notifications'
const PICK = ':pick'

const texts: TableTexts = {
  name: msg('Lambda Notifications'),
  empty: msg('There are no notification targets yet.'),
  emptyHint: msg('A target receives the events of buckets that subscribe to it.'),
  noMatch: msg('No notification targets match the filter.'),
}

const targetSubsystem = ({ service }: NotificationEndpoint) =>
  `notify_${service === 'postgresql' ? 'postgres' : service}`

/** Offline is grey, as in the original console; the word says the same. */
const MARKS: Readonly<Record<string, StatusIconState>> = { online: 'ok', offline: 'off', off: 'off' }

function statusText(status: string): string {
  switch (status) {
    case 'online':
      return t('Online')
    case 'offline':
      return t('Offline')
    case 'off':
      return t('Disabled')
    default:
      return t('Not started')
  }
}

const columns: Column<NotificationEndpoint>[] = [
  {
    key: 'status',
    label: msg('Status'),
    width: 116,
    fixed: true,
    small: 'aside',
    cell: ({ status }) => <StatusIcon state={MARKS[status] ?? 'warn'}>{statusText(status)}</StatusIcon>,
  },
  {
    key: 'service',
    label: msg('Service'),
    width: 120,
    fixed: true,
    small: 'title',
    value: (row) => notificationTitle(targetSubsystem(row)),
    cell: (row) => (
      <Link to={editPath(row)} data-row-link>
        {notificationTitle(targetSubsystem(row))}
      </Link>
    ),
  },
  { key: 'account_id', label: msg('Identifier'), width: 100, small: 'note' },
  {
    key: 'queued',
    label: msg('Waiting'),
    width: 84,
    align: 'right',
    value: ({ queued = 0 }) => queued,
    cell: ({ queued }) => (queued === undefined ? '–' : formatCount(queued)),
  },
  {
    key: 'lastError',
    label: msg('Last Error'),
    yields: 2,
    small: 'whole',
    value: deliveryProblem,
    // Text of the server, which is in English.
    cell: (row) => (
      <span lang="en" title={deliveryProblem(row)}>
        {deliveryProblem(row) || '–'}
      </span>
    ),
  },
  {
    key: 'arn',
    label: msg('ARN'),
    width: 150,
    yields: 1,
    cell: ({ arn }) => (
      <span className="mono small" title={arn}>
        {arn || '–'}
      </span>
    ),
  },
]

/** Returns why a target receives no events, or how many events it rejected. */
function deliveryProblem({ lastError, refused = 0, dropped = 0, status, waiting }: NotificationEndpoint): string {
  return [
    lastError,
    waiting && status !== 'off' ? t('Starts when the server is restarted') : undefined,
    refused > 0
      ? t(plural('{{count}} event refused for good', '{{count}} events refused for good'), { count: refused })
      : undefined,
    dropped > 0
      ? t(plural('{{count}} event dropped: the queue was full', '{{count}} events dropped: the queue was full'), {
          count: dropped,
        })
      : undefined,
  ]
    .filter((part) => part !== undefined)
    .join('; ')
}

const configTarget = (row: NotificationEndpoint) => ({ name: targetSubsystem(row), target: row.account_id })
const editPath = (row: NotificationEndpoint) =>
  withSearch(LIST, { service: targetSubsystem(row), target: row.account_id })

const notificationEndpoints = ({
  notification_endpoints,
}: Output<'listNotificationEndpoints'>): NotificationEndpoint[] => notification_endpoints

/** The notification targets. Adding one slides to the list of kinds, and from there to a form. */
export function NotificationsSection() {
  const t = useT()
  const [service] = useSearchParam('service')
  const [target] = useSearchParam('target')
  if (service === PICK) {
    return (
      <SlidingPanel step="pick" depth={1}>
        <NotificationKindPicker list={LIST} />
      </SlidingPanel>
    )
  }
  if (service !== undefined) {
    const isNew = target === undefined
    const values = { service: notificationTitle(service) }
    return (
      <SlidingPanel step={`${service}:${target}`} depth={2}>
        <SettingForm
          key={`${service}:${target}`}
          name={service}
          target={target}
          title={
            isNew
              ? t('{{service}} - Add Lambda Notification Target', values)
              : t('{{service}} - Edit Lambda Notification Target', values)
          }
          back={
            isNew
              ? { label: t('Back To Supported Services'), to: withSearch(LIST, { service: PICK }) }
              : { label: t('Back To Lambda Notifications'), to: LIST }
          }
          onSaved={() => navigate(LIST)}
          {...(target !== undefined && { about: <TargetArn name={service} target={target} /> })}
        />
      </SlidingPanel>
    )
  }
  return (
    <SlidingPanel step="list" depth={0}>
      <TargetList />
    </SlidingPanel>
  )
}

/** The ARN of a target, which the list may shorten. */
function TargetArn({ name, target }: { name: string; target: string }) {
  const t = useT()
  const { data } = useQuery({ ...q('listNotificationEndpoints', {}), select: notificationEndpoints })
  const arn = data?.find((row) => targetSubsystem(row) === name && row.account_id === target)?.arn
  if (!arn) return null
  return (
    <p className={css.arn}>
      <span>{t('ARN')}</span>
      <code>{arn}</code>
      <CopyButton text={arn} name={t('ARN')} />
    </p>
  )
}

function TargetList() {
  const t = useT()
  const needs = useDisabledReason()
  const query = useQuery({ ...q('listNotificationEndpoints', {}), select: notificationEndpoints })
  const disabled = () => needs('admin:ConfigUpdate')
  const [refused, setRefused] = useState<NotificationEndpoint>()
  return (
    <>
      <DataTable
        name="targets"
        texts={texts}
        query={query}
        needs={{ action: 'admin:ServerInfo' }}
        rowId={({ service, account_id }) => `${service}:${account_id}`}
        columns={columns}
        defaultSort={{ key: 'service', desc: false }}
        filter={{
          placeholder: msg('Filter'),
          text: (row) => `${notificationTitle(targetSubsystem(row))} ${row.service} ${row.account_id}`,
        }}
        actions={[
          { type: 'edit', label: msg('Edit'), to: editPath },
          {
            type: 'share',
            label: msg('Test'),
            icon: IconSend,
            onClick: (row) => void testTarget(row),
            disabled,
          },
          {
            type: 'disable',
            label: msg('Disable'),
            onClick: (row) => void setTargetEnabled(configTarget(row), 'off'),
            hidden: ({ status }) => status === 'off',
            disabled,
          },
          {
            type: 'view',
            label: msg('Enable'),
            onClick: (row) => void setTargetEnabled(configTarget(row), 'on'),
            hidden: ({ status }) => status !== 'off',
            disabled,
          },
          {
            type: 'view',
            label: msg('Refused Events'),
            icon: IconMailOff,
            onClick: setRefused,
            hidden: ({ refused = 0 }) => refused === 0,
            disabled,
          },
          { type: 'delete', label: msg('Delete'), onClick: askDeleteTarget, disabled },
        ]}
        tools={
          <Disabled reason={needs('admin:ConfigUpdate')}>
            <Button
              size="xs"
              variant="filled"
              leftSection={<Icon of={IconPlus} />}
              onClick={() => navigate(withSearch(LIST, { service: PICK }))}
            >
              {t('Add Notification Target')}
            </Button>
          </Disabled>
        }
      />
      {refused && <RefusedEventsModal target={refused} onClose={() => setRefused(undefined)} />}
    </>
  )
}

const endpointParams = ({ service, account_id }: NotificationEndpoint) =>
  // The service names come from the server; the console's server rejects an unknown one.
  ({ service: service as 'webhook', account_id })

async function testTarget(row: NotificationEndpoint): Promise<void> {
  try {
    await change(
      'testNotificationEndpoint',
      { params: endpointParams(row), body: {} },
      {
        message: ({ duration, sent }) =>
          sent
            ? t('The target accepted a test event after {{duration}} ms', { duration })
            : t('The server has reached the target in {{duration}} ms. The history has a new entry.', { duration }),
      },
    )
  } catch (error) {
    toast.failure(error)
  }
}

/** Names the buckets whose rules use the target. */
function DeleteWarning({ target }: { target: NotificationEndpoint }) {
  const t = useT()
  const { data } = useQuery({ ...q('listTargetBuckets', { params: endpointParams(target) }), staleTime: 0 })
  const more = data === undefined ? 0 : data.total - data.buckets.length
  return (
    <div className={css.warning}>
      <p>{t('Rules of buckets that name this target send no more events. Events that wait for it are lost.')}</p>
      {data === undefined && <p>{t('Looking for buckets whose rules use it …')}</p>}
      {data !== undefined && data.total === 0 && data.complete && <p>{t('No rule of a bucket uses it.')}</p>}
      {data !== undefined && data.total > 0 && (
        <>
          <p>{t(plural('{{count}} bucket uses it:', '{{count}} buckets use it:'), { count: data.total })}</p>
          <ul>
            {data.buckets.map((bucket) => (
              <li key={bucket}>{bucket}</li>
            ))}
            {more > 0 && <li>{t(plural('and {{count}} more', 'and {{count}} more'), { count: more })}</li>}
          </ul>
        </>
      )}
      {data?.complete === false && <p>{t('You may not see the rules of all buckets.')}</p>}
    </div>
  )
}

function askDeleteTarget(row: NotificationEndpoint) {
  confirmDelete({
    title: t('Delete Notification Target'),
    name: `${notificationTitle(targetSubsystem(row))} ${row.account_id}`,
    body: <DeleteWarning target={row} />,
    run: () =>
      change(
        'deleteNotificationEndpoint',
        { params: endpointParams(row) },
        { message: (answer) => recordSaved(answer) },
      ),
  })
}

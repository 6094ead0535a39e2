import type { TenantPod } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../../lib/api/query.ts'
import { pathTo } from '../../../../lib/navigation/pages.ts'
import { formatDuration, formatList } from '../../../../lib/text/format.ts'
import { msg, plural, useT } from '../../../../lib/text/i18n.ts'
import { Link } from '../../../../ui/controls/Link.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { StatusIcon, type StatusIconState } from '../../../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type RowAction } from '../../../../ui/table/DataTable.tsx'
import { Count } from '../../../../ui/values/Size.tsx'
import { groupPodsByMessage, parseScheduling } from '../../cluster/scheduling.ts'
import { useKubePermissions } from '../../cluster/use-kube-permissions.tsx'
import css from '../../tenants.module.css'

const DeletePodModal = loadableDialog(async () => (await import('./DeletePodModal.tsx')).DeletePodModal)

const MARKS: Readonly<Record<string, StatusIconState>> = {
  Running: 'ok',
  Pending: 'warn',
  Failed: 'bad',
  Terminating: 'run',
  Succeeded: 'ok',
}

const podColumns = (namespace: string, tenant: string): Column<TenantPod>[] => [
  {
    key: 'name',
    label: msg('Name'),
    fixed: true,
    small: 'title',
    cell: ({ name }) => (
      <Link
        to={pathTo('/namespaces/$namespace/tenants/$tenant/pods/$pod', { namespace, tenant, pod: name })}
        data-row-link
      >
        {name}
      </Link>
    ),
  },
  {
    key: 'status',
    label: msg('Status'),
    width: 120,
    small: 'note',
    cell: ({ status }) => <StatusIcon state={MARKS[status] ?? 'unknown'}>{status}</StatusIcon>,
  },
  {
    key: 'timeCreated',
    label: msg('Age'),
    width: 130,
    value: ({ timeCreated }) => -timeCreated,
    small: 'aside',
    cell: ({ timeCreated }) => <span className="ink-2">{formatDuration(Date.now() / 1000 - timeCreated)}</span>,
  },
  { key: 'podIP', label: msg('Pod IP'), width: 120, cell: ({ podIP }) => <code>{podIP || '–'}</code> },
  {
    key: 'restarts',
    label: msg('Restarts'),
    width: 96,
    align: 'right',
    cell: ({ restarts }) => <Count of={restarts} />,
  },
  { key: 'node', label: msg('Node'), width: 130, cell: ({ node }) => node || '–' },
]

/** Explains why pods are not running. If they have no node: how many nodes refuse them, why, and what helps. */
function PendingPodsNotice({ message, names }: { message: string; names: readonly string[] }) {
  const t = useT()
  const scheduling = parseScheduling(message)
  const pods = formatList(names)
  if (!scheduling)
    return (
      <Banner kind="warn" title={pods}>
        {message}
      </Banner>
    )
  return (
    <Banner
      kind="warn"
      title={t(plural('{{pods}} has no node.', '{{pods}} have no node.'), { count: names.length, pods })}
    >
      <dl className={css.causes}>
        {scheduling.causes.map(({ count, cause }) => (
          <div key={cause} className={css.fact}>
            <dt>{t(plural('{{count}} node', '{{count}} nodes'), { count })}</dt>
            <dd>{cause}</dd>
          </div>
        ))}
      </dl>
      {scheduling.rest !== '' && <p>{scheduling.rest}</p>}
      {scheduling.remedies.map((remedy) => (
        <p key={remedy}>{t(remedy)}</p>
      ))}
    </Banner>
  )
}

/** The pods of a tenant. If one cannot be scheduled, a banner above explains why. */
export function PodsSection({ namespace, tenant }: { namespace: string; tenant: string }) {
  const t = useT()
  const params = { namespace, tenant }
  const query = useQuery(q('listTenantPods', { params }))
  const [deleting, setDeleting] = useState<string>()
  const refused = useKubePermissions(['delete pods'], namespace)
  const [columns] = useState(() => podColumns(namespace, tenant))
  const { data: image = '' } = useQuery({ ...q('getTenant', { params }), select: (answer) => answer.image })
  const servers = (query.data ?? []).filter((pod) => pod.image !== '')
  const updated = servers.filter((pod) => pod.image === image && pod.ready)
  const isUpdating = image !== '' && servers.some((pod) => pod.image !== image)
  const stuck = (query.data ?? []).filter(({ message }) => message !== '')
  const actions: RowAction<TenantPod>[] = [
    {
      type: 'view',
      label: msg('View'),
      to: ({ name }) => pathTo('/namespaces/$namespace/tenants/$tenant/pods/$pod', { ...params, pod: name }),
    },
    {
      type: 'delete',
      label: msg('Delete'),
      onClick: ({ name }) => setDeleting(name),
      disabled: () => refused('delete pods'),
    },
  ]
  return (
    <>
      {query.isError && query.data === undefined && (
        <div className={css.body}>
          <Banner kind="bad">{t('Error loading pods')}</Banner>
        </div>
      )}
      {isUpdating && (
        <div className={css.body}>
          <StatusIcon state="run">
            {t(plural('{{done}} of {{count}} pod runs {{image}}', '{{done}} of {{count}} pods run {{image}}'), {
              done: updated.length,
              count: servers.length,
              image,
            })}
          </StatusIcon>
        </div>
      )}
      {stuck.length > 0 && (
        <div className={css.body}>
          {groupPodsByMessage(stuck).map(({ message, names }) => (
            <PendingPodsNotice key={message} message={message} names={names} />
          ))}
        </div>
      )}
      <DataTable
        name="pods"
        texts={{ name: msg('Pods'), empty: msg('There are no Pods yet.'), noMatch: msg('No Pods match the filter.') }}
        query={query}
        rowId={({ name }) => name}
        columns={columns}
        actions={actions}
        defaultSort={{ key: 'name', desc: false }}
        filter={{ placeholder: msg('Filter') }}
      />
      {deleting !== undefined && <DeletePodModal {...params} pod={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}

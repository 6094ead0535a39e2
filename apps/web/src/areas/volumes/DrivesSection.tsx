import { Button } from '@mantine/core'
import type { DirectDrive, FormatIssue } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { msg, useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { Disabled } from '../../ui/controls/Disabled.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { ErrorBanner } from '../../ui/feedback/ErrorBanner.tsx'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type RowAction } from '../../ui/table/DataTable.tsx'
import { Count, Size } from '../../ui/values/Size.tsx'
import { StaleDataNote } from '../tenants/cluster/StaleDataNote.tsx'
import { useClusterChanges } from '../tenants/cluster/use-cluster-changes.ts'
import { useKubePermissions } from '../tenants/cluster/use-kube-permissions.tsx'
import css from './volumes.module.css'

const FormatDrivesModal = loadableDialog(async () => (await import('./FormatDrivesModal.tsx')).FormatDrivesModal)
const FormatIssuesModal = loadableDialog(async () => (await import('./FormatIssuesModal.tsx')).FormatIssuesModal)

const NO_DRIVES: DirectDrive[] = []
/** The right to format drives. */
const FORMAT_PERMISSIONS = {
  'direct-csi': 'update directcsidrives.direct.csi.min.io',
  directpv: 'create directpvinitrequests.directpv.min.io',
} as const
const ALL_FORMAT_PERMISSIONS = Object.values(FORMAT_PERMISSIONS)
/** What to follow. */
const FOLLOWED_KINDS = {
  'direct-csi': ['directcsidrives', 'directcsivolumes'],
  directpv: ['directpvdrives', 'directpvnodes'],
} as const
/** Returns a key that is unique in the cluster: two nodes can have drives with the same name. */
export const driveKey = ({ node, drive }: DirectDrive) => `${node}:${drive}`
const DOCUMENTATION = 'https://github.com/minio/direct-csi'

const columns: Column<DirectDrive>[] = [
  { key: 'drive', label: msg('Drive'), fixed: true, small: 'title', cell: ({ drive }) => <code>{drive}</code> },
  {
    key: 'capacity',
    label: msg('Capacity'),
    width: 112,
    align: 'right',
    headerPad: 29,
    small: 'aside',
    cell: ({ capacity }) => <Size bytes={capacity} />,
  },
  {
    key: 'allocated',
    label: msg('Allocated'),
    width: 112,
    align: 'right',
    headerPad: 29,
    cell: ({ allocated }) => <Size bytes={allocated} />,
  },
  { key: 'volumes', label: msg('Volumes'), width: 96, align: 'right', cell: ({ volumes }) => <Count of={volumes} /> },
  { key: 'node', label: msg('Node'), width: 160, small: 'note' },
  {
    key: 'status',
    label: msg('Status'),
    width: 160,
    small: 'extra',
    cell: ({ status, message }) => (
      <StatusIcon state={message ? 'warn' : status === 'Unavailable' || status === 'Error' ? 'bad' : 'ok'}>
        <span title={message}>{status}</span>
      </StatusIcon>
    ),
  },
]

/** The local drives of the cluster. */
export function DrivesSection() {
  const t = useT()
  const all = { ...q('listDrives', { query: {} }), retry: false }
  const query = useQuery({ ...all, select: ({ drives }) => drives })
  const { data: manager = 'direct-csi' } = useQuery({ ...all, select: (answer) => answer.manager })
  const drives = query.data ?? NO_DRIVES
  const [formatting, setFormatting] = useState<{ drives: DirectDrive[]; all: boolean; clear?: () => void }>()
  const [issues, setIssues] = useState<FormatIssue[]>([])
  const permissions = useKubePermissions(ALL_FORMAT_PERMISSIONS)
  const refused = permissions(FORMAT_PERMISSIONS[manager])
  const actions: RowAction<DirectDrive>[] = [
    {
      type: 'format',
      label: msg('Format Drive'),
      onClick: (drive) => setFormatting({ drives: [drive], all: false }),
      disabled: () => refused,
    },
  ]
  const failed = query.isError && query.data === undefined
  const clusterChanges = useClusterChanges(query.data ? FOLLOWED_KINDS[manager] : [])
  return (
    <>
      <h2 className={css.title}>
        {t('Drives')} {query.data && <StaleDataNote state={clusterChanges} />}
      </h2>
      {failed && (
        <div className={css.notice}>
          <ErrorBanner error={query.error} />
          <Banner kind="warn">
            <Trans
              text="We are unable to list the drives. To manage locally attached drives you need to install direct-csi. See its <link/>."
              parts={{
                link: (
                  <a className="link" href={DOCUMENTATION} target="_blank" rel="noopener noreferrer">
                    {t('documentation')}
                  </a>
                ),
              }}
            />
          </Banner>
        </div>
      )}
      <DataTable
        name="drives"
        texts={{
          name: msg('Drives'),
          empty: msg('There are no Drives yet.'),
          noMatch: msg('No Drives match the search.'),
        }}
        // The error is shown above; the controls remain visible but disabled.
        query={failed ? { ...query, ...EMPTY_QUERY } : query}
        rowId={driveKey}
        columns={columns}
        actions={actions}
        defaultSort={{ key: 'drive', desc: false }}
        filter={{ placeholder: msg('Search Drives'), text: ({ drive }) => drive }}
        tools={
          <span className={css.tools}>
            <Disabled reason={failed ? t('The drives are not known') : t('Select drives first')}>
              <Button size="xs">{t('Format Selected Drives')}</Button>
            </Disabled>
            <Disabled reason={failed ? t('The drives are not known') : refused}>
              <Button size="xs" disabled={drives.length === 0} onClick={() => setFormatting({ drives, all: true })}>
                {t('Format All Drives')}
              </Button>
            </Disabled>
          </span>
        }
        selection={{
          actions: (rows, clear) => (
            <Disabled reason={refused}>
              <Button size="xs" variant="danger" onClick={() => setFormatting({ drives: rows, all: false, clear })}>
                {t('Format Selected Drives')}
              </Button>
            </Disabled>
          ),
        }}
      />
      {formatting && (
        <FormatDrivesModal
          drives={formatting.drives}
          all={formatting.all}
          onClose={() => setFormatting(undefined)}
          onDone={(found) => {
            setFormatting(undefined)
            formatting.clear?.()
            setIssues(found)
          }}
        />
      )}
      {issues.length > 0 && <FormatIssuesModal issues={issues} onClose={() => setIssues([])} />}
    </>
  )
}

/** A query without data; its error is shown elsewhere. */
const EMPTY_QUERY = { data: NO_DRIVES, isError: false, isSuccess: true, error: null, isPending: false } as const

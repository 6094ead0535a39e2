import { Button } from '@mantine/core'
import { IconPlus, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useMemo, useState } from 'react'
import { call } from '../../../lib/api/api.ts'
import { q, queryClient } from '../../../lib/api/query.ts'
import { withData } from '../../../lib/api/query-result.ts'
import { change } from '../../../lib/changes/change.ts'
import { confirmDelete } from '../../../lib/feedback/confirm.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import { navigate, useSearchParam } from '../../../lib/navigation/navigate.ts'
import { pathTo, withSearch } from '../../../lib/navigation/pages.ts'
import { formatSize } from '../../../lib/text/format.ts'
import { msg, plural, t, useT } from '../../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { type Column, DataTable, type TableTexts } from '../../../ui/table/DataTable.tsx'
import { SlidingPanel } from '../form/SlidingPanel.tsx'
import css from '../settings.module.css'
import { TierForm } from './TierForm.tsx'
import { TIER_KINDS, TIER_TITLES, type TierKind, type TierRow, tierRow } from './tier-kinds.ts'

const TierCredentialsModal = loadableDialog(
  async () => (await import('./TierCredentialsModal.tsx')).TierCredentialsModal,
)

const LIST = '/settings/tiers'
const PICK = ':pick'
/** Number of buckets that a row names. With more of them, their number would be cut off. */
const SHOWN_BUCKETS = 1

const texts: TableTexts = {
  name: msg('Tiers'),
  empty: msg('There are no tiers yet.'),
  emptyHint: msg('A tier is remote storage to which lifecycle rules move objects.'),
  noMatch: msg('No tiers match the filter.'),
}

const columns: Column<TierRow>[] = [
  { key: 'name', label: msg('Tier Name'), width: 124, fixed: true, small: 'title' },
  { key: 'type', label: msg('Type'), width: 64, small: 'aside' },
  { key: 'endpoint', label: msg('Endpoint'), small: 'note' },
  { key: 'bucket', label: msg('Bucket'), width: 92 },
  { key: 'prefix', label: msg('Prefix'), width: 70 },
  { key: 'region', label: msg('Region'), width: 88 },
  {
    key: 'state',
    label: msg('State'),
    width: 90,
    small: 'note',
    value: ({ state }) => Number(state?.online ?? true),
    cell: ({ state }) => <TierStateCell state={state} />,
  },
  {
    key: 'rules',
    label: msg('Lifecycle Rules'),
    width: 130,
    yields: 1,
    value: ({ state }) => state?.total_buckets ?? 0,
    cell: ({ state }) => <TierBucketsCell state={state} />,
  },
  {
    key: 'usage',
    label: msg('Usage'),
    width: 100,
    align: 'right',
    numeric: true,
    yields: 2,
    value: ({ usage = 0 }) => usage,
    cell: ({ usage }) => (usage === undefined ? '–' : formatSize(usage)),
  },
  {
    key: 'objects',
    label: msg('Objects'),
    width: 90,
    align: 'right',
    numeric: true,
    yields: 3,
    value: ({ objects = 0 }) => objects,
    cell: ({ objects }) => objects?.toLocaleString() ?? '–',
  },
]

function TierStateCell({ state }: Pick<TierRow, 'state'>) {
  const t = useT()
  if (state?.online === undefined) return <>–</>
  if (state.online) return <StatusIcon state="ok">{t('Online')}</StatusIcon>
  // Text of the server, which is in English.
  return (
    <span lang="en" title={state.problem}>
      <StatusIcon state="bad">{t('Offline')}</StatusIcon>
    </span>
  )
}

/** Links to the lifecycle rules of the first buckets whose rules use the tier. */
function TierBucketsCell({ state }: Pick<TierRow, 'state'>) {
  const t = useT()
  if (state === undefined || state.total_buckets === 0) return <>–</>
  const shown = state.buckets.slice(0, SHOWN_BUCKETS)
  const more = state.total_buckets - shown.length
  return (
    <>
      {shown.map((bucket, i) => (
        <Fragment key={bucket}>
          {i > 0 && ', '}
          <Link to={pathTo('/buckets/$bucket/lifecycle', { bucket })} className="link">
            {bucket}
          </Link>
        </Fragment>
      ))}
      {more > 0 && <> {t(plural('and {{count}} more', 'and {{count}} more'), { count: more })}</>}
    </>
  )
}

const isKind = (text: string): text is TierKind => TIER_KINDS.some((kind) => kind === text)

/** The tiers. Adding one slides to the list of kinds, and from there to a form. */
export function TiersSection() {
  const t = useT()
  const [add] = useSearchParam('add')
  if (add === PICK) {
    return (
      <SlidingPanel step="pick" depth={1}>
        <div className={css.panel}>
          <Link to={LIST} className="link">
            {t('Back To Tiers')}
          </Link>
          <h2>{t('Pick a kind of tier')}</h2>
          <div className={css.kinds}>
            {TIER_KINDS.map((kind) => (
              <button
                key={kind}
                type="button"
                className={css.kind}
                onClick={() => navigate(withSearch(LIST, { add: kind }))}
              >
                {t(TIER_TITLES[kind])}
              </button>
            ))}
          </div>
        </div>
      </SlidingPanel>
    )
  }
  if (add !== undefined && isKind(add)) {
    return (
      <SlidingPanel step={add} depth={2}>
        <TierForm
          key={add}
          kind={add}
          back={{ label: t('Back To Tier Type Selection'), to: withSearch(LIST, { add: PICK }) }}
          onSaved={() => navigate(LIST)}
        />
      </SlidingPanel>
    )
  }
  return (
    <SlidingPanel step="list" depth={0}>
      <TierList />
    </SlidingPanel>
  )
}

/** The Refresh button and changes let the server test all tiers again. Otherwise it may answer with recent results. */
function tierStates() {
  const options = q('listTierStates', {})
  return {
    ...options,
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const isDemanded = queryClient.getQueryState(options.queryKey)?.isInvalidated === true
      return await call('listTierStates', { query: isDemanded ? { fresh: 'true' } : {}, signal })
    },
  }
}

function TierList() {
  const t = useT()
  const needs = useDisabledReason()
  const [editing, setEditing] = useState<TierRow | undefined>(undefined)
  const query = useQuery(q('listTiers', {}))
  const items = query.data?.items
  // The server tests all tiers, which takes longer than the list.
  const { data, refetch } = useQuery({ ...tierStates(), enabled: items !== undefined && items.length > 0 })
  const states = data?.items
  const rows = useMemo(() => items?.map((tier) => tierRow(tier, states)), [items, states])
  const disabled = ({ type }: TierRow) =>
    type === 'unsupported' ? t('The console does not support this kind of tier') : needs('admin:SetTier')
  return (
    <>
      <DataTable
        name="tiers"
        texts={texts}
        query={withData(query, rows)}
        needs={{ action: 'admin:ListTier' }}
        rowId={({ name }) => name}
        columns={columns}
        defaultSort={{ key: 'name', desc: false }}
        filter={{ placeholder: msg('Filter') }}
        actions={[
          { type: 'edit', label: msg('Edit'), onClick: setEditing, disabled },
          {
            type: 'view',
            label: msg('Test'),
            icon: IconSend,
            onClick: (row) => void verifyTier(row).then(() => refetch()),
          },
          { type: 'delete', label: msg('Delete'), onClick: askDeleteTier, disabled },
        ]}
        tools={
          <Disabled reason={needs('admin:SetTier')}>
            <Button
              size="xs"
              variant="filled"
              leftSection={<Icon of={IconPlus} />}
              onClick={() => navigate(withSearch(LIST, { add: PICK }))}
            >
              {t('Add Tier')}
            </Button>
          </Disabled>
        }
      />
      {editing && <TierCredentialsModal tier={editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}

const tierParams = ({ type, name }: TierRow) => ({ type: type as TierKind, name })

/** Its result is in the next list of states. */
async function verifyTier(row: TierRow): Promise<void> {
  try {
    await change(
      'verifyTier',
      { params: tierParams(row), body: {} },
      { message: () => t('The server reaches the tier {{name}}', { name: row.name }) },
    )
  } catch (error) {
    toast.failure(error)
  }
}

function askDeleteTier(row: TierRow) {
  confirmDelete({
    title: t('Delete Tier'),
    name: row.name,
    body: t('The server refuses to remove a tier that holds objects, or that lifecycle rules use.'),
    run: () =>
      change(
        'deleteTier',
        { params: tierParams(row) },
        { message: () => t('Tier {{name}} deleted', { name: row.name }) },
      ),
  })
}

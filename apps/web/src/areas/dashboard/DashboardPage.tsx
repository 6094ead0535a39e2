import { Button, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { useSearchParam } from '../../lib/navigation/navigate.ts'
import { useSession } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Disabled, useNeeds } from '../../ui/Disabled.tsx'
import { loadable, loadableDialog } from '../../ui/lazy/loadable.tsx'
import { Page } from '../../ui/Page.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import tabs from '../../ui/tabs.module.css'
import { BayPlan } from './BayPlan.tsx'
import { RangeControls } from './board/RangeControls.tsx'
import { useRange } from './board/range.ts'
import type { TabId } from './board/widgets.ts'
import css from './dashboard.module.css'
import { Faults } from './Faults.tsx'
import { HistoryEnd, HistoryOffer } from './HistoryOffer.tsx'
import { inOrder } from './health.ts'
import { UsageView } from './UsageView.tsx'

const ConnectPrometheus = loadableDialog(async () => (await import('./ConnectPrometheus.tsx')).ConnectPrometheus)
const Board = loadable(async () => (await import('./board/Board.tsx')).Board)

/** Refresh interval while the page is visible (ms). */
const EVERY = 10_000
/** Clocks that differ by less than this are treated as equal (seconds). */
const CLOCK_TOLERANCE = 5

const BucketsTab = loadable(async () => (await import('./usage/BucketsTab.tsx')).BucketsTab)

type View = TabId | 'buckets' | 'servers'
const isView = (name: string | undefined): name is View =>
  name === 'summary' || name === 'traffic' || name === 'resources' || name === 'buckets' || name === 'servers'

/** Scrolls to the tab named in the address, because not all tabs fit on a phone. */
const showSelected = (list: HTMLDivElement | null) =>
  list?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

/** The dashboard: usage, the state of servers and drives and, if there is a source of metrics, their history. */
export function DashboardPage() {
  const t = useT()
  const query = useQuery({ ...q('getAdminInfo', {}), refetchInterval: EVERY })
  const needs = useNeeds()
  // The screens of a tenant last no longer than a session: nothing would sample the tenant afterwards.
  const mayKeep = useSession().tenant === undefined
  const [connecting, setConnecting] = useState(false)
  const [named, setNamed] = useSearchParam('tab')
  const view: View = isView(named) ? named : 'summary'
  const { data, dataUpdatedAt } = query
  const offset = data ? data.time - dataUpdatedAt / 1000 : 0
  const range = useRange(Math.abs(offset) < CLOCK_TOLERANCE ? 0 : Math.round(offset))
  const hasBoard = data?.widgets != null
  const board = hasBoard && view !== 'servers' && view !== 'buckets' ? view : undefined
  return (
    <Page
      actions={
        <>
          {board && <RangeControls range={range} />}
          {mayKeep && (
            <Disabled reason={needs('admin:Prometheus')}>
              <Button className={css.hideSmall ?? ''} onClick={() => setConnecting(true)}>
                {t('Connect Prometheus')}
              </Button>
            </Disabled>
          )}
          <RefreshButton reads={['getAdminInfo', 'getWidget', 'getUsage']} label={t('Sync')} onRefresh={range.sync} />
        </>
      }
    >
      <QueryView query={query} needs={{ action: 'admin:ServerInfo' }}>
        {(info) => (
          <>
            <Faults servers={inOrder(info.servers)} mayFail={info.drivesMayFail} />
            {hasBoard && <BayPlan servers={inOrder(info.servers)} />}
            {info.metrics === 'none' && mayKeep && <HistoryOffer />}
            {hasBoard && (
              <Tabs value={view} onChange={(tab) => setNamed(tab === 'summary' ? undefined : (tab ?? undefined))}>
                <Tabs.List ref={showSelected} className={tabs.list ?? ''}>
                  <Tabs.Tab value="summary">{t('Summary')}</Tabs.Tab>
                  <Tabs.Tab value="traffic">{t('Traffic')}</Tabs.Tab>
                  <Tabs.Tab value="resources">{t('Resources')}</Tabs.Tab>
                  <Tabs.Tab value="buckets">{t('Buckets')}</Tabs.Tab>
                  <Tabs.Tab value="servers">{t('Servers and drives')}</Tabs.Tab>
                </Tabs.List>
              </Tabs>
            )}
            {board ? (
              <Board key={board} tab={board} range={range} />
            ) : hasBoard && view === 'buckets' ? (
              <BucketsTab />
            ) : (
              <div className={css.scroll}>
                <UsageView info={info} />
                {info.metrics === 'kept' && <HistoryEnd />}
              </div>
            )}
          </>
        )}
      </QueryView>
      {connecting && <ConnectPrometheus onClose={() => setConnecting(false)} />}
    </Page>
  )
}

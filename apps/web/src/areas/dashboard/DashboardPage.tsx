import { Button, Tabs } from '@mantine/core'
import type { WidgetTab } from '@stowage/contract/admin/dashboard-widgets'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { useSearchParam } from '../../lib/navigation/navigate.ts'
import { useSession } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { QueryView } from '../../ui/feedback/QueryView.tsx'
import { loadable, loadableDialog } from '../../ui/lazy/loadable.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { RefreshButton } from '../../ui/page/RefreshButton.tsx'
import tabs from '../../ui/page/tabs.module.css'
import { useBoardRange } from './board/board-range.ts'
import { RangeControls } from './board/RangeControls.tsx'
import css from './dashboard.module.css'
import { EndHistoryNote, KeepHistoryBanner } from './history/KeepHistoryBanner.tsx'
import { DrivesByServer } from './servers/DrivesByServer.tsx'
import { FaultsBanner } from './servers/FaultsBanner.tsx'
import { ServerInfoView } from './servers/ServerInfoView.tsx'
import { sortServers } from './servers/server-health.ts'

const ConnectPrometheusDialog = loadableDialog(
  async () => (await import('./ConnectPrometheusDialog.tsx')).ConnectPrometheusDialog,
)
const WidgetBoard = loadable(async () => (await import('./board/WidgetBoard.tsx')).WidgetBoard)

/** Refresh interval while the page is visible (ms). */
const REFRESH_MS = 10_000
/** Clocks that differ by less than this are treated as equal (seconds). */
const CLOCK_TOLERANCE = 5

const BucketUsageTab = loadable(async () => (await import('./usage/BucketUsageTab.tsx')).BucketUsageTab)

type DashboardTab = WidgetTab | 'buckets' | 'servers'
const isDashboardTab = (name: string | undefined): name is DashboardTab =>
  name === 'summary' || name === 'traffic' || name === 'resources' || name === 'buckets' || name === 'servers'

/** Scrolls to the tab named in the address, because not all tabs fit on a phone. */
const scrollToSelectedTab = (list: HTMLDivElement | null) =>
  list?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

/** The dashboard: usage, the state of servers and drives and, if there is a source of metrics, their history. */
export function DashboardPage() {
  const t = useT()
  const query = useQuery({ ...q('getAdminInfo', {}), refetchInterval: REFRESH_MS })
  const needs = useDisabledReason()
  // The screens of a tenant last no longer than a session: nothing would sample the tenant afterwards.
  const mayKeep = useSession().tenant === undefined
  const [connecting, setConnecting] = useState(false)
  const [named, setNamed] = useSearchParam('tab')
  const view: DashboardTab = isDashboardTab(named) ? named : 'summary'
  const { data, dataUpdatedAt } = query
  const offset = data ? data.time - dataUpdatedAt / 1000 : 0
  const range = useBoardRange(Math.abs(offset) < CLOCK_TOLERANCE ? 0 : Math.round(offset))
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
            <FaultsBanner servers={sortServers(info.servers)} mayFail={info.drivesMayFail} />
            {hasBoard && <DrivesByServer servers={sortServers(info.servers)} />}
            {info.metrics === 'none' && mayKeep && <KeepHistoryBanner />}
            {hasBoard && (
              <Tabs value={view} onChange={(tab) => setNamed(tab === 'summary' ? undefined : (tab ?? undefined))}>
                <Tabs.List ref={scrollToSelectedTab} className={tabs.list ?? ''}>
                  <Tabs.Tab value="summary">{t('Summary')}</Tabs.Tab>
                  <Tabs.Tab value="traffic">{t('Traffic')}</Tabs.Tab>
                  <Tabs.Tab value="resources">{t('Resources')}</Tabs.Tab>
                  <Tabs.Tab value="buckets">{t('Buckets')}</Tabs.Tab>
                  <Tabs.Tab value="servers">{t('Servers and drives')}</Tabs.Tab>
                </Tabs.List>
              </Tabs>
            )}
            {board ? (
              <WidgetBoard key={board} tab={board} range={range} />
            ) : hasBoard && view === 'buckets' ? (
              <BucketUsageTab />
            ) : (
              <div className={css.scroll}>
                <ServerInfoView info={info} />
                {info.metrics === 'kept' && <EndHistoryNote />}
              </div>
            )}
          </>
        )}
      </QueryView>
      {connecting && <ConnectPrometheusDialog onClose={() => setConnecting(false)} />}
    </Page>
  )
}

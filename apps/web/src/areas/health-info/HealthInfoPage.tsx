import { Button, Checkbox, Loader, Tabs } from '@mantine/core'
import type { HealthReport } from '@stowage/contract'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParam } from '../../lib/navigation/navigate.ts'
import { saveText } from '../../lib/save-text.ts'
import { useT } from '../../lib/text/i18n.ts'
import { jobProgressText } from '../../transfers/jobs/job-texts.ts'
import { keptHealthReport } from '../../transfers/jobs/kept-health-reports.ts'
import { transferJobs } from '../../transfers/transfers.ts'
import { TechnicalDetails } from '../../ui/feedback/Banner.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import { loadable } from '../../ui/lazy/loadable.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { JsonLines } from '../../ui/page/RecordFacts.tsx'
import tabs from '../../ui/page/tabs.module.css'
import { reportFindings } from './health-findings.ts'
import css from './health-info.module.css'
import { useReportJob } from './report-job.ts'

const SpeedTestTab = loadable(async () => (await import('./SpeedTestTab.tsx')).SpeedTestTab)
const ProfileTab = loadable(async () => (await import('./ProfileTab.tsx')).ProfileTab)
const LocksTab = loadable(async () => (await import('./LocksTab.tsx')).LocksTab)
const InspectTab = loadable(async () => (await import('./InspectTab.tsx')).InspectTab)

const TABS = {
  report: ReportTab,
  speed: SpeedTestTab,
  profile: ProfileTab,
  locks: LocksTab,
  inspect: InspectTab,
} as const
const isTab = (name: string | undefined): name is keyof typeof TABS => name !== undefined && Object.hasOwn(TABS, name)

/** What helps to find out why a server is slow or fails. */
export function HealthInfoPage() {
  const t = useT()
  const [named, setNamed] = useSearchParam('tab')
  const tab = isTab(named) ? named : 'report'
  const Shown = TABS[tab]
  return (
    <Page>
      <Tabs value={tab} onChange={(next) => setNamed(next === 'report' ? undefined : (next ?? undefined))}>
        <Tabs.List className={tabs.list ?? ''}>
          <Tabs.Tab value="report">{t('Report')}</Tabs.Tab>
          <Tabs.Tab value="speed">{t('Speed Test')}</Tabs.Tab>
          <Tabs.Tab value="profile">{t('Profile')}</Tabs.Tab>
          <Tabs.Tab value="locks">{t('Locks')}</Tabs.Tab>
          <Tabs.Tab value="inspect">{t('Inspect')}</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      <Shown />
    </Page>
  )
}

/**
 * A report about the servers, for the user to read and to pass on. The console never sends it anywhere. A job in the tray collects
 * it, which goes on when the page is left.
 */
function ReportTab() {
  const t = useT()
  const [masked, setMasked] = useState(true)
  const job = useReportJob()
  const running = job?.state === 'running' || job?.state === 'held'
  const failure = job?.state === 'failed' ? job.error : undefined
  const report = job?.state === 'done' ? keptHealthReport(job.task) : undefined
  const start = () => {
    if (job) transferJobs.cancel(job.id)
    transferJobs.start('', { type: 'healthReport', masked })
  }
  return (
    <div className={css.body}>
      <p className="ink-2">
        {t(
          'The report describes the servers, their machines and their settings. It stays on this computer until you send it.',
        )}
      </p>
      <Checkbox
        label={t('Mask the names of hosts, addresses and folders')}
        description={t('Secrets are always left out.')}
        checked={running ? job.task.masked : masked}
        disabled={running}
        onChange={(event) => setMasked(event.currentTarget.checked)}
      />
      <div className={css.actions}>
        <Button variant={report ? 'default' : 'filled'} disabled={running} onClick={start}>
          {t('Start Diagnostic')}
        </Button>
        <Button
          variant={report ? 'filled' : 'default'}
          leftSection={<Icon of={IconDownload} />}
          disabled={!report}
          onClick={() => report && saveText('diagnostic.json', 'application/json', [JSON.stringify(report, null, 2)])}
        >
          {t('Download')}
        </Button>
        {running && <Button onClick={() => transferJobs.cancel(job.id)}>{t('Cancel')}</Button>}
      </div>
      <div role="status" className={css.status}>
        {running && (
          <>
            <Loader size="xs" /> {t('Diagnostic started. Please do not refresh page during diagnosis.')}
            <span className="ink-2">{jobProgressText(t, job)}</span>
          </>
        )}
        {report && <StatusIcon state="ok">{t('Diagnostic file is ready to be downloaded.')}</StatusIcon>}
        {failure && (
          <>
            <StatusIcon state="bad">{t('An error occurred while getting Diagnostic file.')}</StatusIcon>
            <span>{failure.errorMessage}</span>
            {failure.detailedError !== '' && <TechnicalDetails text={failure.detailedError} />}
          </>
        )}
      </div>
      {report && <Report report={report} />}
    </div>
  )
}

/** The findings of a report, and its JSON as it will be saved. */
function Report({ report }: { report: HealthReport }) {
  const t = useT()
  const findings = reportFindings(report)
  return (
    <>
      <section aria-label={t('Findings')}>
        <h2 className={css.title}>{t('Findings')}</h2>
        {findings.length === 0 ? (
          <StatusIcon state="ok">{t('Nothing in the report calls for action.')}</StatusIcon>
        ) : (
          <ul className={css.findings}>
            {findings.map(({ state, what, todo }) => (
              <li key={what}>
                <StatusIcon state={state}>{what}</StatusIcon>
                <div className="ink-2">{todo}</div>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-label={t('Preview')}>
        <h2 className={css.title}>{t('Preview')}</h2>
        {Object.entries({ ...report.sys, ...report.minio }).map(([name, value]) => (
          <ReportPart key={name} name={name} value={value} />
        ))}
      </section>
    </>
  )
}

/** A part of the report, drawn when it is opened. */
function ReportPart({ name, value }: { name: string; value: unknown }) {
  const [open, setOpen] = useState(false)
  return (
    <details className={css.part} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{name}</summary>
      {open && <JsonLines json={JSON.stringify(value, null, 2).slice(0, 200_000)} />}
    </details>
  )
}

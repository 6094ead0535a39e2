import { Button, Tabs } from '@mantine/core'
import { useState } from 'react'
import { useSearchParam } from '../../lib/navigation/navigate.ts'
import { useSession } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Disabled } from '../../ui/controls/Disabled.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { Page } from '../../ui/page/Page.tsx'
import tabs from '../../ui/page/tabs.module.css'
import { AuditLogs } from './audit/AuditLogs.tsx'
import { ErrorLogs } from './error-logs/ErrorLogs.tsx'

const RecordAuditModal = loadableDialog(async () => (await import('./audit/RecordAuditModal.tsx')).RecordAuditModal)

/** The server's log and, if audit records are kept, a second tab with them. */
export function LogsPage() {
  const t = useT()
  const { capabilities, features, pages, tenant } = useSession()
  const ours = capabilities.includes('aws-policies')
  const [recording, setRecording] = useState(false)
  const [tab = 'error', setTab] = useSearchParam('tab')
  const hasAudit = features.includes('log-search')
  const noAudit = !hasAudit && t('No audit records are kept for this server.')
  return (
    <Page>
      <Tabs
        value={hasAudit && tab === 'audit' ? 'audit' : 'error'}
        onChange={(value) => setTab(value === 'audit' ? 'audit' : undefined)}
      >
        <Tabs.List className={tabs.list ?? ''}>
          <Tabs.Tab value="error">{t('Error Logs')}</Tabs.Tab>
          <Disabled reason={noAudit}>
            <Tabs.Tab value="audit">{t('Audit Logs')}</Tabs.Tab>
          </Disabled>
          {/* Shown to users who may change settings of the server. The console of an operator keeps no records of tenants. Of another
              server there may be records of this console only. */}
          {(!hasAudit || !ours) && !tenant && pages.includes('/settings') && (
            <Button size="xs" ml="auto" my="auto" onClick={() => setRecording(true)}>
              {t('Record here')}
            </Button>
          )}
        </Tabs.List>
      </Tabs>
      {hasAudit && tab === 'audit' ? <AuditLogs /> : <ErrorLogs />}
      {recording && <RecordAuditModal onClose={() => setRecording(false)} />}
    </Page>
  )
}

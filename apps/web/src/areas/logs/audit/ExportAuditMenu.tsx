import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useT } from '../../../lib/text/i18n.ts'
import { transferJobs } from '../../../transfers/transfers.ts'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { type AuditFilters, auditFilterQuery, auditOrder } from './audit-query.ts'

/** The menu to download all records that match, not only the visible ones. A job in the tray does it. */
export function ExportAuditMenu({ filters, order }: { filters: AuditFilters; order: string }) {
  const t = useT()
  const start = (format: 'csv' | 'ndjson') =>
    transferJobs.start('', {
      type: 'exportLogs',
      query: { ...auditFilterQuery(filters), order: auditOrder(order), format },
    })
  return (
    <Menu>
      <Menu.Target>
        <Button leftSection={<Icon of={IconDownload} />}>{t('Export')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => start('csv')}>{t('All records as CSV')}</Menu.Item>
        <Menu.Item onClick={() => start('ndjson')}>{t('All records as NDJSON')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

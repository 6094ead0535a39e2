import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { addressOf } from '../../lib/api/api.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { type AuditFilters, auditSelection, orderOf } from './audit-query.ts'

/** The menu to download all records that match, not only the visible ones. */
export function ExportMenu({ filters, order }: { filters: AuditFilters; order: string }) {
  const t = useT()
  const href = (format: 'csv' | 'ndjson') =>
    addressOf('exportLogs', { query: { ...auditSelection(filters), order: orderOf(order), format } })
  return (
    <Menu>
      <Menu.Target>
        <Button leftSection={<Icon of={IconDownload} />}>{t('Export')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={href('csv')} download>
          {t('All records as CSV')}
        </Menu.Item>
        <Menu.Item component="a" href={href('ndjson')} download>
          {t('All records as NDJSON')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

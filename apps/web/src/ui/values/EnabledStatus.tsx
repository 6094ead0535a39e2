import { t } from '../../lib/text/i18n.ts'
import { StatusIcon } from '../icons/StatusIcon.tsx'

/** The status of a user, group or access key: Enabled or Disabled. */
export function EnabledStatus({ of }: { of: 'enabled' | 'disabled' }) {
  return of === 'enabled' ? (
    <StatusIcon state="ok">{t('Enabled')}</StatusIcon>
  ) : (
    <StatusIcon state="off">{t('Disabled')}</StatusIcon>
  )
}

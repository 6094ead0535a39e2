import { confirm } from '../../lib/feedback/confirm.ts'
import { logout } from '../../lib/session/session.ts'
import { t } from '../../lib/text/i18n.ts'
import { hasBusyTransfers } from '../../transfers/transfers.ts'

/** Signs out. Asks first if that would interrupt transfers. */
export function askLogout() {
  if (!hasBusyTransfers()) return void logout()
  confirm({
    title: t('Logout'),
    body: t('Transfers are still running. They stop when you sign out.'),
    action: t('Logout'),
    danger: true,
    run: logout,
  })
}

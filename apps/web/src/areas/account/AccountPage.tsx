import { ActionIcon, Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { change } from '../../lib/changes/change.ts'
import { confirm } from '../../lib/feedback/confirm.ts'
import { logout, useSession } from '../../lib/session/session.ts'
import { t, useT } from '../../lib/text/i18n.ts'
import { Disabled } from '../../ui/controls/Disabled.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { AccessKeys } from '../service-accounts/AccessKeys.tsx'

const ChangePasswordModal = loadableDialog(async () => (await import('./ChangePasswordModal.tsx')).ChangePasswordModal)

/** The page with the caller's service accounts and password. */
export function AccountPage() {
  const t = useT()
  const { pages, capabilities } = useSession()
  const [changing, setChanging] = useState(false)
  return (
    <Page
      refresh={['listAccessKeys']}
      actions={
        <>
          {capabilities.includes('revoke-tokens') && (
            <Button onClick={askSignOutEverywhere}>{t('Sign out everywhere')}</Button>
          )}
          {pages.includes('/account/change-password') && (
            <Disabled reason={false} label={t('Change Password')}>
              <ActionIcon
                variant="default"
                size={32}
                aria-label={t('Change Password')}
                onClick={() => setChanging(true)}
              >
                <Icon of={IconLock} />
              </ActionIcon>
            </Disabled>
          )}
        </>
      }
    >
      <AccessKeys />
      {changing && <ChangePasswordModal onClose={() => setChanging(false)} />}
    </Page>
  )
}

function askSignOutEverywhere() {
  confirm({
    title: t('Sign out everywhere'),
    body: t('All your sessions end, in this browser and in others. Service accounts keep working.'),
    action: t('Sign out everywhere'),
    danger: true,
    run: () => change('signOutEverywhere', {}, { onDone: () => void logout() }),
  })
}

import { Button } from '@mantine/core'
import { logout, useSession } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { Page } from '../../ui/page/Page.tsx'
import css from './plain.module.css'

/** Shown to a user without the right to open any page. */
export function NoAccessPage() {
  const t = useT()
  const { user = '' } = useSession()
  return (
    <Page title={t('Access Denied')}>
      <div className={css.text}>
        <p className="ink-2">
          <Trans
            text="The policies of <user/> do not allow any page of this console."
            parts={{ user: <b>{user}</b> }}
          />
        </p>
        <Button onClick={() => void logout()}>{t('Logout')}</Button>
      </div>
    </Page>
  )
}

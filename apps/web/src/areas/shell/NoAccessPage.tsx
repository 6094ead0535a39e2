import { Button } from '@mantine/core'
import { logout, useSession } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Page } from '../../ui/Page.tsx'
import { Rich } from '../../ui/Rich.tsx'
import css from './plain.module.css'

/** For a session that may see none of the pages. */
export function NoAccessPage() {
  const t = useT()
  const { user = '' } = useSession()
  return (
    <Page title={t('Access Denied')}>
      <div className={css.text}>
        <p className="ink-2">
          <Rich text="No policy of {{user}} opens a page of this console." parts={{ user: <b>{user}</b> }} />
        </p>
        <Button onClick={() => void logout()}>{t('Logout')}</Button>
      </div>
    </Page>
  )
}

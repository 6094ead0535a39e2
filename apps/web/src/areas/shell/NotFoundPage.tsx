import { Button } from '@mantine/core'
import { useT } from '../../lib/text/i18n.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Page } from '../../ui/page/Page.tsx'
import css from './plain.module.css'

/** Shown for an address without a page. */
export function NotFoundPage() {
  const t = useT()
  return (
    <Page title={t('404 Not Found')}>
      <div className={css.text}>
        <p className="ink-2">{t('There is no page at this address.')}</p>
        <Button component={Link} to="/">
          {t('Go to the start page')}
        </Button>
      </div>
      <footer className={css.foot}>
        {t('Copyright © {{year}} the Stowage authors, Apache-2.0', { year: String(new Date().getFullYear()) })}
      </footer>
    </Page>
  )
}

import { Button } from '@mantine/core'
import { useT } from '../../../lib/text/i18n.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import css from '../dashboard.module.css'
import { askEndHistory, askKeepHistory } from './ask-history.ts'

/** Shown if no metrics are recorded: explains how to enable that. */
export function KeepHistoryBanner() {
  const t = useT()
  return (
    <Banner kind="info" edge action={<Button onClick={askKeepHistory}>{t('Keep History')}</Button>}>
      {t('No history of this server is kept, so there are no charts.')}
    </Banner>
  )
}

/** Shown if metrics are recorded by a service account: how to stop that. */
export function EndHistoryNote() {
  const t = useT()
  return (
    <p className={css.history}>
      {t('The console uses a service account to keep a history of this server.')}
      <Button onClick={askEndHistory}>{t('End History')}</Button>
    </p>
  )
}

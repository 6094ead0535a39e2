import { Button } from '@mantine/core'
import { useT } from '../../lib/text/i18n.ts'
import { Banner } from '../../ui/Banner.tsx'
import css from './dashboard.module.css'
import { askEnd, askKeep } from './history-questions.ts'

/** Where nothing is recorded: what it takes to change that. */
export function HistoryOffer() {
  const t = useT()
  return (
    <Banner kind="info" edge action={<Button onClick={askKeep}>{t('Keep History')}</Button>}>
      {t('No history of this server is kept, so there are no charts.')}
    </Banner>
  )
}

/** Where a history is kept by a service account: how to end it. */
export function HistoryEnd() {
  const t = useT()
  return (
    <p className={css.history}>
      {t('The console keeps a history of this server by a service account.')}
      <Button onClick={askEnd}>{t('End History')}</Button>
    </p>
  )
}

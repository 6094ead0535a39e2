import { useReachability } from '../../lib/api/reachability.ts'
import { useT } from '../../lib/text/i18n.ts'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import css from './LoginPage.module.css'

/** The line below the form: name and license of the program, and whether the storage server responds. */
export function SignInFooter({ answers }: { answers: boolean }) {
  const t = useT()
  const reach = useReachability()
  return (
    <p className={css.line}>
      <span>{t('Stowage, Apache-2.0')}</span>
      {answers && reach && (
        <StatusIcon state={reach.state === 'ok' ? 'ok' : 'bad'}>
          {reach.state === 'ok' ? t('Server reachable, {{ms}} ms', { ms: reach.ms }) : t('Server does not answer')}
        </StatusIcon>
      )}
    </p>
  )
}

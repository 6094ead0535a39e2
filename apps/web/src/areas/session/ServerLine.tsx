import { useReachability } from '../../lib/api/reachability.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Mark } from '../../ui/Mark.tsx'
import css from './LoginPage.module.css'

/** Below the card: the console's version, and whether the storage server answers. */
export function ServerLine({ version, answers }: { version: string | undefined; answers: boolean }) {
  const t = useT()
  const reach = useReachability()
  return (
    <p className={css.line}>
      <span>{version === undefined ? 'Stowage' : t('Stowage {{version}}, Apache-2.0', { version })}</span>
      {answers && reach && (
        <Mark state={reach.state === 'ok' ? 'ok' : 'bad'}>
          {reach.state === 'ok' ? t('Server reachable, {{ms}} ms', { ms: reach.ms }) : t('Server does not answer')}
        </Mark>
      )}
    </p>
  )
}

import { useQuery } from '@tanstack/react-query'
import { formatDate } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import { ADVISORIES_DATE, advisoriesFor } from './advisories.ts'
import css from './license.module.css'
import { serverVersionQuery } from './server-version.ts'

/** Lists published advisories for the version of the connected server. The table is part of the console; no request is made. */
export function AdvisoryList() {
  const t = useT()
  // Without the right to read the server version, no advisories are shown.
  const { data } = useQuery(serverVersionQuery)
  const version = data?.servers[0]?.version ?? ''
  const found = advisoriesFor(version)
  if (!found) return null
  return (
    <section className={css.card} aria-label={t('Security advisories')}>
      <h2 className={css.title}>{t('Security advisories')}</h2>
      {found.length === 0 ? (
        <StatusIcon state="ok" sentence>
          {t('No advisories are known for version {{version}}.', { version })}
        </StatusIcon>
      ) : (
        <ul className={css.advisories}>
          {found.map(({ id, subject, fixed }) => (
            <li key={id}>
              <StatusIcon state="warn">{id}</StatusIcon> {subject}
              <div className="ink-2">{t('Fixed in RELEASE.{{release}}', { release: fixed })}</div>
            </li>
          ))}
        </ul>
      )}
      <p className="ink-2">
        {t('As of {{date}}. Later advisories are not in this list.', { date: formatDate(ADVISORIES_DATE) })}
      </p>
    </section>
  )
}

import { pathToFolder } from '../../../lib/navigation/object-address.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Link } from '../../../ui/controls/Link.tsx'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import css from '../styles/objects.module.css'

/** Lists the folders that the caller can list, in buckets that the caller cannot list as a whole. */
export function ListableFolders() {
  const t = useT()
  const { places = [] } = useSession()
  const folders = places.filter(({ prefix, list }) => list && prefix !== '')
  if (folders.length === 0) return null
  return (
    <nav className={css.folders} aria-label={t('Your folders')}>
      <h2 className="strong">{t('Your folders')}</h2>
      <ul>
        {folders.map(({ bucket, prefix }) => (
          <li key={`${bucket}/${prefix}`}>
            <Link to={pathToFolder(bucket, prefix)} className="link">
              <ObjectName name={`${bucket}/${prefix}`} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

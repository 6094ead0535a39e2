import { Outlet } from '@tanstack/react-router'
import { fillPath, isOpen } from '../lib/navigation/pages.ts'
import { useShownPages } from '../lib/navigation/trail.ts'
import { useSession } from '../lib/session/session.ts'
import { useT } from '../lib/text/i18n.ts'
import { Link } from './Link.tsx'
import css from './Sections.module.css'

/** The sections of a page, in a list at its left (tabs where that is narrow), and the one that is open. */
export function Sections() {
  const t = useT()
  const session = useSession()
  const [shown, current] = useShownPages()
  if (!shown) return null
  return (
    <div className={css.split}>
      <nav className={css.nav} aria-label={t('Sections')}>
        {shown.sections
          .filter((section) => isOpen(section, session))
          .map(
            ({ path, label }) =>
              label !== undefined && (
                <Link
                  key={path}
                  to={fillPath(path, shown.params)}
                  aria-current={path === current?.page.path ? 'page' : undefined}
                >
                  {t(label)}
                </Link>
              ),
          )}
      </nav>
      <div className={css.section}>
        <Outlet />
      </div>
    </div>
  )
}

import { Outlet } from '@tanstack/react-router'
import { fillPath, maySeePage } from '../../lib/navigation/pages.ts'
import { openSection, useShownPages } from '../../lib/navigation/shown-pages.ts'
import { useSession } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../controls/Disabled.tsx'
import { Link } from '../controls/Link.tsx'
import css from './Sections.module.css'

/** On a narrow screen the tabs scroll sideways; scrolls the open one into view. */
const scrollToTab = (tab: HTMLAnchorElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'center' })

/** The sections of a page as a list at its left, or as tabs on a narrow screen, and the content of the open section. */
export function Sections() {
  const t = useT()
  const session = useSession()
  const [shown, current] = useShownPages()
  const needs = useDisabledReason({ bucket: shown?.params.bucket })
  if (!shown) return null
  const open = current && openSection(shown, current)
  return (
    <div className={css.split}>
      <nav className={css.nav} aria-label={t('Sections')}>
        {shown.sections
          .filter((section) => maySeePage(section, session))
          .map(
            ({ path, label, needs: action }) =>
              label !== undefined && (
                <Disabled key={path} reason={action !== undefined && needs(action)}>
                  <Link
                    to={fillPath(path, shown.params)}
                    ref={path === open?.path ? scrollToTab : undefined}
                    aria-current={path === open?.path ? (open === current?.page ? 'page' : 'true') : undefined}
                  >
                    {t(label)}
                  </Link>
                </Disabled>
              ),
          )}
      </nav>
      <div className={css.section}>
        <Outlet />
      </div>
    </div>
  )
}

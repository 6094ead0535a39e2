import { Fragment, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { cx } from '../../lib/cx.ts'
import type { PageTarget } from '../../lib/navigation/pages.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Link } from '../controls/Link.tsx'
import css from './Crumbs.module.css'

/** The element of the top bar that the breadcrumb is rendered into. Set by the top bar. */
export const crumbSlot = createStore<HTMLElement | null>(null)

export interface Crumb {
  label: ReactNode
  to?: PageTarget
  /** Shown in a monospaced font, for object keys. */
  mono?: boolean
  /** Never cut off; the others give way. For short texts. */
  whole?: boolean
}

interface CrumbsProps {
  /** From the area to the current page, which is last. */
  items: Crumb[]
  /** Shown after the last item: the copy button of a key. */
  after?: ReactNode
  /** Also shown on a small screen. Pages near the root show the logo there instead. */
  deep?: boolean
}

/** The breadcrumb. The page renders it; it appears in the top bar. */
export function Crumbs({ items, after, deep = false }: CrumbsProps) {
  const t = useT()
  const slot = useStore(crumbSlot)
  if (!slot) return null
  return createPortal(
    <nav className={css.crumbs} aria-label={t('Breadcrumb')} data-deep={deep || undefined}>
      {items.map((crumb, i) => {
        const last = i === items.length - 1
        const name = cx(crumb.whole ? css.whole : 'truncate', crumb.mono && 'mono', last && css.here)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a crumb is identified by its position in the path
          <Fragment key={i}>
            {i > 0 && (
              <span className={css.separator} aria-hidden="true">
                /
              </span>
            )}
            {crumb.to !== undefined && !last ? (
              <Link to={crumb.to} className={cx(name, css.link)}>
                {crumb.label}
              </Link>
            ) : (
              <span className={name} aria-current={last ? 'page' : undefined}>
                {crumb.label}
              </span>
            )}
          </Fragment>
        )
      })}
      {after}
    </nav>,
    slot,
  )
}

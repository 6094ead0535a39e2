import { Fragment, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { cx } from '../lib/cx.ts'
import type { To } from '../lib/navigation/pages.ts'
import { createStore, useStore } from '../lib/store.ts'
import { useT } from '../lib/text/i18n.ts'
import css from './Crumbs.module.css'
import { Link } from './Link.tsx'

/** Where in the top bar the breadcrumb is drawn; the top bar sets it. */
export const crumbSlot = createStore<HTMLElement | null>(null)

export interface Crumb {
  label: ReactNode
  to?: To
  /** Keys are set in mono. */
  mono?: boolean
}

interface CrumbsProps {
  /** From the area down; the last one is the page itself. */
  items: Crumb[]
  /** Behind the last one: the copy button of a key. */
  after?: ReactNode
  /** Shown on a small screen too, where pages high in the tree show the logo instead. */
  deep?: boolean
}

/** The breadcrumb; drawn by the page, shown in the top bar. */
export function Crumbs({ items, after, deep = false }: CrumbsProps) {
  const t = useT()
  const slot = useStore(crumbSlot)
  if (!slot) return null
  return createPortal(
    <nav className={css.crumbs} aria-label={t('Breadcrumb')} data-deep={deep || undefined}>
      {items.map((crumb, i) => {
        const last = i === items.length - 1
        const name = cx('truncate', crumb.mono && 'mono', last && css.here)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place in the path is what a crumb is
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

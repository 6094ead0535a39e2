import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { usePageTitle } from '../lib/navigation/page-title.ts'
import { type Crumb, Crumbs } from './Crumbs.tsx'
import { useFocusOnArrival } from './focus.ts'
import css from './Page.module.css'

interface PageProps {
  /** Also the title of the browser's tab. */
  title: string
  /** What stands as heading when it is more than the title. */
  heading?: ReactNode
  /** A key or a path as heading is set in mono. */
  mono?: boolean
  /** The facts of the page in one line, each an element of its own; null keeps the line free until they are known. */
  facts?: ReactNode
  /** The breadcrumb in the top bar; pages with one of their own leave it out and draw `Crumbs`. */
  crumbs?: Crumb[]
  /** On the right: icon buttons, default buttons, one primary last. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of the shell: its header, and below it what scrolls. */
export function Page({ title, heading, mono, facts, crumbs, actions, children }: PageProps) {
  usePageTitle(title)
  useFocusOnArrival()
  return (
    <>
      {crumbs && <Crumbs items={crumbs} />}
      <header className={css.head}>
        <div className="grow">
          <h1 className={cx(css.title, mono && css.mono)}>{heading ?? title}</h1>
          {facts !== undefined && <div className={css.facts}>{facts}</div>}
        </div>
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </header>
      <div className={css.body}>{children}</div>
    </>
  )
}

import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { usePageTitle } from '../lib/navigation/page-title.ts'
import { fillPath, groupLabels } from '../lib/navigation/pages.ts'
import { type ShownPage, useShownPages } from '../lib/navigation/trail.ts'
import { type Translate, useT } from '../lib/text/i18n.ts'
import { type Crumb, Crumbs } from './Crumbs.tsx'
import { useFocusOnArrival } from './focus.ts'
import css from './Page.module.css'

interface PageProps {
  /** What is shown, in the heading, the breadcrumb and the browser's tab; the page's own label unless said. */
  title?: string
  /** What stands as heading when it is more than the title. */
  heading?: ReactNode
  /** A key or a path as heading is set in mono. */
  mono?: boolean
  /** The facts of the page in one line, each an element of its own; null keeps the line free until they are known. */
  facts?: ReactNode
  /** Instead of the breadcrumb that follows from where the page stands: `Crumbs` of its own. */
  crumbs?: ReactNode
  /** On the right: icon buttons, default buttons, one primary last. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of the shell: its header, and below it what scrolls. */
export function Page({ title: named, heading, mono, facts, crumbs, actions, children }: PageProps) {
  const t = useT()
  const [shown, section] = useShownPages()
  const title = named ?? (shown?.page.label ? t(shown.page.label) : '')
  const within = section?.page.label
  usePageTitle(within === undefined ? title : `${t(within)} – ${title}`)
  useFocusOnArrival()
  return (
    <>
      {crumbs ?? <Crumbs items={crumbsOf(t, title, shown, section)} />}
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

/** From the area down: the pages above, the page, its section; the group only stands above a page of the sidebar. */
function crumbsOf(t: Translate, title: string, shown: ShownPage | undefined, section: ShownPage | undefined): Crumb[] {
  if (!shown) return [{ label: title }]
  const { page, above, address, params } = shown
  const group = page.group && groupLabels[page.group]
  return [
    ...(group !== undefined && !section ? [{ label: t(group) }] : []),
    ...above.map(({ label, path }) => ({ label: label ? t(label) : '', to: fillPath(path, params) })),
    { label: title, to: address },
    ...(section?.page.label === undefined ? [] : [{ label: t(section.page.label) }]),
  ]
}

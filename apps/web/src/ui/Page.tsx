import type { ReadOperation } from '@stowage/contract'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { usePageTitle } from '../lib/navigation/page-title.ts'
import { fillPath, groupLabels } from '../lib/navigation/pages.ts'
import { type ShownPage, useShownPages } from '../lib/navigation/trail.ts'
import { type Translate, useT } from '../lib/text/i18n.ts'
import { type Crumb, Crumbs } from './Crumbs.tsx'
import { useFocusOnArrival } from './focus.ts'
import css from './Page.module.css'
import { RefreshButton } from './RefreshButton.tsx'

interface PageProps {
  /** What is shown, in the heading, the breadcrumb and the browser's tab; the page's own label unless said. */
  title?: string
  /** The name in the browser's tab, where that is another than the title: the object that is open. */
  tab?: string | undefined
  /** What stands as heading when it is more than the title. */
  heading?: ReactNode
  /** A key or a path as heading is set in mono. */
  mono?: boolean
  /** Facts about the page in one line, one element each. Null reserves the line until they are loaded. */
  facts?: ReactNode
  /** `Crumbs` that replace the breadcrumb derived from the page registry. */
  crumbs?: ReactNode
  /** The calls that the page shows the answers of: its Refresh button reads them again. */
  refresh?: readonly ReadOperation[] | undefined
  /** On the right, behind Refresh: icon buttons, default buttons, one primary last. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of the shell: its header, and below it what scrolls. */
export function Page({ title: named, tab, heading, mono, facts, crumbs, refresh, actions, children }: PageProps) {
  const t = useT()
  const [shown, section] = useShownPages()
  const title = named ?? (shown?.page.label ? t(shown.page.label) : '')
  const within = section?.page.label
  usePageTitle(tab ?? (within === undefined ? title : `${t(within)} – ${title}`))
  useFocusOnArrival()
  return (
    <>
      {crumbs ?? <Crumbs items={crumbsOf(t, title, shown, section)} />}
      <header className={css.head}>
        <div className="grow">
          <h1 className={cx(css.title, mono && css.mono)}>{heading ?? title}</h1>
          {facts !== undefined && <div className={css.facts}>{facts}</div>}
        </div>
        {(refresh || actions) && (
          <div className={css.actions}>
            {refresh && <RefreshButton reads={refresh} />}
            {actions}
          </div>
        )}
      </header>
      <div className={css.body}>{children}</div>
    </>
  )
}

/** The parent pages, the page and its section. The sidebar group comes first only for pages of the sidebar. */
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

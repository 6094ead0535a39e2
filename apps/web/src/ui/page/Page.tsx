import type { ReadOperation } from '@stowage/contract'
import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { fillPath, groupLabels } from '../../lib/navigation/pages.ts'
import { openSection, type ShownPage, useShownPages } from '../../lib/navigation/shown-pages.ts'
import { type Translate, useT } from '../../lib/text/i18n.ts'
import { useFocusOnArrival } from '../keyboard/restore-focus.ts'
import { type Crumb, Crumbs } from './Crumbs.tsx'
import css from './Page.module.css'
import { RefreshButton } from './RefreshButton.tsx'

interface PageProps {
  /** The title in the heading, the breadcrumb and the browser's tab. Default: the label of the page. */
  title?: string
  /** The title of the browser's tab, if it differs from `title`: the name of the open object. */
  tab?: string | undefined
  /** The content of the heading, if it is more than the title. */
  heading?: ReactNode
  /** Sets the heading in a monospaced font, for keys and paths. */
  mono?: boolean
  /** Facts about the page on one line, one element each. Null reserves the line until they are loaded. */
  facts?: ReactNode
  /** `Crumbs` that replace the breadcrumb derived from the page registry. */
  crumbs?: ReactNode
  /** The calls whose results the page shows. The Refresh button makes them again. */
  refresh?: readonly ReadOperation[] | undefined
  /** To the right of Refresh: icon buttons, then default buttons, then at most one primary button. */
  actions?: ReactNode
  children: ReactNode
}

/** A page inside the app layout: a header and below it the scrolling content. */
export function Page({ title: named, tab, heading, mono, facts, crumbs, refresh, actions, children }: PageProps) {
  const t = useT()
  const [shown, section] = useShownPages()
  const title = named ?? (shown?.page.label ? t(shown.page.label) : '')
  const within = section?.page.label
  usePageTitle(tab ?? (within === undefined ? title : `${t(within)} – ${title}`))
  useFocusOnArrival()
  return (
    <>
      {crumbs ?? <Crumbs items={pageCrumbs(t, title, shown, section)} />}
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

/** Returns the parent pages, the page and its section. Pages of the sidebar begin with their sidebar group. */
function pageCrumbs(
  t: Translate,
  title: string,
  shown: ShownPage | undefined,
  section: ShownPage | undefined,
): Crumb[] {
  if (!shown) return [{ label: title }]
  const { page, above, address, params } = shown
  const group = page.group && groupLabels[page.group]
  return [
    ...(group !== undefined && !section ? [{ label: t(group) }] : []),
    ...above.map(({ label, path }) => ({ label: label ? t(label) : '', to: fillPath(path, params) })),
    { label: title, to: address },
    ...(section ? sectionCrumbs(t, shown, section) : []),
  ]
}

function sectionCrumbs(t: Translate, shown: ShownPage, section: ShownPage): Crumb[] {
  const listed = openSection(shown, section)
  if (listed?.label === undefined) return []
  const list = { label: t(listed.label), to: fillPath(listed.path, section.params) }
  const parameter = section.page.path.slice(listed.path.length + '/$'.length)
  return parameter === '' ? [list] : [list, { label: section.params[parameter] }]
}

import type { ReachableFolder, Session, SessionPage } from '@stowage/contract'
import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { ConsoleAction } from '../data/permissions.ts'
import { type Message, msg } from '../text/message.ts'

/* A page of the console is one entry in the `pages.ts` of its area. Routes, guards, sidebar, palette, breadcrumb and typed
   links are derived from it. */

type ParamName<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamName<Head> | ParamName<Tail>
  : Path extends '$'
    ? '_splat'
    : Path extends `$${infer Name}`
      ? Name
      : never

/**
 * The parameters of a path, decoded: `bucket` for `/buckets/$bucket`. A `$` alone matches the rest of the path, as `_splat`.
 */
export type PathParams<Path extends string> = { [Name in ParamName<Path>]: string }

/** The groups of the sidebar. `top` and `license` are first and last and have no heading. */
export type PageGroup = 'top' | 'user' | 'admin' | 'tools' | 'operator' | 'license'

/** The groups that can be collapsed. */
export type CollapsibleGroup = Exclude<PageGroup, 'top' | 'license'>

/** The headings of the groups. */
export const groupLabels: Partial<Record<PageGroup, Message>> & Record<CollapsibleGroup, Message> = {
  user: msg('User'),
  admin: msg('Admin'),
  tools: msg('Tools'),
  operator: msg('Operator'),
}

/** The opened page and the session, for reading its data ahead. */
interface PageVisit<P> {
  params: P
  session: Session
  /** Decoded, below the base path. */
  pathname: string
  /** With the question mark. */
  search: string
}

interface PageEntry<Path extends string, P> {
  path: Path
  /** The page that this is a section of. The section is shown inside that page, and in its navigation if it has a label. */
  in?: string
  /** The parent page in the breadcrumb, such as the list that a detail page belongs to. */
  under?: string
  /** The entry of the session's `pages` that permits this page. Default: that of the page in `in`, or any session. */
  page?: SessionPage
  /** The mode of the console that has this page. Default: `console`. */
  mode?: 'console' | 'operator' | 'both'
  /** Whether the server supports the page. False closes the page and removes it from all menus. */
  when?: (session: Session) => boolean
  /**
   * The action without which the section is useless: without it the section's menu entry is disabled, and the reason shows it.
   */
  needs?: ConsoleAction
  /** Its name in menus and in the breadcrumb, and its title. A detail page is titled after what it shows instead. */
  label?: Message
  /** The group of the sidebar that lists it. Requires a label and an icon. */
  group?: PageGroup
  icon?: Icon
  /** Loads the component, which is in a separate chunk. */
  load: () => Promise<ComponentType<P>>
  /** Starts to read the page's data while its code loads. */
  prefetch?: (visit: PageVisit<P>) => void
}

/** A page with any parameters, for routes and menus. */
export type ConsolePage<Path extends string = string> = PageEntry<Path, Record<string, string>>

/** Declares a page. The parameters of its path are the properties of its component. */
export function definePage<const Path extends string>(entry: PageEntry<Path, PathParams<Path>>): ConsolePage<Path> {
  // The router passes the parameters of this path.
  return entry as unknown as ConsolePage<Path>
}

/** Extended by the list of all pages, so that links are checked against it. */
// biome-ignore lint/suspicious/noEmptyInterface: `pages.ts` extends it
export interface Register {}

/** The path of a page, as declared. */
export type PagePath = Register extends { path: infer Path extends string } ? Path : string

declare const built: unique symbol
/** The address of a page below the base path with encoded names, built by `pathTo` and similar functions. */
export type PageAddress = string & { readonly [built]: true }

/** The target of a link: the path of a page without parameters, or an address. */
export type PageTarget =
  | PageAddress
  | '/'
  | '/login'
  | { [Path in PagePath]: ParamName<Path> extends never ? Path : never }[PagePath]

/** Returns the address of a page: `pathTo('/buckets/$bucket/summary', { bucket })`. */
export function pathTo<const Path extends PagePath>(
  path: Path,
  ...[params]: ParamName<Path> extends never ? [] : [PathParams<Path>]
): PageAddress {
  return fillPath(path, params ?? {})
}

/** Fills in the path of any page; the parameters are not checked by the compiler. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): PageAddress {
  const segments = path.split('/').map((segment) => {
    if (segment === '$') return (params._splat ?? '').split('/').map(encodeURIComponent).join('/')
    return segment.startsWith('$') ? encodeURIComponent(params[segment.slice(1)] ?? '') : segment
  })
  return segments.join('/') as PageAddress
}

/** Adds search parameters to an address. */
export function withSearch(to: PageTarget, search: string | Readonly<Record<string, string>>): PageAddress {
  const params = new URLSearchParams(search as string | Record<string, string>)
  // Adding parameters to an address gives an address.
  return (params.size === 0 ? to : `${to}${to.includes('?') ? '&' : '?'}${params}`) as PageAddress
}

/** Reports whether a session may see a page. The page that contains it is checked separately. */
export function maySeePage({ mode = 'console', when, page }: ConsolePage, session: Session): boolean {
  if (mode !== 'both' && (mode === 'operator') !== session.operator) return false
  if (when && !when(session)) return false
  return page === undefined || session.pages.includes(page)
}

/** A page that is listed in menus. */
export interface MenuPage extends ConsolePage {
  label: Message
  group: PageGroup
  icon: Icon
}

const isMenuPage = (page: ConsolePage): page is MenuPage =>
  page.label !== undefined && page.group !== undefined && page.icon !== undefined

/** Returns the pages of the sidebar that a session may see, in their order. */
export function menuPages(pages: readonly ConsolePage[], session: Session): MenuPage[] {
  return pages.filter(isMenuPage).filter((page) => maySeePage(page, session))
}

/** The preferred first pages, in order. */
const PREFERRED_PAGES: readonly string[] = ['/buckets', '/object-browser', '/dashboard']

/** Returns the page to open after sign-in; undefined if the session may see none. */
export function landingPage(pages: readonly ConsolePage[], session: Session): MenuPage | undefined {
  const open = menuPages(pages, session)
  return PREFERRED_PAGES.flatMap((path) => open.filter((page) => page.path === path))[0] ?? open[0]
}

/**
 * Returns the folder to open after sign-in, if the first page is the object browser and the user can list only one folder.
 * Users who can list several folders choose one themselves.
 */
export function landingFolder(landing: ConsolePage | undefined, { places = [] }: Session): ReachableFolder | undefined {
  if (landing?.path !== '/object-browser') return undefined
  const listed = places.filter(({ list }) => list)
  return listed.length === 1 ? listed[0] : undefined
}

/** Returns the sections of a page that a session may see, in the order of its navigation. */
export function visibleSections(pages: readonly ConsolePage[], of: ConsolePage, session: Session): ConsolePage[] {
  return pages.filter((page) => page.in === of.path && maySeePage(page, session))
}

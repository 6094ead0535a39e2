import type { Place, Session, SessionPage } from '@stowage/contract'
import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { ConsoleAction } from '../session/permissions.ts'
import { type Message, msg } from '../text/message.ts'

/* A page of the console is one entry of its area's `pages.ts`. Routes, guards, sidebar, palette, crumbs and typed links follow from it. */

type ParamName<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamName<Head> | ParamName<Tail>
  : Path extends '$'
    ? '_splat'
    : Path extends `$${infer Name}`
      ? Name
      : never

/** The parameters of a path, decoded: `bucket` for `/buckets/$bucket`; a `$` alone takes the rest of the path, as `_splat`. */
export type Params<Path extends string> = { [Name in ParamName<Path>]: string }

/** The groups of the sidebar; `top` and `license` are above and below the others and have no heading. */
export type PageGroup = 'top' | 'user' | 'admin' | 'tools' | 'operator' | 'license'

/** The groups that fold away under their heading. */
export type FoldingGroup = Exclude<PageGroup, 'top' | 'license'>

/** The headings of the groups. */
export const groupLabels: Partial<Record<PageGroup, Message>> & Record<FoldingGroup, Message> = {
  user: msg('User'),
  admin: msg('Admin'),
  tools: msg('Tools'),
  operator: msg('Operator'),
}

/** What a page can read ahead for: where it is opened, and by whom. */
interface Visit<P> {
  params: P
  session: Session
  /** Decoded, below the base path. */
  pathname: string
  /** With its question mark. */
  search: string
}

interface PageEntry<Path extends string, P> {
  path: Path
  /** The page that this is a section of: it is drawn inside of it, and listed in its navigation when it has a label. */
  in?: string
  /** The page above it in the breadcrumb, such as the list that it is a detail of. */
  under?: string
  /** What opens it: one of the session's `pages`. Without it, whatever opens the page that it is in, or just a session. */
  page?: SessionPage
  /** The mode of the console that has it; `console` unless said. */
  mode?: 'console' | 'operator' | 'both'
  /** Whether the server has it: false closes the page and leaves it out of every menu. */
  when?: (session: Session) => boolean
  /** The action that it is of no use without: its entry among the sections of a page is then disabled, and names it. */
  needs?: ConsoleAction
  /** Its name in menus and in the breadcrumb, and its title; a detail page is named by what it shows. */
  label?: Message
  /** Where the sidebar lists it; needs a label and an icon. */
  group?: PageGroup
  icon?: Icon
  /** Its component, in a separate chunk. */
  load: () => Promise<ComponentType<P>>
  /** Starts to read what it shows while its code loads. */
  prefetch?: (visit: Visit<P>) => void
}

/** A page as routes and menus see it, whatever its parameters are. */
export type Page<Path extends string = string> = PageEntry<Path, Record<string, string>>

/** Declares a page; the parameters of its path are the properties of its component. */
export function definePage<const Path extends string>(entry: PageEntry<Path, Params<Path>>): Page<Path> {
  // The router hands over the parameters of this very path.
  return entry as unknown as Page<Path>
}

/** The list of all pages registers itself here, so that links are checked against it. */
// biome-ignore lint/suspicious/noEmptyInterface: `pages.ts` adds to it
export interface Register {}

/** The path of a page, as it is declared. */
export type PagePath = Register extends { path: infer Path extends string } ? Path : string

declare const built: unique symbol
/** The address of a page below the base path, made by `pathTo` and its like: names in it are encoded. */
export type PageAddress = string & { readonly [built]: true }

/** What a link leads to: the path of a page without parameters, or an address. */
export type To =
  | PageAddress
  | '/'
  | '/login'
  | { [Path in PagePath]: ParamName<Path> extends never ? Path : never }[PagePath]

/** The address of a page: `pathTo('/buckets/$bucket/summary', { bucket })`. */
export function pathTo<const Path extends PagePath>(
  path: Path,
  ...[params]: ParamName<Path> extends never ? [] : [Params<Path>]
): PageAddress {
  return fillPath(path, params ?? {})
}

/** The same for a page of the list, whose parameters the compiler does not know. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): PageAddress {
  const segments = path.split('/').map((segment) => {
    if (segment === '$') return (params._splat ?? '').split('/').map(encodeURIComponent).join('/')
    return segment.startsWith('$') ? encodeURIComponent(params[segment.slice(1)] ?? '') : segment
  })
  return segments.join('/') as PageAddress
}

/** The same address with search parameters of that page. */
export function withSearch(to: To, search: string | Readonly<Record<string, string>>): PageAddress {
  const params = new URLSearchParams(search as string | Record<string, string>)
  // What was an address is one still.
  return (params.size === 0 ? to : `${to}${to.includes('?') ? '&' : '?'}${params}`) as PageAddress
}

/** Whether a session may see a page; the page that it is in decides as well. */
export function isOpen({ mode = 'console', when, page }: Page, session: Session): boolean {
  if (mode !== 'both' && (mode === 'operator') !== session.operator) return false
  if (when && !when(session)) return false
  return page === undefined || session.pages.includes(page)
}

/** A page that menus list. */
export interface MenuPage extends Page {
  label: Message
  group: PageGroup
  icon: Icon
}

const isMenuPage = (page: Page): page is MenuPage =>
  page.label !== undefined && page.group !== undefined && page.icon !== undefined

/** The pages of the sidebar that a session may see, in the sidebar's order. */
export function menuPages(pages: readonly Page[], session: Session): MenuPage[] {
  return pages.filter(isMenuPage).filter((page) => isOpen(page, session))
}

/** These are looked at before the others when a page is wanted to begin with. */
const FIRST: readonly string[] = ['/buckets', '/object-browser', '/dashboard']

/** The page that a session begins with; undefined when it may see none. */
export function landingPage(pages: readonly Page[], session: Session): MenuPage | undefined {
  const open = menuPages(pages, session)
  return FIRST.flatMap((path) => open.filter((page) => page.path === path))[0] ?? open[0]
}

/**
 * The folder that a session begins with, if the object browser is its first page and it may list one folder only. Who may
 * list more chooses among them.
 */
export function landingFolder(landing: Page | undefined, { places = [] }: Session): Place | undefined {
  if (landing?.path !== '/object-browser') return undefined
  const listed = places.filter(({ list }) => list)
  return listed.length === 1 ? listed[0] : undefined
}

/** The sections of a page that a session may see, in the order of its navigation. */
export function openSections(pages: readonly Page[], of: Page, session: Session): Page[] {
  return pages.filter((page) => page.in === of.path && isOpen(page, session))
}

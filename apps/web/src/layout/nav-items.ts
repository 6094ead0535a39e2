import { type Icon, IconBucket, IconFolder, IconGauge } from '@tabler/icons-react'
import { type Message, msg } from '../lib/text/i18n.ts'
import { paths } from '../paths.ts'

export interface NavItem {
  label: Message
  to: string
  icon: Icon
  /** As the session's `pages` name it. */
  page: string
}

export interface NavGroup {
  label: Message
  items: NavItem[]
}

/** Above the groups. */
export const commonItems: NavItem[] = [
  { label: msg('Dashboard'), to: paths.dashboard, icon: IconGauge, page: '/dashboard' },
]

/** The sidebar, group by group. An area stands here once it is built; a session sees what its `pages` hold. */
export const navGroups: NavGroup[] = [
  {
    label: msg('User'),
    items: [{ label: msg('Object Browser'), to: paths.objectBrowser, icon: IconFolder, page: '/object-browser' }],
  },
  {
    label: msg('Admin'),
    items: [{ label: msg('Buckets'), to: paths.buckets, icon: IconBucket, page: '/buckets' }],
  },
]

/** All of them in the order of the sidebar. */
export const navItems: NavItem[] = [...commonItems, ...navGroups.flatMap((group) => group.items)]

/** The pages of documentation of the storage server; which console asked is told by `ref`. */
export function documentationUrl(operator: boolean): string {
  return `https://docs.min.io/?ref=${operator ? 'op' : 'con'}`
}

/** Pages that are shown without the sidebar. */
export function hidesSidebar(pathname: string): boolean {
  return pathname === '/metrics' || pathname.endsWith('/hop')
}

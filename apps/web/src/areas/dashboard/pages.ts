import { IconGauge } from '@tabler/icons-react'
import { prefetch } from '../../lib/api/query.ts'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

export const dashboardPages = [
  definePage({
    path: '/dashboard',
    page: '/dashboard',
    label: msg('Dashboard'),
    group: 'top',
    icon: IconGauge,
    load: async () => (await import('./DashboardPage.tsx')).DashboardPage,
    prefetch: () => prefetch('getAdminInfo', {}),
  }),
  // The dashboard without the sidebar, for a permanent display.
  definePage({
    path: '/metrics',
    page: '/metrics',
    label: msg('Metrics'),
    load: async () => (await import('./DashboardPage.tsx')).DashboardPage,
    prefetch: () => prefetch('getAdminInfo', {}),
  }),
]

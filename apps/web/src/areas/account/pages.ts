import { IconKey } from '@tabler/icons-react'
import { prefetch } from '../../lib/api/query.ts'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

export const accountPages = [
  definePage({
    path: '/account',
    page: '/account',
    label: msg('Service Accounts'),
    group: 'user',
    icon: IconKey,
    load: async () => (await import('./AccountPage.tsx')).AccountPage,
    prefetch: () => prefetch('listAccessKeys', { query: {} }),
  }),
]

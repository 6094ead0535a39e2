import { IconUsersGroup } from '@tabler/icons-react'
import { prefetch } from '../../lib/api/query.ts'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

export const groupPages = [
  definePage({
    path: '/groups',
    page: '/groups',
    label: msg('Groups'),
    group: 'admin',
    icon: IconUsersGroup,
    load: async () => (await import('./GroupsPage.tsx')).GroupsPage,
    prefetch: () => prefetch('listGroups', {}),
  }),
]

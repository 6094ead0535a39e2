import { IconHeartbeat } from '@tabler/icons-react'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

export const healPages = [
  definePage({
    path: '/heal',
    page: '/heal',
    // With one drive there is no second copy to heal from.
    when: ({ distributedMode }) => distributedMode,
    label: msg('Heal'),
    group: 'tools',
    icon: IconHeartbeat,
    load: async () => (await import('./HealPage.tsx')).HealPage,
  }),
]

import { IconBroadcast } from '@tabler/icons-react'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

export const watchPages = [
  definePage({
    path: '/watch',
    page: '/watch',
    label: msg('Watch'),
    group: 'tools',
    icon: IconBroadcast,
    load: async () => (await import('./WatchPage.tsx')).WatchPage,
  }),
]

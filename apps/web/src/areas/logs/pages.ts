import { IconFileText } from '@tabler/icons-react'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

export const logPages = [
  definePage({
    path: '/logs',
    page: '/logs',
    label: msg('Logs'),
    group: 'tools',
    icon: IconFileText,
    load: async () => (await import('./LogsPage.tsx')).LogsPage,
  }),
  definePage({
    path: '/logs/requests/$request',
    page: '/logs',
    under: '/logs',
    load: async () => (await import('./request/RequestPage.tsx')).RequestPage,
  }),
]

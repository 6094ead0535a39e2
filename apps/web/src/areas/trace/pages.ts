import { IconActivity } from '@tabler/icons-react'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

export const tracePages = [
  definePage({
    path: '/trace',
    page: '/trace',
    label: msg('Trace'),
    group: 'tools',
    icon: IconActivity,
    load: async () => (await import('./TracePage.tsx')).TracePage,
  }),
]

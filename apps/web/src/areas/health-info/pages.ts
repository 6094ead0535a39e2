import { IconStethoscope } from '@tabler/icons-react'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

export const healthInfoPages = [
  definePage({
    path: '/health-info',
    page: '/health-info',
    label: msg('Diagnostic'),
    group: 'tools',
    icon: IconStethoscope,
    load: async () => (await import('./HealthInfoPage.tsx')).HealthInfoPage,
  }),
]

import { definePage } from '../../lib/navigation/pages.ts'

export const shellPages = [
  definePage({
    path: '/no-access',
    mode: 'both',
    load: async () => (await import('./NoAccessPage.tsx')).NoAccessPage,
  }),
]

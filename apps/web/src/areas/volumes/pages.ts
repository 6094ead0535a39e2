import { IconDatabase } from '@tabler/icons-react'
import { prefetch } from '../../lib/api/query.ts'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

const operator = { mode: 'operator' } as const

export const volumePages = [
  definePage({
    path: '/storage',
    page: '/storage',
    ...operator,
    label: msg('Storage'),
    group: 'operator',
    icon: IconDatabase,
    load: async () => (await import('./StoragePage.tsx')).StoragePage,
    prefetch: () => prefetch('listVolumes', { query: {} }),
  }),
  definePage({
    path: '/storage/volumes',
    in: '/storage',
    page: '/storage/volumes',
    ...operator,
    label: msg('Volumes'),
    load: async () => (await import('./VolumesSection.tsx')).VolumesSection,
    prefetch: () => prefetch('listVolumes', { query: {} }),
  }),
  definePage({
    path: '/storage/drives',
    in: '/storage',
    page: '/storage/drives',
    ...operator,
    label: msg('Drives'),
    load: async () => (await import('./DrivesSection.tsx')).DrivesSection,
    prefetch: () => prefetch('listDrives', { query: {} }),
  }),
  definePage({
    path: '/storage/former-tenants',
    in: '/storage',
    page: '/storage/volumes',
    ...operator,
    label: msg('Former Tenants'),
    load: async () => (await import('./FormerTenantsSection.tsx')).FormerTenantsSection,
    prefetch: () => prefetch('listFormerTenants', { query: {} }),
  }),
  definePage({
    path: '/storage/$',
    in: '/storage',
    page: '/storage/volumes',
    ...operator,
    load: async () => (await import('./VolumesRedirect.tsx')).VolumesRedirect,
  }),
]

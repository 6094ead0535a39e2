import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { prefetch } from '../../lib/api/query.ts'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

export const settingsPages = [
  definePage({
    path: '/settings',
    page: '/settings',
    label: msg('Settings'),
    group: 'admin',
    icon: IconAdjustmentsHorizontal,
    load: async () => (await import('./SettingsPage.tsx')).SettingsPage,
  }),
  definePage({
    path: '/settings/configurations',
    in: '/settings',
    label: msg('Configurations'),
    load: async () => (await import('./configurations/ConfigurationsSection.tsx')).ConfigurationsSection,
    prefetch: () => prefetch('listConfigs', {}),
  }),
  definePage({
    path: '/settings/notifications',
    in: '/settings',
    label: msg('Lambda Notifications'),
    load: async () => (await import('./notifications/NotificationsSection.tsx')).NotificationsSection,
    prefetch: () => prefetch('listNotificationEndpoints', {}),
  }),
  definePage({
    path: '/settings/tiers',
    in: '/settings',
    label: msg('Tiers'),
    when: ({ distributedMode }) => distributedMode,
    load: async () => (await import('./tiers/TiersSection.tsx')).TiersSection,
    prefetch: () => prefetch('listTiers', {}),
  }),
  definePage({
    path: '/webhook/$kind',
    page: '/settings',
    load: async () => (await import('./WebhookPage.tsx')).WebhookPage,
  }),
]

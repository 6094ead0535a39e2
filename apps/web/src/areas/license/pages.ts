import { IconLicense } from '@tabler/icons-react'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

export const licensePages = [
  definePage({
    path: '/license',
    page: '/license',
    mode: 'both',
    label: msg('License'),
    group: 'license',
    icon: IconLicense,
    load: async () => (await import('./LicensePage.tsx')).LicensePage,
  }),
]

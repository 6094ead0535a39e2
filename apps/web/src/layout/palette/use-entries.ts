import { useMantineColorScheme } from '@mantine/core'
import { IconBook2, IconBucket, IconKeyboard, IconLogout, IconPlus, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../../lib/api/query.ts'
import { bucketsQuery } from '../../lib/data/buckets.ts'
import { navigate } from '../../lib/navigation/navigate.ts'
import { isAllowed } from '../../lib/navigation/pages.ts'
import { useMay } from '../../lib/session/permissions.ts'
import { logout, useSession } from '../../lib/session/session.ts'
import { formatSize } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { paths } from '../../paths.ts'
import { documentationUrl, navItems } from '../nav-items.ts'
import { schemes } from '../SchemeButton.tsx'
import { shortcutsOpen } from '../shell-state.ts'
import type { Entry } from './entries.ts'

/** Everything that this session can go to or do. */
export function useEntries(): Entry[] {
  const t = useT()
  const { pages, operator } = useSession()
  const { data } = useQuery(bucketsQuery)
  const { setColorScheme } = useMantineColorScheme()
  const canCreate = useMay()('s3:CreateBucket') === true
  const browse = isAllowed(pages, '/object-browser/:bucket/*')
  const settings = isAllowed(pages, '/buckets/*')

  const pageEntries: Entry[] = navItems
    .filter((item) => isAllowed(pages, item.page))
    .map((item) => ({
      area: t('Pages'),
      label: t(item.label),
      icon: item.icon,
      verb: t('Open'),
      run: () => navigate(item.to),
    }))

  const bucketEntries: Entry[] = (data?.buckets ?? []).map(({ name, size }) => {
    const into = () => navigate(paths.browse(name))
    return {
      area: t('Buckets'),
      label: name,
      icon: IconBucket,
      note: formatSize(size),
      verb: settings ? t('Open Summary') : t('Browse'),
      run: settings ? () => navigate(paths.bucket(name)) : into,
      ...(browse ? { into } : {}),
    }
  })

  const command = (label: string, icon: Entry['icon'], run: () => void): Entry => ({
    area: t('Commands'),
    label,
    icon,
    verb: t('Run'),
    run,
  })
  return [
    ...pageEntries,
    ...bucketEntries,
    ...(canCreate && isAllowed(pages, '/buckets')
      ? [command(t('Create Bucket'), IconPlus, () => navigate(`${paths.buckets}?create=bucket`))]
      : []),
    command(t('Refresh'), IconRefresh, () => void queryClient.invalidateQueries()),
    ...schemes.map(({ label, icon, value }) =>
      command(t('Color scheme: {{scheme}}', { scheme: t(label) }), icon, () => setColorScheme(value)),
    ),
    command(t('Keyboard shortcuts'), IconKeyboard, () => shortcutsOpen.set(true)),
    command(t('Documentation'), IconBook2, () => window.open(documentationUrl(operator), '_blank', 'noopener')),
    command(t('Logout'), IconLogout, () => void logout()),
  ]
}

import { useMantineColorScheme } from '@mantine/core'
import { IconBook2, IconKeyboard, IconLogout, IconRefresh } from '@tabler/icons-react'
import { useBucketPalette } from '../../areas/buckets/bucket-palette.ts'
import { useIdentityPalette } from '../../areas/policies/identity-palette.ts'
import { useTenantPalette } from '../../areas/tenants/tenant-palette.ts'
import { queryClient } from '../../lib/api/query.ts'
import { navigate } from '../../lib/navigation/navigate.ts'
import { fillPath, menuPages } from '../../lib/navigation/pages.ts'
import type { PaletteEntry } from '../../lib/navigation/palette-entry.ts'
import { useSession } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'
import { pages } from '../../pages.ts'
import { askLogout } from '../controls/ask-logout.ts'
import { colorSchemes } from '../controls/SchemeButton.tsx'
import { documentationUrl } from '../controls/shell-rules.ts'
import { shortcutsOpen } from '../controls/shell-state.ts'

/** Returns all pages, commands and resources that this session can open or run. Areas add their searchable resources here. */
export function usePaletteEntries(): PaletteEntry[] {
  const t = useT()
  const session = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const sources = [useBucketPalette(), useIdentityPalette(), useTenantPalette()]

  const pageEntries: PaletteEntry[] = menuPages(pages, session).map(({ label, icon, path }) => ({
    area: t('Pages'),
    label: t(label),
    icon,
    verb: t('Open'),
    run: () => navigate(fillPath(path, {})),
  }))
  const commands = [
    ...sources.flatMap((source) => source.commands),
    { label: t('Refresh'), icon: IconRefresh, run: () => void queryClient.invalidateQueries() },
    ...colorSchemes.map(({ label, icon, value }) => ({
      label: t('Color scheme: {{scheme}}', { scheme: t(label) }),
      icon,
      run: () => setColorScheme(value),
    })),
    { label: t('Keyboard shortcuts'), icon: IconKeyboard, run: () => shortcutsOpen.set(true) },
    {
      label: t('Documentation'),
      icon: IconBook2,
      run: () => void window.open(documentationUrl(session.operator), '_blank', 'noopener'),
    },
    { label: t('Logout'), icon: IconLogout, run: askLogout },
  ]
  return [
    ...pageEntries,
    ...sources.flatMap((source) => source.items),
    ...commands.map((command) => ({ ...command, area: t('Commands'), verb: t('Run') })),
  ]
}

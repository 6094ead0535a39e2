import { IconShieldLock, IconUser, IconUserQuestion, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { usePermissions } from '../../lib/data/permissions.ts'
import { navigate } from '../../lib/navigation/navigate.ts'
import { pathTo, withSearch } from '../../lib/navigation/pages.ts'
import type { PaletteEntry, PaletteSource } from '../../lib/navigation/palette-entry.ts'
import { useSession } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'

/** Returns palette entries for users, groups and policies, and for asking what they may do. */
export function useIdentityPalette(): PaletteSource {
  const t = useT()
  const { pages, operator } = useSession()
  const may = usePermissions()
  const readable = (page: string, action: Parameters<typeof may>[0]) =>
    !operator && pages.includes(page) && may(action) === true
  const users = useQuery({ ...q('listUsers', {}), enabled: readable('/users', 'admin:ListUsers') })
  const groups = useQuery({ ...q('listGroups', {}), enabled: readable('/groups', 'admin:ListGroups') })
  const policies = useQuery({ ...q('listPolicies', {}), enabled: readable('/policies', 'admin:ListUserPolicies') })
  const open = t('Open')
  const items: PaletteEntry[] = [
    ...(users.data?.users ?? []).map(({ accessKey: user }) => ({
      area: t('Users'),
      label: user,
      icon: IconUser,
      verb: open,
      run: () => navigate(pathTo('/users/$user', { user })),
    })),
    ...(groups.data?.groups ?? []).map((group) => ({
      area: t('Groups'),
      label: group,
      icon: IconUsersGroup,
      verb: open,
      // A group has no page of its own: open the list filtered by its name.
      run: () => navigate(withSearch('/groups', { 'groups.filter': group })),
    })),
    ...(policies.data?.policies ?? []).map(({ name: policy }) => ({
      area: t('IAM Policies'),
      label: policy,
      icon: IconShieldLock,
      verb: open,
      run: () => navigate(pathTo('/policies/$policy/summary', { policy })),
    })),
  ]
  const ask = { label: t('Can they?'), icon: IconUserQuestion, run: () => navigate('/can-they') }
  return { items, commands: operator ? [] : [ask] }
}

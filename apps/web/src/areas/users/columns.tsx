import type { User } from '@stowage/contract/users/users'
import { pathTo } from '../../lib/navigation/pages.ts'
import { msg, t } from '../../lib/text/i18n.ts'
import { useSmallScreen } from '../../lib/use-small-screen.ts'
import { Link } from '../../ui/controls/Link.tsx'
import type { Column } from '../../ui/table/DataTable.tsx'
import { EnabledStatus } from '../../ui/values/EnabledStatus.tsx'

/** Returns `build, ops`, or `–`. */
const namesCell = (names: readonly string[]) => <span className="ink-2">{names.join(', ') || '–'}</span>

export const userColumns: Column<User>[] = [
  {
    key: 'accessKey',
    label: msg('Access Key'),
    fixed: true,
    small: 'title',
    cell: ({ accessKey }) => (
      <Link to={pathTo('/users/$user/groups', { user: accessKey })} data-row-link title={accessKey}>
        {accessKey}
      </Link>
    ),
  },
  {
    key: 'status',
    label: msg('Status'),
    width: 112,
    small: 'aside',
    cell: ({ status }) => <EnabledStatus of={status} />,
  },
  {
    key: 'memberOf',
    label: msg('Groups'),
    width: 200,
    yields: 2,
    small: 'whole',
    value: ({ memberOf }) => memberOf.join(', '),
    cell: (user) => <GroupsCell of={user} />,
  },
  {
    key: 'policy',
    label: msg('Policies'),
    width: 240,
    yields: 1,
    small: 'note',
    value: ({ policy }) => policy.join(', '),
    cell: (user) => <PoliciesCell of={user} />,
  },
]

/** On a small screen, which has no column headers, a line with a label, and none without groups. */
function GroupsCell({ of: { memberOf } }: { of: User }) {
  const small = useSmallScreen()
  if (!small) return namesCell(memberOf)
  return memberOf.length > 0 && t('Groups: {{names}}', { names: memberOf.join(', ') })
}

/** On a small screen nothing if the groups are all that the user has. */
function PoliciesCell({ of: { policy, memberOf } }: { of: User }) {
  const small = useSmallScreen()
  return !(small && policy.length === 0 && memberOf.length > 0) && namesCell(policy)
}

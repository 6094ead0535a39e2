import { ActionIcon, Button } from '@mantine/core'
import { IconLock, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q, queryClient } from '../../lib/api/query.ts'
import { isNotFound } from '../../lib/api/query-result.ts'
import { useChange } from '../../lib/changes/change.ts'
import { navigate } from '../../lib/navigation/navigate.ts'
import { withSearch } from '../../lib/navigation/pages.ts'
import { useSession } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { whileBusy } from '../../ui/controls/while-busy.tsx'
import { ErrorState } from '../../ui/feedback/states.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { Sections } from '../../ui/page/Sections.tsx'
import { askDeleteUser } from './delete-user.tsx'

const ChangeUserPasswordModal = loadableDialog(
  async () => (await import('./ChangeUserPasswordModal.tsx')).ChangeUserPasswordModal,
)

/** The page of a user: header, list of sections, and the open section. */
export function UserPage({ user }: { user: string }) {
  const t = useT()
  const session = useSession()
  const query = useQuery(q('getUser', { query: { name: user } }))
  const { data } = query
  const needs = useDisabledReason()
  const gone = isNotFound(query)
  const self = user === session.user
  const [changing, setChanging] = useState(false)
  const toggle = useChange('updateUser')
  const enabled = data?.status === 'enabled'
  const leave = () => {
    navigate('/users', { replace: true })
    queryClient.removeQueries({ queryKey: ['getUser', { query: { name: user } }] })
  }
  const cannotToggle = self ? t('You cannot disable the user that you are signed in as') : needs('admin:EnableUser')
  const cannotDelete = self ? t('You cannot delete the user that you are signed in as') : needs('admin:DeleteUser')

  return (
    <Page
      title={user}
      facts={gone ? undefined : <span>{data && (enabled ? t('Status: Enabled') : t('Status: Disabled'))}</span>}
      refresh={gone ? undefined : ['getUser', 'listAccessKeys', 'listGroups']}
      actions={
        data && !gone ? (
          <>
            <Button component={Link} to={withSearch('/can-they', { name: user })}>
              {t('Can they?')}
            </Button>
            <Disabled reason={cannotToggle}>
              <Button
                {...whileBusy(toggle.isPending)}
                onClick={() =>
                  toggle.isPending ||
                  toggle.run({
                    query: { name: user },
                    body: { status: enabled ? 'disabled' : 'enabled', before: { status: data.status } },
                  })
                }
              >
                {enabled ? t('Disable') : t('Enable')}
              </Button>
            </Disabled>
            <Disabled
              reason={self ? t('Change your own password on the Service Accounts page') : needs('admin:CreateUser')}
              label={t('Change Password')}
            >
              <ActionIcon
                variant="default"
                size={32}
                aria-label={t('Change Password')}
                onClick={() => setChanging(true)}
              >
                <Icon of={IconLock} />
              </ActionIcon>
            </Disabled>
            <Disabled reason={cannotDelete} label={t('Delete User')}>
              <ActionIcon
                variant="default"
                size={32}
                aria-label={t('Delete User')}
                onClick={() => askDeleteUser(user, leave)}
              >
                <Icon of={IconTrash} />
              </ActionIcon>
            </Disabled>
          </>
        ) : undefined
      }
    >
      {gone ? (
        <ErrorState
          error={query.error}
          actions={
            <Button component={Link} to="/users">
              {t('Back to Users')}
            </Button>
          }
        />
      ) : (
        <Sections />
      )}
      {changing && <ChangeUserPasswordModal user={user} onClose={() => setChanging(false)} />}
    </Page>
  )
}

import { ActionIcon, Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { q, queryClient } from '../../lib/api/query.ts'
import { isNotFound } from '../../lib/api/query-result.ts'
import { navigate } from '../../lib/navigation/navigate.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { ErrorState } from '../../ui/feedback/states.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { Sections } from '../../ui/page/Sections.tsx'
import { askDeletePolicy } from './delete-policy.tsx'

/** The page of a policy: header, list of sections, and the open section. */
export function PolicyPage({ policy }: { policy: string }) {
  const t = useT()
  const query = useQuery(q('getPolicy', { query: { name: policy } }))
  const needs = useDisabledReason()
  const gone = isNotFound(query)
  const leave = () => {
    navigate('/policies', { replace: true })
    queryClient.removeQueries({ queryKey: ['getPolicy', { query: { name: policy } }] })
  }
  return (
    <Page
      title={policy}
      facts={<span>{t('IAM Policy')}</span>}
      refresh={gone ? undefined : ['getPolicy', 'listPolicyUsers', 'listPolicyGroups']}
      actions={
        gone ? undefined : (
          <Disabled reason={needs('admin:DeletePolicy')} label={t('Delete Policy')}>
            <ActionIcon
              variant="default"
              size={32}
              aria-label={t('Delete Policy')}
              onClick={() => askDeletePolicy(policy, leave)}
            >
              <Icon of={IconTrash} />
            </ActionIcon>
          </Disabled>
        )
      }
    >
      {gone ? (
        <ErrorState
          error={query.error}
          actions={
            <Button component={Link} to="/policies">
              {t('Back to IAM Policies')}
            </Button>
          }
        />
      ) : (
        <Sections />
      )}
    </Page>
  )
}

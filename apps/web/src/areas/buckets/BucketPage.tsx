import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconFolder, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '../../lib/api/api.ts'
import { invalidate, q, queryClient } from '../../lib/api/query.ts'
import { navigate } from '../../lib/navigation/navigate.ts'
import { pathToFolder } from '../../lib/navigation/object-address.ts'
import { useSession } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { Disabled, useNeeds } from '../../ui/Disabled.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Link } from '../../ui/Link.tsx'
import { Page } from '../../ui/Page.tsx'
import { Sections } from '../../ui/Sections.tsx'
import { StaleNotice } from '../../ui/StaleNotice.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import { whileBusy } from '../../ui/while-busy.tsx'
import { accessWord } from './bucket-facts.ts'
import { useDeleteBucket } from './use-delete-bucket.tsx'

/** One bucket: its header, the list of its sections, and the section that is open. */
export function BucketPage({ bucket }: { bucket: string }) {
  const t = useT()
  const { pages } = useSession()
  const { data, error, isFetching, isPending, refetch, dataUpdatedAt } = useQuery(
    q('getBucket', { params: { bucket } }),
  )
  const gone = error instanceof ApiFailure && error.status === 404
  const stale = error !== null && data !== undefined && !gone
  const needs = useNeeds({ bucket })
  const remove = useDeleteBucket(() => {
    // Before the list is read again: the page of a bucket that is gone must not ask for it.
    navigate('/buckets', { replace: true })
    queryClient.removeQueries({ queryKey: ['getBucket', { params: { bucket } }] })
  })

  return (
    <Page
      title={bucket}
      facts={
        gone ? undefined : (
          <>
            {data?.access && (
              <span>
                <Trans text="Access: <access/>" parts={{ access: <b>{t(accessWord[data.access])}</b> }} />
              </span>
            )}
            {data && (
              <span>
                <Trans text="created <date/>" parts={{ date: <Time at={data.creation_date} /> }} />
              </span>
            )}
          </>
        )
      }
      actions={
        gone ? undefined : (
          <>
            {pages.includes('/object-browser/:bucket/*') && (
              <Button component={Link} to={pathToFolder(bucket)} leftSection={<Icon of={IconFolder} />}>
                {t('Browse')}
              </Button>
            )}
            <Tooltip label={t('Refresh')}>
              <ActionIcon
                variant="default"
                size={32}
                aria-label={t('Refresh')}
                {...whileBusy(isFetching && !isPending)}
                onClick={() => void invalidate('getBucket', 'getBucketQuota', 'getBucketVersioning', 'getAdminInfo')}
              >
                <Icon of={IconRefresh} />
              </ActionIcon>
            </Tooltip>
            <Disabled reason={needs('s3:DeleteBucket')} label={t('Delete')}>
              <ActionIcon variant="default" size={32} aria-label={t('Delete')} onClick={() => remove(bucket)}>
                <Icon of={IconTrash} />
              </ActionIcon>
            </Disabled>
          </>
        )
      }
    >
      {stale && <StaleNotice error={error} readAt={dataUpdatedAt} onRetry={refetch} />}
      {error && !stale ? (
        <ErrorState
          error={error}
          needs={{ action: 's3:GetBucketPolicy', bucket }}
          onRetry={gone ? undefined : refetch}
          actions={
            <Button component={Link} to="/buckets">
              {t('Back to Buckets')}
            </Button>
          }
        />
      ) : (
        <Sections />
      )}
    </Page>
  )
}

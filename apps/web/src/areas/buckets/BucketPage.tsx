import { ActionIcon, Button } from '@mantine/core'
import { IconFolder, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { q, queryClient } from '../../lib/api/query.ts'
import { isNotFound } from '../../lib/api/query-result.ts'
import { navigate } from '../../lib/navigation/navigate.ts'
import { pathToFolder } from '../../lib/navigation/object-address.ts'
import { useSession } from '../../lib/session/session.ts'
import { formatSize } from '../../lib/text/format.ts'
import { plural, useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { ErrorState } from '../../ui/feedback/states.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { Sections } from '../../ui/page/Sections.tsx'
import { Time } from '../../ui/values/Time.tsx'
import { BackToBuckets } from './bucket/BackToBuckets.tsx'
import { bucketAccessText } from './bucket/bucket-facts.ts'
import { askDeleteBucket } from './bucket/delete-bucket.tsx'

/** The calls of all sections, for the Refresh button. */
const reads = [
  'getBucket',
  'getBucketUsage',
  'getBucketQuota',
  'getBucketVersioning',
  'getBucketEncryption',
  'getObjectLocking',
  'getBucketRetention',
  'getBucketTags',
  'getBucketCors',
  'getBucketPolicy',
  'listBucketEvents',
  'listBucketPolicies',
  'listBucketUsers',
  'listAccessRules',
  'listReplicationRules',
  'listLifecycleRules',
  'getLifecycleForecast',
  'getAdminInfo',
] as const

/** The page of a bucket: header, list of sections, and the open section. */
export function BucketPage({ bucket }: { bucket: string }) {
  const t = useT()
  const { pages } = useSession()
  const query = useQuery(q('getBucket', { params: { bucket } }))
  const { data } = query
  const gone = isNotFound(query)
  const needs = useDisabledReason({ bucket })
  const leave = () => {
    navigate('/buckets', { replace: true })
    // Removes the query, so that the page does not request a deleted bucket.
    queryClient.removeQueries({ queryKey: ['getBucket', { params: { bucket } }] })
  }

  return (
    <Page
      title={bucket}
      facts={
        gone ? undefined : (
          <>
            {data?.access && (
              <span>
                <Trans text="Access: <access/>" parts={{ access: <b>{t(bucketAccessText(data))}</b> }} />
              </span>
            )}
            {data && (
              <span>
                <Trans
                  text={plural('<size/> in {{count}} object', '<size/> in {{count}} objects')}
                  values={{ count: data.objects }}
                  parts={{ size: <b>{formatSize(data.size)}</b> }}
                />
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
      refresh={gone ? undefined : reads}
      actions={
        gone ? undefined : (
          <>
            {pages.includes('/object-browser/:bucket/*') && (
              <Button component={Link} to={pathToFolder(bucket)} leftSection={<Icon of={IconFolder} />}>
                {t('Browse')}
              </Button>
            )}
            <Disabled reason={needs('s3:DeleteBucket')} label={t('Delete')}>
              <ActionIcon
                variant="default"
                size={32}
                aria-label={t('Delete')}
                onClick={() => askDeleteBucket(bucket, leave)}
              >
                <Icon of={IconTrash} />
              </ActionIcon>
            </Disabled>
          </>
        )
      }
    >
      {gone ? <ErrorState error={query.error} actions={<BackToBuckets />} /> : <Sections />}
    </Page>
  )
}

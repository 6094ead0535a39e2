import { Button } from '@mantine/core'
import type { Bucket } from '@stowage/contract'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useBuckets } from '../../../lib/data/buckets.ts'
import { useBucketPermissions, usePermissions } from '../../../lib/data/permissions.ts'
import { useSearchParam } from '../../../lib/navigation/navigate.ts'
import { pathTo } from '../../../lib/navigation/pages.ts'
import { useSession } from '../../../lib/session/session.ts'
import { formatSize, formatUnits } from '../../../lib/text/format.ts'
import { msg, plural, useT } from '../../../lib/text/i18n.ts'
import { Disabled, MissingPermission, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { DataTable, type RowAction } from '../../../ui/table/DataTable.tsx'
import { BucketsEmpty } from '../bucket/BucketsEmpty.tsx'
import { bucketTexts, isNearQuota, isPublicBucket, sumBuckets } from '../bucket/bucket-facts.ts'
import { askDeleteBucket } from '../bucket/delete-bucket.tsx'
import { BucketsFacts } from './BucketsFacts.tsx'
import { bucketColumns } from './columns.tsx'

const CreateBucketModal = loadableDialog(
  async () => (await import('../create/CreateBucketModal.tsx')).CreateBucketModal,
)
const ReplicateBucketsModal = loadableDialog(
  async () => (await import('../../replication/ReplicateBucketsModal.tsx')).ReplicateBucketsModal,
)
const AddRuleToBucketsModal = loadableDialog(
  async () => (await import('../lifecycle/AddRuleToBucketsModal.tsx')).AddRuleToBucketsModal,
)
const DeleteBucketsModal = loadableDialog(async () => (await import('./DeleteBucketsModal.tsx')).DeleteBucketsModal)

const NONE: Bucket[] = []
const bucketName = (bucket: Bucket) => bucket.name
/** The filters that the links of the summary line set. */
const bucketFilters: Record<string, (bucket: Bucket) => boolean> = { public: isPublicBucket, near: isNearQuota }

/** The list of buckets. */
export function BucketsPage() {
  const t = useT()
  const { buckets: query, accessKnown } = useBuckets()
  const buckets = query.data ?? NONE
  const mayCreate = usePermissions()('s3:CreateBucket')
  const mayDelete = useBucketPermissions('s3:DeleteBucket', buckets.map(bucketName))
  const cannotDelete = (b: Bucket) => mayDelete(b.name) === false && <MissingPermission action="s3:DeleteBucket" />
  const [show, setShow] = useSearchParam('show')
  const [creating, setCreating] = useSearchParam('create')
  const [deleting, setDeleting] = useState<Bucket[]>([])
  const [replicating, setReplicating] = useState<{ names: string[]; clear: () => void }>()
  const [ruling, setRuling] = useState<string[]>([])
  const { distributedMode } = useSession()
  const needs = useDisabledReason()
  const cannotReplicate = needs('admin:SetBucketTarget') || needs('s3:PutReplicationConfiguration')

  const columns = useMemo(() => bucketColumns(buckets, accessKnown), [buckets, accessKnown])
  const actions: RowAction<Bucket>[] = [
    { type: 'view', label: msg('View'), to: (b) => pathTo('/buckets/$bucket/summary', { bucket: b.name }) },
    { type: 'delete', label: msg('Delete'), onClick: (b) => askDeleteBucket(b.name), disabled: cannotDelete },
  ]
  const create = () => setCreating('bucket')

  return (
    <Page
      facts={query.data ? <BucketsFacts totals={sumBuckets(buckets)} show={show} onShow={setShow} /> : null}
      refresh={['listBuckets', 'getAdminInfo']}
      actions={
        mayCreate && (
          <Button variant="filled" leftSection={<Icon of={IconPlus} />} onClick={create}>
            {t('Create Bucket')}
          </Button>
        )
      }
    >
      <DataTable
        name="buckets"
        texts={bucketTexts}
        query={query}
        rowId={bucketName}
        columns={columns}
        actions={actions}
        defaultSort={{ key: 'name', desc: false }}
        filter={{ placeholder: msg('Filter Buckets'), also: show === undefined ? undefined : bucketFilters[show] }}
        empty={<BucketsEmpty mayCreate={mayCreate} onCreate={create} />}
        tools={
          distributedMode && (
            <Disabled reason={cannotReplicate || t('Select at least one bucket')}>
              <Button size="xs">{t('Set Replication')}</Button>
            </Disabled>
          )
        }
        selection={{
          summary: (rows) => {
            const { bytes, objects } = sumBuckets(rows)
            return formatUnits([
              formatSize(bytes),
              t(plural('{{count}} object', '{{count}} objects'), { count: objects }),
            ])
          },
          actions: (rows, clear) => (
            // Also if some may not be deleted: the report lists these with the reason.
            <>
              {distributedMode && (
                <>
                  <Disabled reason={cannotReplicate}>
                    <Button size="xs" onClick={() => setReplicating({ names: rows.map(bucketName), clear })}>
                      {t('Set Replication')}
                    </Button>
                  </Disabled>
                  <Disabled reason={needs('s3:PutLifecycleConfiguration')}>
                    <Button size="xs" onClick={() => setRuling(rows.map(bucketName))}>
                      {t('Add Lifecycle Rule')}
                    </Button>
                  </Disabled>
                </>
              )}
              <Disabled reason={rows.every(cannotDelete) && <MissingPermission action="s3:DeleteBucket" />}>
                <Button
                  size="xs"
                  variant="danger"
                  leftSection={<Icon of={IconTrash} />}
                  onClick={() => setDeleting(rows)}
                >
                  {t('Delete')}
                </Button>
              </Disabled>
            </>
          ),
        }}
      />
      {creating === 'bucket' && mayCreate && (
        <CreateBucketModal existing={buckets.map(bucketName)} onClose={() => setCreating(undefined)} />
      )}
      {replicating && (
        <ReplicateBucketsModal
          buckets={replicating.names}
          onClose={() => setReplicating(undefined)}
          onDone={() => {
            replicating.clear()
            setReplicating(undefined)
          }}
        />
      )}
      {ruling.length > 0 && <AddRuleToBucketsModal buckets={ruling} onClose={() => setRuling([])} />}
      {deleting.length > 0 && <DeleteBucketsModal names={deleting.map(bucketName)} onClose={() => setDeleting([])} />}
    </Page>
  )
}

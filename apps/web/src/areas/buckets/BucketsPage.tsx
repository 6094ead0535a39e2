import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { Bucket } from '@stowage/contract'
import { IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { invalidate } from '../../lib/api/query.ts'
import { useBuckets } from '../../lib/data/buckets.ts'
import { useSearchParam } from '../../lib/navigation/navigate.ts'
import { pathTo } from '../../lib/navigation/pages.ts'
import { useMay, useMayIn } from '../../lib/session/permissions.ts'
import { formatSize, formatUnits } from '../../lib/text/format.ts'
import { msg, plural, useT } from '../../lib/text/i18n.ts'
import { DataTable, type RowAction } from '../../ui/DataTable.tsx'
import { Disabled, Needs } from '../../ui/Disabled.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { Page } from '../../ui/Page.tsx'
import { whileBusy } from '../../ui/while-busy.tsx'
import { BucketsEmpty } from './BucketsEmpty.tsx'
import { BucketsFacts } from './BucketsFacts.tsx'
import { bucketTexts, isNearQuota, isPublic, totalsOf } from './bucket-facts.ts'
import css from './buckets.module.css'
import { columnsFor } from './columns.tsx'
import { useDeleteBucket } from './use-delete-bucket.tsx'

const CreateBucketModal = loadableDialog(async () => (await import('./CreateBucketModal.tsx')).CreateBucketModal)
const DeleteBucketsModal = loadableDialog(async () => (await import('./DeleteBucketsModal.tsx')).DeleteBucketsModal)

const NONE: Bucket[] = []
const nameOf = (bucket: Bucket) => bucket.name
/** What the links of the facts line filter by. */
const shows: Record<string, (bucket: Bucket) => boolean> = { public: isPublic, near: isNearQuota }

/** The list of buckets. */
export function BucketsPage() {
  const t = useT()
  const { buckets: known, accessKnown, isPending, error, refetch, isFetching, dataUpdatedAt } = useBuckets()
  const buckets = known ?? NONE
  const mayCreate = useMay()('s3:CreateBucket')
  const mayDelete = useMayIn('s3:DeleteBucket', buckets.map(nameOf))
  const cannotDelete = (b: Bucket) => mayDelete(b.name) === false && <Needs action="s3:DeleteBucket" />
  const [show, setShow] = useSearchParam('show')
  const [creating, setCreating] = useSearchParam('create')
  const [deleting, setDeleting] = useState<Bucket[]>([])
  const askDelete = useDeleteBucket()

  const columns = useMemo(() => columnsFor(buckets, accessKnown), [buckets, accessKnown])
  const actions: RowAction<Bucket>[] = [
    { type: 'view', label: msg('View'), to: (b) => pathTo('/buckets/$bucket/summary', { bucket: b.name }) },
    { type: 'delete', label: msg('Delete'), onClick: (b) => askDelete(b.name), disabled: cannotDelete },
  ]
  const create = () => setCreating('bucket')

  return (
    <Page
      facts={known ? <BucketsFacts totals={totalsOf(buckets)} show={show} onShow={setShow} /> : null}
      actions={
        <>
          <Tooltip label={t('Refresh')}>
            <ActionIcon
              className={css.hideSmall ?? ''}
              variant="default"
              size={32}
              aria-label={t('Refresh')}
              {...whileBusy(isFetching && !isPending)}
              onClick={() => void invalidate('listBuckets', 'getAdminInfo')}
            >
              <Icon of={IconRefresh} />
            </ActionIcon>
          </Tooltip>
          {mayCreate && (
            <Button variant="filled" leftSection={<Icon of={IconPlus} />} onClick={create}>
              {t('Create Bucket')}
            </Button>
          )}
        </>
      }
    >
      <DataTable
        name="buckets"
        texts={bucketTexts}
        rows={buckets}
        rowId={nameOf}
        columns={columns}
        actions={actions}
        defaultSort={{ key: 'name', desc: false }}
        loading={isPending}
        error={error}
        readAt={dataUpdatedAt}
        onRetry={refetch}
        filter={{ placeholder: msg('Filter Buckets'), also: show === undefined ? undefined : shows[show] }}
        empty={<BucketsEmpty mayCreate={mayCreate} onCreate={create} />}
        selection={{
          summary: (rows) => {
            const { bytes, objects } = totalsOf(rows)
            return formatUnits([
              formatSize(bytes),
              t(plural('{{count}} object', '{{count}} objects'), { count: objects }),
            ])
          },
          actions: (rows) => (
            // With some of them it works: the report tells which are left, and why.
            <Disabled reason={rows.every(cannotDelete) && <Needs action="s3:DeleteBucket" />}>
              <Button
                size="xs"
                variant="danger"
                leftSection={<Icon of={IconTrash} />}
                onClick={() => setDeleting(rows)}
              >
                {t('Delete')}
              </Button>
            </Disabled>
          ),
        }}
      />
      {creating === 'bucket' && mayCreate && (
        <CreateBucketModal existing={buckets.map(nameOf)} onClose={() => setCreating(undefined)} />
      )}
      {deleting.length > 0 && <DeleteBucketsModal names={deleting.map(nameOf)} onClose={() => setDeleting([])} />}
    </Page>
  )
}

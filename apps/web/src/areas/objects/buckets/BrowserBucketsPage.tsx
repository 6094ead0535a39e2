import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { Bucket, Output } from '@stowage/contract'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bucketsQuery } from '../../../lib/data/buckets.ts'
import { usePermissions } from '../../../lib/data/permissions.ts'
import { pathToFolder } from '../../../lib/navigation/object-address.ts'
import { formatSize } from '../../../lib/text/format.ts'
import { msg, plural, useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Crumbs } from '../../../ui/page/Crumbs.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { type Column, DataTable, type RowAction } from '../../../ui/table/DataTable.tsx'
import { Size } from '../../../ui/values/Size.tsx'
import { BucketsEmpty } from '../../buckets/bucket/BucketsEmpty.tsx'
import { bucketTexts } from '../../buckets/bucket/bucket-facts.ts'
import { ListableFolders } from './ListableFolders.tsx'

const CreateModal = loadableDialog(
  async () => (await import('../../buckets/create/CreateBucketModal.tsx')).CreateBucketModal,
)
const GoToModal = loadableDialog(async () => (await import('./GoToModal.tsx')).GoToModal)

const columns: Column<Bucket>[] = [
  {
    key: 'name',
    label: msg('Name'),
    small: 'title',
    fixed: true,
    cell: ({ name }) => (
      <Link to={pathToFolder(name)} data-row-link tabIndex={-1}>
        {name}
      </Link>
    ),
  },
  {
    key: 'size',
    label: msg('Used Space'),
    width: 140,
    align: 'right',
    headerPad: 29,
    small: 'aside',
    cell: ({ size }) => <Size bytes={size} />,
  },
]
const actions: RowAction<Bucket>[] = [{ type: 'view', label: msg('View'), to: ({ name }) => pathToFolder(name) }]
const pickBuckets = ({ buckets }: Output<'listBuckets'>) => buckets
const bucketName = ({ name }: Bucket) => name
const nameOrder = { key: 'name', desc: false }

/** The page `/object-browser`, which lists the buckets to browse. */
export function BrowserBucketsPage() {
  const t = useT()
  const query = useQuery({ ...bucketsQuery, select: pickBuckets })
  const mayCreate = usePermissions()('s3:CreateBucket')
  const [creating, setCreating] = useState(false)
  const [going, setGoing] = useState(false)
  const buckets = query.data ?? []
  const size = buckets.reduce((sum, bucket) => sum + bucket.size, 0)
  return (
    <>
      <Page
        title={t('All Buckets')}
        crumbs={<Crumbs items={[{ label: t('All Buckets') }]} />}
        facts={
          query.data && (
            <>
              <span>
                <Trans
                  text={plural('<b>{{count}}</b> bucket', '<b>{{count}}</b> buckets')}
                  values={{ count: buckets.length }}
                  parts={{ b: <b /> }}
                />
              </span>
              <span>
                <Trans text="<b>{{size}}</b> used" values={{ size: formatSize(size) }} parts={{ b: <b /> }} />
              </span>
            </>
          )
        }
        refresh={['listBuckets']}
        actions={
          <>
            <Button onClick={() => setGoing(true)}>{t('Go to')}</Button>
            {mayCreate && (
              <Tooltip label={t('Create Bucket')}>
                <ActionIcon
                  variant="filled"
                  size={32}
                  aria-label={t('Create Bucket')}
                  onClick={() => setCreating(true)}
                >
                  <Icon of={IconPlus} />
                </ActionIcon>
              </Tooltip>
            )}
          </>
        }
      >
        <ListableFolders />
        <DataTable
          name="browse-buckets"
          texts={bucketTexts}
          query={query}
          rowId={bucketName}
          columns={columns}
          actions={actions}
          defaultSort={nameOrder}
          filter={{ placeholder: msg('Filter Buckets') }}
          empty={<BucketsEmpty mayCreate={mayCreate} onCreate={() => setCreating(true)} canGoTo />}
        />
      </Page>
      {going && <GoToModal onClose={() => setGoing(false)} />}
      {creating && <CreateModal existing={buckets.map(bucketName)} onClose={() => setCreating(false)} />}
    </>
  )
}

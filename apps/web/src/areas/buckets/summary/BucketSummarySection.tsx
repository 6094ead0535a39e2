import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { Cells } from '../../../ui/page/Cell.tsx'
import { BackToBuckets } from '../bucket/BackToBuckets.tsx'
import css from '../styles/buckets.module.css'
import { AccessCell } from './AccessCell.tsx'
import { BucketAddresses } from './BucketAddresses.tsx'
import { CorsCell } from './CorsCell.tsx'
import { EncryptionCell } from './EncryptionCell.tsx'
import { LockingCell } from './LockingCell.tsx'
import { QuotaCell } from './QuotaCell.tsx'
import { ReplicationCell } from './ReplicationCell.tsx'
import { RetentionCell } from './RetentionCell.tsx'
import { TagsCell } from './TagsCell.tsx'
import { UsageCell } from './UsageCell.tsx'
import { VersioningCell } from './VersioningCell.tsx'

const CopySettingsModal = loadableDialog(
  async () => (await import('../settings/CopySettingsModal.tsx')).CopySettingsModal,
)

/** Usage and settings of a bucket. Versioning, quota, locking and replication need a distributed server. */
export function BucketSummarySection({ bucket: name }: { bucket: string }) {
  const t = useT()
  const [copying, setCopying] = useState(false)
  const { distributedMode, capabilities } = useSession()
  const query = useQuery(q('getBucket', { params: { bucket: name } }))
  const locking = useQuery({ ...q('getObjectLocking', { params: { bucket: name } }), enabled: distributedMode })
  const isLocking = locking.data?.object_locking_enabled === true
  const hasCors = capabilities.includes('bucket-cors')
  // The width of the tags cell, so that the cells always fill the last row.
  const tagsSpan = Number(isLocking) + Number(hasCors) === 2 ? 1 : 2
  return (
    <QueryView query={query} needs={{ action: 's3:GetBucketPolicy', bucket: name }} actions={<BackToBuckets />}>
      {(bucket) => (
        <>
          <Cells>
            <UsageCell bucket={bucket} span={distributedMode ? 2 : 3} />
            {distributedMode && <QuotaCell bucket={bucket} />}
            <AccessCell bucket={bucket} span={2} />
            {distributedMode && <VersioningCell bucket={bucket} />}
            <EncryptionCell bucket={name} />
            {distributedMode && <LockingCell bucket={name} />}
            {distributedMode && <ReplicationCell bucket={bucket} />}
            {isLocking && <RetentionCell bucket={name} />}
            <TagsCell bucket={name} span={tagsSpan} />
            {hasCors && <CorsCell bucket={name} />}
          </Cells>
          <div className={css.copySettings}>
            <Button size="xs" onClick={() => setCopying(true)}>
              {t('Copy Settings')}
            </Button>
          </div>
          <BucketAddresses bucket={name} />
          {copying && <CopySettingsModal bucket={name} onClose={() => setCopying(false)} />}
        </>
      )}
    </QueryView>
  )
}

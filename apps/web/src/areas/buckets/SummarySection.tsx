import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { useSession } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Cells } from '../../ui/Cell.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { BackToBuckets } from './BackToBuckets.tsx'
import css from './buckets.module.css'
import { AccessCell } from './summary/AccessCell.tsx'
import { BucketAddresses } from './summary/Addresses.tsx'
import { CorsCell } from './summary/CorsCell.tsx'
import { EncryptionCell } from './summary/EncryptionCell.tsx'
import { LockingCell } from './summary/LockingCell.tsx'
import { QuotaCell } from './summary/QuotaCell.tsx'
import { ReplicationCell } from './summary/ReplicationCell.tsx'
import { RetentionCell } from './summary/RetentionCell.tsx'
import { TagsCell } from './summary/TagsCell.tsx'
import { UsageCell } from './summary/UsageCell.tsx'
import { VersioningCell } from './summary/VersioningCell.tsx'

const CopySettingsModal = loadableDialog(async () => (await import('./CopySettingsModal.tsx')).CopySettingsModal)

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

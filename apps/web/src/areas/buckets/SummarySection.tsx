import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { useSession } from '../../lib/session/session.ts'
import { Cells } from '../../ui/Cell.tsx'
import { SlowNotice, useLate } from '../../ui/states.tsx'
import { AccessCell } from './summary/AccessCell.tsx'
import { Addresses } from './summary/Addresses.tsx'
import { QuotaCell } from './summary/QuotaCell.tsx'
import { UsageCell } from './summary/UsageCell.tsx'
import { VersioningCell } from './summary/VersioningCell.tsx'

/** What a bucket holds and how it is set. Versioning and quota need a distributed server. */
export function SummarySection({ bucket: name }: { bucket: string }) {
  const { distributedMode } = useSession()
  const { data: bucket } = useQuery(q('getBucket', { params: { bucket: name } }))
  const late = useLate(!bucket)
  if (!bucket) return late ? <SlowNotice /> : null
  return (
    <>
      <Cells>
        <UsageCell bucket={bucket} span={distributedMode ? 2 : 3} />
        {distributedMode && <QuotaCell bucket={bucket} />}
        <AccessCell bucket={bucket} span={distributedMode ? 2 : 3} />
        {distributedMode && <VersioningCell bucket={bucket} />}
      </Cells>
      <Addresses bucket={name} />
    </>
  )
}

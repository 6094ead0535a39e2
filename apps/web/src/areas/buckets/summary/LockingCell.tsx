import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { Cell, CellNote, CellValue } from '../../../ui/page/Cell.tsx'
import { CellFailure } from './CellFailure.tsx'

/** The cell that shows whether object locking is enabled, which is decided when the bucket is created. */
export function LockingCell({ bucket }: { bucket: string }) {
  const t = useT()
  const { data, error } = useQuery(q('getObjectLocking', { params: { bucket } }))
  const on = data?.object_locking_enabled === true
  return (
    <Cell label={t('Object Locking')}>
      {error && <CellFailure error={error} action="s3:GetBucketObjectLockConfiguration" />}
      {data && (
        <>
          <CellValue>
            <StatusIcon state={on ? 'ok' : 'off'}>{on ? t('Enabled') : t('Disabled')}</StatusIcon>
          </CellValue>
          <CellNote>
            {on
              ? t('Versions under retention or legal hold cannot be deleted.')
              : t('Can only be enabled when a bucket is created.')}
          </CellNote>
        </>
      )}
    </Cell>
  )
}

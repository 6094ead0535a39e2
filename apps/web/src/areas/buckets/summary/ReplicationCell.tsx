import type { Bucket } from '@stowage/contract'
import { useT } from '../../../lib/text/i18n.ts'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { Cell, CellNote, CellValue } from '../../../ui/page/Cell.tsx'

/** The cell that shows whether rules replicate the bucket's objects to other buckets. */
export function ReplicationCell({ bucket }: { bucket: Bucket }) {
  const t = useT()
  const on = bucket.details?.replication === true
  return (
    <Cell label={t('Replication')}>
      <CellValue>
        <StatusIcon state={on ? 'ok' : 'off'}>{on ? t('Enabled') : t('Disabled')}</StatusIcon>
      </CellValue>
      <CellNote>
        {on ? t('Rules copy objects to other buckets.') : t('Objects are not copied to other buckets.')}
      </CellNote>
    </Cell>
  )
}

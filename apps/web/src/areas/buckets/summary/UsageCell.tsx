import type { Bucket } from '@stowage/contract'
import { useAdminInfo } from '../../../lib/data/admin-info.ts'
import { formatSizeParts } from '../../../lib/text/format.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { Cell, CellNote } from '../../../ui/page/Cell.tsx'
import { CountedAge } from '../../../ui/values/CountedAge.tsx'
import { BigFigure } from '../../../ui/values/Size.tsx'

/** The cell with the size and object count of the bucket, and their age if the server counts in the background. */
export function UsageCell({ bucket, span }: { bucket: Bucket; span: 2 | 3 }) {
  const t = useT()
  const countedAt = useAdminInfo()?.countedAt
  const { value, unit } = formatSizeParts(bucket.size)
  return (
    <Cell label={t('Reported Usage')} span={span}>
      <BigFigure value={value} unit={unit} />
      <CellNote>{t(plural('{{count}} object', '{{count}} objects'), { count: bucket.objects })}</CellNote>
      <CountedAge at={countedAt} className="small ink-3" />
    </Cell>
  )
}

import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { formatSize } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { QueryView } from '../../ui/feedback/QueryView.tsx'
import { loadable } from '../../ui/lazy/loadable.tsx'
import { Cell, CellNote, Cells, CellValue } from '../../ui/page/Cell.tsx'
import css from '../dashboard/usage/usage.module.css'
import { GrowthCells, UsageCharts, UsageDaysSelect, useUsageDays } from '../dashboard/usage/usage-history.tsx'
import { forecastNote, forecastText } from '../dashboard/usage/usage-texts.ts'

const KeepHistoryBanner = loadable(
  async () => (await import('../dashboard/history/KeepHistoryBanner.tsx')).KeepHistoryBanner,
)

/** The size of a bucket over time, its growth, and when it will reach its quota. */
export function BucketUsageSection({ bucket }: { bucket: string }) {
  const t = useT()
  const days = useUsageDays()
  const query = useQuery({
    ...q('getBucketUsage', { params: { bucket }, query: { days } }),
    placeholderData: (before) => before,
  })
  return (
    <QueryView query={query} needs={{ action: 's3:ListBucket', bucket }}>
      {({ kept, values, growth, quota }) => (
        <>
          {!kept && <KeepHistoryBanner />}
          <Cells>
            <GrowthCells growth={growth} />
            {quota && (
              <Cell label={t('Quota reached')} span={3}>
                <CellValue>{forecastText(quota.forecast)}</CellValue>
                <CellNote>
                  {t('of {{size}}, hard limit', { size: formatSize(quota.limit) })}
                  {forecastNote(quota.forecast) && `. ${forecastNote(quota.forecast)}`}
                </CellNote>
              </Cell>
            )}
          </Cells>
          <UsageDaysSelect />
          {values.length === 0 && kept ? (
            <p className={css.none}>{t('Nothing was recorded in this time. Usage is recorded every 5 minutes.')}</p>
          ) : (
            <UsageCharts values={values} days={days} />
          )}
        </>
      )}
    </QueryView>
  )
}

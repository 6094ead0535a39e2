import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { pathTo } from '../../../lib/navigation/pages.ts'
import { formatSize } from '../../../lib/text/format.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { Link } from '../../../ui/controls/Link.tsx'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { Cell, CellNote, Cells, CellValue } from '../../../ui/page/Cell.tsx'
import { type Column, DataTable, type TableTexts } from '../../../ui/table/DataTable.tsx'
import { Count, Size } from '../../../ui/values/Size.tsx'
import dashboard from '../dashboard.module.css'
import { KeepHistoryBanner } from '../history/KeepHistoryBanner.tsx'
import css from './usage.module.css'
import { GrowthCells, UsageCharts, UsageDaysSelect, useUsageDays } from './usage-history.tsx'
import { forecastNote, forecastText, growthText } from './usage-texts.ts'

type BucketUsage = Output<'getUsage'>['buckets'][number]

const texts: TableTexts = {
  name: msg('Growth of the buckets'),
  empty: msg('There are no Buckets yet.'),
  noMatch: msg('No Buckets match the filter.'),
}

const growthColumn = (
  key: keyof BucketUsage['growth'],
  label: Column<BucketUsage>['label'],
  yields: number,
): Column<BucketUsage> => ({
  key,
  label,
  width: 110,
  align: 'right',
  yields,
  // Sorts buckets with unknown growth below those that shrank.
  value: (bucket) => bucket.growth[key] ?? Number.NEGATIVE_INFINITY,
  cell: (bucket) => <span className="figures">{growthText(bucket.growth[key])}</span>,
})

const columns: Column<BucketUsage>[] = [
  {
    key: 'name',
    label: msg('Name'),
    fixed: true,
    small: 'title',
    cell: ({ name }) => (
      <Link to={pathTo('/buckets/$bucket/usage', { bucket: name })} data-row-link title={name}>
        {name}
      </Link>
    ),
  },
  {
    key: 'size',
    label: msg('Size'),
    width: 110,
    align: 'right',
    small: 'aside',
    cell: ({ size }) => <Size bytes={size} />,
  },
  {
    key: 'objects',
    label: msg('Objects'),
    width: 110,
    align: 'right',
    yields: 4,
    cell: (b) => <Count of={b.objects} />,
  },
  growthColumn('days7', msg('7 days'), 2),
  { ...growthColumn('days30', msg('30 days'), 1), small: 'note' },
  growthColumn('days90', msg('90 days'), 3),
  {
    key: 'quota',
    label: msg('Quota reached'),
    width: 170,
    value: ({ quota }) =>
      quota?.forecast.state === 'growing'
        ? quota.forecast.seconds
        : quota?.forecast.state === 'full'
          ? 0
          : Number.POSITIVE_INFINITY,
    cell: ({ quota }) => (quota ? forecastText(quota.forecast) : '–'),
  },
]

const usageBuckets = (usage: Output<'getUsage'>) => usage.buckets
const bucketName = ({ name }: BucketUsage) => name

/** The size of all buckets over time, when the server will be full, and the growth of each bucket. */
export function BucketUsageTab() {
  const t = useT()
  const days = useUsageDays()
  const query = useQuery({ ...q('getUsage', { query: { days } }), placeholderData: (before) => before })
  const buckets = useQuery({
    ...q('getUsage', { query: { days } }),
    placeholderData: (before) => before,
    select: usageBuckets,
  })
  return (
    <div className={dashboard.scroll}>
      <QueryView query={query} needs={{ action: 'admin:ServerInfo' }}>
        {(usage) => (
          <>
            {!usage.kept && <KeepHistoryBanner />}
            <Cells>
              <GrowthCells growth={usage.growth} />
              {usage.capacity && (
                <Cell label={t('Usable capacity reached')} span={3}>
                  <CellValue>{forecastText(usage.capacity.forecast)}</CellValue>
                  <CellNote>
                    {t('{{size}} free', { size: formatSize(usage.capacity.free) })}
                    {forecastNote(usage.capacity.forecast) && `. ${forecastNote(usage.capacity.forecast)}`}
                  </CellNote>
                </Cell>
              )}
            </Cells>
            <UsageDaysSelect />
            <UsageCharts values={usage.values} days={days} />
            <div className={css.list}>
              <DataTable
                name="usage"
                texts={texts}
                query={buckets}
                rowId={bucketName}
                columns={columns}
                defaultSort={{ key: 'days30', desc: true }}
                filter={{ placeholder: msg('Filter Buckets') }}
              />
            </div>
          </>
        )}
      </QueryView>
    </div>
  )
}

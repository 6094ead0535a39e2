import type { Bucket } from '@stowage/contract'
import { cx } from '../../../lib/cx.ts'
import { pathTo } from '../../../lib/navigation/pages.ts'
import { msg, plural, t } from '../../../lib/text/i18n.ts'
import { Link } from '../../../ui/controls/Link.tsx'
import { AccessIcon } from '../../../ui/icons/StatusIcon.tsx'
import type { Column } from '../../../ui/table/DataTable.tsx'
import { LimitUsage } from '../../../ui/values/Gauge.tsx'
import { Count, Size } from '../../../ui/values/Size.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { bucketAccessText, bucketFeatures, isPublicBucket, quotaShare } from '../bucket/bucket-facts.ts'
import css from '../styles/buckets.module.css'

const name: Column<Bucket> = {
  key: 'name',
  label: msg('Name'),
  fixed: true,
  small: 'title',
  cell: (b) => (
    <Link to={pathTo('/buckets/$bucket/summary', { bucket: b.name })} data-row-link title={b.name}>
      {b.name}
    </Link>
  ),
}

const accessColumn = (accessKnown: boolean): Column<Bucket> => ({
  key: 'access',
  label: msg('Access'),
  width: 140,
  small: 'note',
  cell: (b) => {
    const count = t(plural('{{count}} object', '{{count}} objects'), { count: b.objects })
    // No icon: a lock would mean that the bucket is private.
    if (!b.access)
      return (
        <>
          <span className={cx('ink-3', css.notSmall)}>{accessKnown ? '–' : ''}</span>
          <span className={css.onlySmall}>{count}</span>
        </>
      )
    return (
      <AccessIcon open={isPublicBucket(b)}>
        <span className={cx(!isPublicBucket(b) && 'ink-2')}>{t(bucketAccessText(b))}</span>
        <span className={css.onlySmall}>, {count}</span>
      </AccessIcon>
    )
  },
})

const objects: Column<Bucket> = {
  key: 'objects',
  label: msg('Objects'),
  width: 100,
  yields: 2,
  align: 'right',
  cell: (b) => <Count of={b.objects} />,
}

const size: Column<Bucket> = {
  key: 'size',
  label: msg('Size'),
  width: 112,
  align: 'right',
  // Aligns the header with the figures, not with their unit.
  headerPad: 29,
  small: 'aside',
  cell: (b) => <Size bytes={b.size} />,
}

const quota: Column<Bucket> = {
  key: 'quota',
  label: msg('Quota'),
  width: 164,
  yields: 1,
  value: (b) => quotaShare(b) ?? -1,
  small: 'extra',
  cell: (b) => {
    const limit = b.details?.quota?.quota
    return limit ? (
      <LimitUsage used={b.size} limit={limit} />
    ) : (
      <span className={cx('ink-3', css.notSmall)}>{t('None')}</span>
    )
  },
}

const features: Column<Bucket> = {
  key: 'features',
  label: msg('Features'),
  width: 144,
  yields: 3,
  value: bucketFeatures,
  cell: (b) => <span className="ink-2">{bucketFeatures(b) || '–'}</span>,
}

const created: Column<Bucket> = {
  key: 'creation_date',
  label: msg('Creation Date'),
  width: 122,
  cell: (b) => (
    <span className="ink-2">
      <Time at={b.creation_date} />
    </span>
  ),
}

/**
 * Returns the columns; those for which the server returns no data are omitted.
 * @param accessKnown whether the access of the buckets is loaded
 */
export function bucketColumns(buckets: Bucket[], accessKnown: boolean): Column<Bucket>[] {
  const details = buckets.some((b) => b.details !== undefined)
  const none = buckets.length === 0
  return [
    name,
    ...(none || !accessKnown || buckets.some((b) => b.access !== undefined) ? [accessColumn(accessKnown)] : []),
    objects,
    size,
    ...(none || details ? [quota, features] : []),
    created,
  ]
}

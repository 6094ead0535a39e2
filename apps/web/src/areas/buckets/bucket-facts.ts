import type { Bucket } from '@stowage/contract'
import { formatUnits } from '../../lib/text/format.ts'
import { msg, t } from '../../lib/text/i18n.ts'
import type { TableTexts } from '../../ui/DataTable.tsx'
import { NEAR_LIMIT } from '../../ui/Gauge.tsx'

export const bucketTexts: TableTexts = {
  name: msg('Buckets'),
  empty: msg('There are no Buckets yet.'),
  noMatch: msg('No Buckets match the filter.'),
}

/** Whether everyone may reach it. */
export const isPublic = (bucket: Bucket) => bucket.access === 'PUBLIC'

/** The used share of its quota; undefined without one. */
export function quotaShare(bucket: Bucket): number | undefined {
  const limit = bucket.details?.quota?.quota ?? 0
  return limit > 0 ? bucket.size / limit : undefined
}

export const isNearQuota = (bucket: Bucket) => (quotaShare(bucket) ?? 0) >= NEAR_LIMIT

/** What is switched on: `Versioned, Locked`. Empty when nothing is. */
export function featuresOf({ details }: Bucket): string {
  if (!details) return ''
  return formatUnits([
    ...(details.versioning ? [t('Versioned')] : []),
    ...(details.versioningSuspended ? [t('Versioning suspended')] : []),
    ...(details.locking ? [t('Locked')] : []),
    ...(details.replication ? [t('Replicated')] : []),
  ])
}

export interface Totals {
  buckets: number
  objects: number
  bytes: number
  open: number
  near: number
}

export function totalsOf(buckets: Bucket[]): Totals {
  return {
    buckets: buckets.length,
    objects: buckets.reduce((sum, b) => sum + b.objects, 0),
    bytes: buckets.reduce((sum, b) => sum + b.size, 0),
    open: buckets.filter(isPublic).length,
    near: buckets.filter(isNearQuota).length,
  }
}

/** The word for an access value, as the bucket's subtitle and table have it. */
export const accessWord = { PRIVATE: msg('Private'), PUBLIC: msg('Public'), CUSTOM: msg('Custom') } as const

/** The accesses that a bucket can be given. */
export const accesses = ['PRIVATE', 'PUBLIC'] as const

/** What giving a bucket this access needs: closing it deletes its policy. */
export const actionFor = { PRIVATE: 's3:DeleteBucketPolicy', PUBLIC: 's3:PutBucketPolicy' } as const

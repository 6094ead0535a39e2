import type { Bucket } from '@stowage/contract'
import { formatUnits } from '../../../lib/text/format.ts'
import { type Message, msg, t } from '../../../lib/text/i18n.ts'
import type { TableTexts } from '../../../ui/table/DataTable.tsx'
import { NEAR_LIMIT_SHARE } from '../../../ui/values/Gauge.tsx'

export const bucketTexts: TableTexts = {
  name: msg('Buckets'),
  empty: msg('There are no Buckets yet.'),
  noMatch: msg('No Buckets match the filter.'),
}

/** Reports whether any policy lets everyone list, read or write the bucket. */
export function isPublicBucket({ access, anonymous }: Bucket): boolean {
  if (!anonymous) return access === 'PUBLIC'
  return anonymous.list || anonymous.read || anonymous.write
}

/** Returns the used share of the quota; undefined without a quota. */
export function quotaShare(bucket: Bucket): number | undefined {
  const limit = bucket.details?.quota?.quota ?? 0
  return limit > 0 ? bucket.size / limit : undefined
}

export const isNearQuota = (bucket: Bucket) => (quotaShare(bucket) ?? 0) >= NEAR_LIMIT_SHARE

/** Returns the enabled features: `Versioned, Locked`. Empty if no feature is enabled. */
export function bucketFeatures({ details }: Bucket): string {
  if (!details) return ''
  return formatUnits([
    ...(details.versioning ? [t('Versioned')] : []),
    ...(details.versioningSuspended ? [t('Versioning suspended')] : []),
    ...(details.locking ? [t('Locked')] : []),
    ...(details.replication ? [t('Replicated')] : []),
  ])
}

export interface BucketTotals {
  buckets: number
  objects: number
  bytes: number
  open: number
  near: number
}

export function sumBuckets(buckets: Bucket[]): BucketTotals {
  return {
    buckets: buckets.length,
    objects: buckets.reduce((sum, b) => sum + b.objects, 0),
    bytes: buckets.reduce((sum, b) => sum + b.size, 0),
    open: buckets.filter(isPublicBucket).length,
    near: buckets.filter(isNearQuota).length,
  }
}

/** Returns the word for a bucket's access, for its subtitle and the table. */
export function bucketAccessText({ access = 'PRIVATE', anonymous }: Bucket): Message {
  if (access !== 'CUSTOM') return access === 'PUBLIC' ? msg('Public') : msg('Private')
  const { list, read, write, partly } = anonymous ?? {}
  if (write) return partly ? msg('Custom, partly public') : msg('Custom, public')
  if (!list && !read) return msg('Custom')
  return partly ? msg('Partly public, read only') : msg('Public, read only')
}

/** Explains the access of a bucket. */
export function bucketAccessMeaning(bucket: Bucket): Message {
  const { access = 'PRIVATE', anonymous } = bucket
  if (access === 'PRIVATE') return msg('Only users whose policy allows it can access the objects.')
  if (access === 'PUBLIC') return msg('Everyone can read, write and delete the objects, without signing in.')
  if (anonymous?.partly)
    return msg('The bucket has its own policy. Everyone can access some objects, such as those below a prefix.')
  if (anonymous?.write) return msg('The bucket has its own policy. Everyone can write or delete objects.')
  if (anonymous?.read) return msg('The bucket has its own policy. Everyone can read objects, without signing in.')
  if (anonymous?.list) return msg('The bucket has its own policy. Everyone can list its objects.')
  return msg('The bucket has its own policy.')
}

/** The access settings that can be chosen for a bucket. */
export const bucketAccessChoices = ['PRIVATE', 'PUBLIC_READ', 'PUBLIC'] as const

export const bucketAccessLabels = {
  PRIVATE: msg('Private'),
  PUBLIC_READ: msg('Public, read only'),
  PUBLIC: msg('Public'),
} as const

/** The action that each access setting needs. Setting `PRIVATE` deletes the bucket policy. */
export const setAccessActions = {
  PRIVATE: 's3:DeleteBucketPolicy',
  PUBLIC_READ: 's3:PutBucketPolicy',
  PUBLIC: 's3:PutBucketPolicy',
} as const

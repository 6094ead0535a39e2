import type { Bucket } from '@stowage/contract'
import { formatUnits } from '../../lib/text/format.ts'
import { type Message, msg, t } from '../../lib/text/i18n.ts'
import type { TableTexts } from '../../ui/DataTable.tsx'
import { NEAR_LIMIT } from '../../ui/Gauge.tsx'

export const bucketTexts: TableTexts = {
  name: msg('Buckets'),
  empty: msg('There are no Buckets yet.'),
  noMatch: msg('No Buckets match the filter.'),
}

/** Whether everyone may list, read or write it, by whatever policy. */
export function isPublic({ access, anonymous }: Bucket): boolean {
  if (!anonymous) return access === 'PUBLIC'
  return anonymous.list || anonymous.read || anonymous.write
}

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

/** The word for the access of a bucket, as its subtitle and the table have it. */
export function accessWord({ access = 'PRIVATE', anonymous }: Bucket): Message {
  if (access !== 'CUSTOM') return access === 'PUBLIC' ? msg('Public') : msg('Private')
  if (anonymous?.write) return msg('Custom, public')
  return anonymous?.list || anonymous?.read ? msg('Public, read only') : msg('Custom')
}

/** What the access of a bucket means. */
export function accessMeaning(bucket: Bucket): Message {
  const { access = 'PRIVATE', anonymous } = bucket
  if (access === 'PRIVATE') return msg('Only users whose policy allows it can access the objects.')
  if (access === 'PUBLIC') return msg('Everyone can read, write and delete the objects, without signing in.')
  if (anonymous?.write) return msg('The bucket has its own policy. Everyone can write or delete objects.')
  if (anonymous?.read) return msg('The bucket has its own policy. Everyone can read objects, without signing in.')
  if (anonymous?.list) return msg('The bucket has its own policy. Everyone can list its objects.')
  return msg('The bucket has its own policy.')
}

/** The accesses that a bucket can be given. */
export const accesses = ['PRIVATE', 'PUBLIC_READ', 'PUBLIC'] as const

export const accessChoices = {
  PRIVATE: msg('Private'),
  PUBLIC_READ: msg('Public, read only'),
  PUBLIC: msg('Public'),
} as const

/** What giving a bucket this access needs: closing it deletes its policy. */
export const actionFor = {
  PRIVATE: 's3:DeleteBucketPolicy',
  PUBLIC_READ: 's3:PutBucketPolicy',
  PUBLIC: 's3:PutBucketPolicy',
} as const

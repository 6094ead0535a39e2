import { asNumber, asObject, asText, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

/** `fifo` (delete the oldest) only on servers of 2021; later ones refuse it. */
export type BucketQuotaType = 'hard' | 'fifo'

export interface BucketQuota {
  /** Bytes; 0 means no quota. */
  readonly size: number
  /** Default `hard`. */
  readonly type?: BucketQuotaType | undefined
}

/**
 * Returns the quota of a bucket; size 0 if it has none. Needs `admin:GetBucketQuota`.
 * @throws MadminError NoSuchBucket, AccessDenied
 */
export async function getBucketQuota(
  t: Transport,
  bucket: string,
  options?: AdminCallOptions,
): Promise<Required<BucketQuota> & { type: BucketQuotaType }> {
  return readQuota(await t.call({ method: 'GET', path: 'get-bucket-quota', query: { bucket }, ...options }))
}

/**
 * Sets the quota of a bucket; size 0 removes it. Needs `admin:SetBucketQuota`. Servers count usage in the background,
 * so a bucket can outgrow its quota by what is written in between.
 * @param quota.size bytes, sent as `size` and as `quota`, the name that servers before August 2023 read
 * @throws MadminError NoSuchBucket, AccessDenied; InternalError for `fifo` on servers that no longer know it
 */
export async function setBucketQuota(
  t: Transport,
  bucket: string,
  { size, type = 'hard' }: BucketQuota,
  options?: AdminCallOptions,
): Promise<void> {
  if (!Number.isSafeInteger(size) || size < 0) throw new TypeError(`a quota must be a number of bytes, not ${size}`)
  const json = { quota: size, size, rate: 0, requests: 0, ...(size > 0 && { quotatype: type }) }
  await t.call({ method: 'PUT', path: 'set-bucket-quota', query: { bucket }, json, ...options })
}

/** Parses a quota of a call or of account info: `size` since August 2023, `quota` before. */
export function readQuota(value: unknown): { size: number; type: BucketQuotaType } {
  const quota = asObject(value)
  const size = asNumber(quota.size) || asNumber(quota.quota) || 0
  return { size, type: asText(pickMember(quota, 'quotatype')) === 'fifo' ? 'fifo' : 'hard' }
}

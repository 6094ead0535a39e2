import type { StoredBucket } from '../core/bucket-table.ts'
import type { EngineCore } from '../core/engine-core.ts'
import { quotaExceeded } from '../records/engine-errors.ts'
import { indexKeys } from '../records/index-keys.ts'
import { decodeUsage } from './usage-record.ts'

/**
 * Refuses a write before its body is read, based on the committed state. The commit checks the quota exactly.
 * @param added bytes that the write adds, as far as they are known
 * @param freed bytes that it replaces
 * @throws S3Error XMinioAdminBucketQuotaExceeded
 */
export function checkBucketQuota(core: EngineCore, bucket: StoredBucket, added: number, freed = 0): void {
  const { quota } = bucket
  if (quota === undefined) return
  const usage = core.index.get(indexKeys.usage(bucket.number))
  const used = usage ? decodeUsage(usage).size : 0
  if (used - freed + added > quota) throw quotaExceeded()
}

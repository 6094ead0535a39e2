import type { Transaction } from '../commit/transaction.ts'
import type { StoredBucket } from '../core/bucket-table.ts'
import type { EngineCore } from '../core/engine-core.ts'
import { noSuchBucket } from '../records/engine-errors.ts'
import { indexKeys } from '../records/index-keys.ts'

/** Returns the bucket in a transaction; it may have been deleted since the request started. @throws S3Error NoSuchBucket */
export function requireBucketInTransaction({ buckets }: EngineCore, tx: Transaction, name: string): StoredBucket {
  const stored = tx.get(indexKeys.bucket(name))
  if (!stored) throw noSuchBucket(name)
  return buckets.decode(name, stored)
}

import { successor } from '../index-db/bounds.ts'
import type { IndexReader } from '../index-db/mirror.ts'
import { noSuchBucket } from './failures.ts'
import { keys } from './keys.ts'
import { type BucketRecord, decodeBucket } from './records.ts'
import type { BucketInfo } from './types.ts'

/** The buckets as the index shows them, in memory: nearly every request asks for one. */
export class BucketTable {
  readonly #records = new Map<string, BucketRecord>()
  #sorted: BucketInfo[] | undefined

  constructor(private readonly index: IndexReader) {
    const table = keys.table('b')
    for (const { key, value } of index.range(table, successor(table))) {
      this.#records.set(key.toString('utf8', 1), decodeBucket(value))
    }
  }

  /** @throws S3Error NoSuchBucket */
  require(name: string): BucketRecord {
    const record = this.#records.get(name)
    if (!record) throw noSuchBucket(name)
    return record
  }

  /** In the order of their names' bytes. */
  list(): BucketInfo[] {
    this.#sorted ??= [...this.#records]
      .map(([name, record]) => describeBucket(name, record))
      .sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
    return this.#sorted
  }

  /** Takes over what the index says of a bucket; called after each commit that touched it. */
  refresh(name: string): void {
    const value = this.index.get(keys.bucket(name))
    if (value) this.#records.set(name, decodeBucket(value))
    else this.#records.delete(name)
    this.#sorted = undefined
  }
}

export function versioningOf(record: BucketRecord): BucketInfo['versioning'] {
  const value = record.settings.versioning?.value
  return value === 'Enabled' || value === 'Suspended' ? value : undefined
}

export function describeBucket(name: string, record: BucketRecord): BucketInfo {
  return { name, createdAt: record.createdAt, versioning: versioningOf(record), objectLock: record.objectLock }
}

/** Bytes that a bucket may hold; undefined without a quota. */
export function quotaOf(record: BucketRecord): number | undefined {
  const text = record.settings.quota?.value
  if (text === undefined) return undefined
  const quota: unknown = JSON.parse(text)
  const size = typeof quota === 'object' && quota && 'size' in quota ? quota.size : undefined
  return typeof size === 'number' && size > 0 ? size : undefined
}

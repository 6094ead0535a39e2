import { S3Error } from '../errors.ts'
import { successor } from '../index-db/bounds.ts'
import { describeBucket } from './bucket-table.ts'
import type { Core } from './core.ts'
import { bucketIn } from './enter-version.ts'
import { checkName } from './failures.ts'
import { keys } from './keys.ts'
import { encodeBucket } from './records.ts'
import type { BucketInfo, BucketSetting, BucketUsage } from './types.ts'
import { decodeUsage, describeUsage, emptyUsage } from './usage.ts'

export async function createBucket(
  core: Core,
  name: string,
  options: { objectLock?: boolean } = {},
): Promise<BucketInfo> {
  core.pool.checkRoom(0)
  checkName(name)
  const info = await core.committer.commit((tx) => {
    const key = keys.bucket(name)
    if (tx.get(key)) {
      const text = 'Your previous request to create the named bucket succeeded and you already own it.'
      throw new S3Error('BucketAlreadyOwnedByYou', text, { detail: { BucketName: name } })
    }
    const createdAt = core.now()
    const objectLock = options.objectLock ?? false
    const record = {
      number: tx.id(),
      createdAt,
      objectLock,
      // Retention protects versions, so a bucket with object lock has them from the first.
      settings: objectLock ? { versioning: { value: 'Enabled', updatedAt: createdAt } } : {},
    }
    tx.put(key, encodeBucket(record))
    tx.note({ type: 'bucket-create', bucket: name })
    return describeBucket(name, record)
  })
  core.buckets.refresh(name)
  return info
}

/** What is in a forced bucket goes with its number at once; the sweeper removes the entries and blobs afterwards. */
export async function deleteBucket(core: Core, name: string, options: { force?: boolean } = {}): Promise<void> {
  await core.committer.commit((tx) => {
    const { number } = bucketIn(tx, name)
    if (!options.force) {
      for (const table of ['o', 'k'] as const) {
        const all = keys.bucketTable(table, number)
        for (const _ of tx.range(all, successor(all))) {
          throw new S3Error('BucketNotEmpty', 'The bucket you tried to delete is not empty', {
            detail: { BucketName: name },
          })
        }
      }
    }
    tx.remove(keys.bucket(name))
    tx.remove(keys.usage(number))
    tx.put(keys.dropped(number), Buffer.from(name))
    tx.garbage = true
    tx.note({ type: 'bucket-delete', bucket: name })
  })
  core.buckets.refresh(name)
}

export function getBucketSetting(
  core: Core,
  name: string,
  setting: BucketSetting,
): { value: string; updatedAt: number } | undefined {
  return core.buckets.require(name).settings[setting]
}

export async function setBucketSetting(
  core: Core,
  name: string,
  setting: BucketSetting,
  value: string | undefined,
): Promise<void> {
  if (value !== undefined) core.pool.checkRoom(value.length)
  await core.committer.commit((tx) => {
    const record = bucketIn(tx, name)
    const { [setting]: _, ...others } = record.settings
    const settings = value === undefined ? others : { ...others, [setting]: { value, updatedAt: core.now() } }
    tx.put(keys.bucket(name), encodeBucket({ ...record, settings }))
    tx.note({ type: 'bucket-setting', bucket: name, key: setting })
  })
  core.buckets.refresh(name)
}

export function usage(core: Core, name: string): BucketUsage {
  const { number } = core.buckets.require(name)
  const value = core.index.get(keys.usage(number))
  return describeUsage(value ? decodeUsage(value) : emptyUsage())
}

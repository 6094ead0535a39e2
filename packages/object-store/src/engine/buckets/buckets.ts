import {
  type BucketSetting,
  type BucketSettingChanges,
  type BucketSettingName,
  type BucketSettings,
  bucketSettingCodecs,
  isBucketSettingName,
} from '../../bucket-settings/bucket-settings.ts'
import type { VersioningSetting } from '../../bucket-settings/versioning-codec.ts'
import { successor } from '../../index-db/key-bounds.ts'
import { S3Error } from '../../lib/errors.ts'
import { StoredBucket } from '../core/bucket-table.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type { BucketInfo, BucketUsageCounts } from '../interface/types.ts'
import { checkStoredName } from '../records/engine-errors.ts'
import { indexKeys } from '../records/index-keys.ts'
import { type BucketRecord, encodeBucket } from '../records/index-records.ts'
import { requireBucketInTransaction } from './bucket-in-transaction.ts'
import { decodeUsage, describeUsage, emptyUsage } from './usage-record.ts'

const VERSIONING_ENABLED: VersioningSetting = { status: 'Enabled', excludedPrefixes: [], excludeFolders: false }

export async function createBucket(
  core: EngineCore,
  name: string,
  options: { objectLock?: boolean } = {},
): Promise<BucketInfo> {
  core.pool.checkRoom(0)
  checkStoredName(name)
  return await core.commit((tx) => {
    const key = indexKeys.bucket(name)
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
      // Retention protects versions, so object lock enables versioning.
      settings: objectLock
        ? { versioning: { value: bucketSettingCodecs.versioning.write(VERSIONING_ENABLED), updatedAt: createdAt } }
        : {},
    }
    tx.put(key, encodeBucket(record))
    tx.note({ type: 'bucket-create', bucket: name })
    return new StoredBucket(name, record).describe()
  })
}

/** Deletes a bucket. With `force` its content becomes invisible immediately; the sweeper removes entries and blobs later. */
export async function deleteBucket(core: EngineCore, name: string, options: { force?: boolean } = {}): Promise<void> {
  await core.commit((tx) => {
    const { number, record } = requireBucketInTransaction(core, tx, name)
    // Locked versions must not be deleted with their bucket.
    if (!options.force || record.objectLock) {
      for (const table of ['o', 'k'] as const) {
        const all = indexKeys.bucketTable(table, number)
        for (const _ of tx.range(all, successor(all))) {
          throw new S3Error('BucketNotEmpty', 'The bucket you tried to delete is not empty', {
            detail: { BucketName: name },
          })
        }
      }
    }
    tx.remove(indexKeys.bucket(name))
    tx.remove(indexKeys.usage(number))
    tx.put(indexKeys.deletedBucket(number), Buffer.from(name))
    tx.garbage = true
    tx.note({ type: 'bucket-delete', bucket: name })
  })
}

export function getBucketSetting<Name extends BucketSettingName>(
  core: EngineCore,
  bucket: string,
  name: Name,
): BucketSetting<BucketSettings[Name]> | undefined {
  return core.buckets.require(bucket).setting(name)
}

export async function setBucketSettings(core: EngineCore, name: string, changes: BucketSettingChanges): Promise<void> {
  const documents = encodeSettings(changes)
  const added = documents.reduce((sum, [, document]) => sum + (document?.length ?? 0), 0)
  if (added > 0) core.pool.checkRoom(added)
  await core.commit((tx) => {
    const { record } = requireBucketInTransaction(core, tx, name)
    checkObjectLockChanges(record, changes)
    checkReplicationChanges(record, changes)
    const settings = { ...record.settings }
    for (const [setting, document] of documents) {
      if (document === undefined) delete settings[setting]
      else settings[setting] = { value: document, updatedAt: core.now() }
      tx.note({ type: 'bucket-setting', bucket: name, key: setting })
    }
    tx.put(indexKeys.bucket(name), encodeBucket({ ...record, settings }))
  })
}

function encodeSettings(changes: BucketSettingChanges): [BucketSettingName, string | undefined][] {
  const write = <Name extends BucketSettingName>(name: Name): [Name, string | undefined] => {
    const value: BucketSettings[Name] | undefined = changes[name]
    return [name, value === undefined ? undefined : bucketSettingCodecs[name].write(value)]
  }
  return Object.keys(changes).filter(isBucketSettingName).map(write)
}

/** Checks that the settings of a bucket are compatible with each other. @throws S3Error InvalidBucketState */
function checkObjectLockChanges({ objectLock }: BucketRecord, changes: BucketSettingChanges): void {
  if (!objectLock && changes['object-lock']) {
    throw new S3Error('InvalidBucketState', 'Object Lock configuration cannot be enabled on existing buckets')
  }
  if (!objectLock || !('versioning' in changes)) return
  const { versioning } = changes
  if (versioning?.status !== 'Enabled' || versioning.excludeFolders || versioning.excludedPrefixes.length > 0) {
    throw new S3Error('InvalidBucketState', 'A bucket with object lock keeps all versions: versioning stays enabled.')
  }
}

/** Replication requires versioning. @throws S3Error InvalidRequest, InvalidBucketState */
function checkReplicationChanges({ settings }: BucketRecord, changes: BucketSettingChanges): void {
  if (!('versioning' in changes || changes.replication)) return
  const stored = settings.versioning
  const versioning =
    'versioning' in changes ? changes.versioning : stored && bucketSettingCodecs.versioning.read(stored.value)
  if (versioning?.status === 'Enabled') return
  if (changes.replication) {
    const text = "Versioning must be 'Enabled' on the bucket to apply a replication configuration"
    throw new S3Error('InvalidRequest', text)
  }
  if (settings.replication && !('replication' in changes)) {
    const text = 'A replication configuration is present on this bucket, bucket wide versioning cannot be suspended.'
    throw new S3Error('InvalidBucketState', text)
  }
}

export function bucketUsage(core: EngineCore, name: string): BucketUsageCounts {
  const { number } = core.buckets.require(name)
  const value = core.index.get(indexKeys.usage(number))
  return describeUsage(value ? decodeUsage(value) : emptyUsage())
}

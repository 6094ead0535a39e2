import {
  type BucketSettings,
  isSettingName,
  type Setting,
  type SettingChanges,
  type SettingName,
  settingCodecs,
} from '../bucket-settings/index.ts'
import type { Versioning } from '../bucket-settings/versioning.ts'
import { S3Error } from '../errors.ts'
import { successor } from '../index-db/bounds.ts'
import { Bucket } from './bucket-table.ts'
import type { Core } from './core.ts'
import { bucketIn } from './enter-version.ts'
import { checkName } from './failures.ts'
import { keys } from './keys.ts'
import { type BucketRecord, encodeBucket } from './records.ts'
import type { BucketInfo, BucketUsage } from './types.ts'
import { decodeUsage, describeUsage, emptyUsage } from './usage.ts'

const ENABLED: Versioning = { status: 'Enabled', excludedPrefixes: [], excludeFolders: false }

export async function createBucket(
  core: Core,
  name: string,
  options: { objectLock?: boolean } = {},
): Promise<BucketInfo> {
  core.pool.checkRoom(0)
  checkName(name)
  return await core.commit((tx) => {
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
      // Retention protects versions, so object lock enables versioning.
      settings: objectLock
        ? { versioning: { value: settingCodecs.versioning.write(ENABLED), updatedAt: createdAt } }
        : {},
    }
    tx.put(key, encodeBucket(record))
    tx.note({ type: 'bucket-create', bucket: name })
    return new Bucket(name, record).describe()
  })
}

/** Deletes a bucket. With `force` its content becomes invisible immediately; the sweeper removes entries and blobs later. */
export async function deleteBucket(core: Core, name: string, options: { force?: boolean } = {}): Promise<void> {
  await core.commit((tx) => {
    const { number, record } = bucketIn(core, tx, name)
    // Locked versions must not be deleted with their bucket.
    if (!options.force || record.objectLock) {
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
}

export function getBucketSetting<Name extends SettingName>(
  core: Core,
  bucket: string,
  name: Name,
): Setting<BucketSettings[Name]> | undefined {
  return core.buckets.require(bucket).setting(name)
}

export async function setBucketSettings(core: Core, name: string, changes: SettingChanges): Promise<void> {
  const documents = writeSettings(changes)
  const added = documents.reduce((sum, [, document]) => sum + (document?.length ?? 0), 0)
  if (added > 0) core.pool.checkRoom(added)
  await core.commit((tx) => {
    const { record } = bucketIn(core, tx, name)
    checkChanges(record, changes)
    checkReplication(record, changes)
    const settings = { ...record.settings }
    for (const [setting, document] of documents) {
      if (document === undefined) delete settings[setting]
      else settings[setting] = { value: document, updatedAt: core.now() }
      tx.note({ type: 'bucket-setting', bucket: name, key: setting })
    }
    tx.put(keys.bucket(name), encodeBucket({ ...record, settings }))
  })
}

function writeSettings(changes: SettingChanges): [SettingName, string | undefined][] {
  const write = <Name extends SettingName>(name: Name): [Name, string | undefined] => {
    const value: BucketSettings[Name] | undefined = changes[name]
    return [name, value === undefined ? undefined : settingCodecs[name].write(value)]
  }
  return Object.keys(changes).filter(isSettingName).map(write)
}

/** Checks that the settings of a bucket are compatible with each other. @throws S3Error InvalidBucketState */
function checkChanges({ objectLock }: BucketRecord, changes: SettingChanges): void {
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
function checkReplication({ settings }: BucketRecord, changes: SettingChanges): void {
  if (!('versioning' in changes || changes.replication)) return
  const stored = settings.versioning
  const versioning =
    'versioning' in changes ? changes.versioning : stored && settingCodecs.versioning.read(stored.value)
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

export function usage(core: Core, name: string): BucketUsage {
  const { number } = core.buckets.require(name)
  const value = core.index.get(keys.usage(number))
  return describeUsage(value ? decodeUsage(value) : emptyUsage())
}

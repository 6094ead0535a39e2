import {
  type BucketSetting,
  type BucketSettingName,
  type BucketSettings,
  bucketSettingCodecs,
  isBucketSettingName,
} from '../../bucket-settings/bucket-settings.ts'
import { effectiveVersioning, type VersioningSetting } from '../../bucket-settings/versioning-codec.ts'
import type { IndexReader } from '../../index-db/index-mirror.ts'
import { successor } from '../../index-db/key-bounds.ts'
import { S3Error } from '../../lib/errors.ts'
import { isScratchBucket } from '../../lib/scratch-bucket.ts'
import type { BucketInfo, EngineOptions } from '../interface/types.ts'
import { noSuchBucket } from '../records/engine-errors.ts'
import { indexKeys } from '../records/index-keys.ts'
import { type BucketRecord, decodeBucket } from '../records/index-records.ts'

/** A bucket with its decoded settings. */
export class StoredBucket {
  /** The settings that could be read. */
  readonly #settings: Partial<Record<BucketSettingName, BucketSetting<BucketSettings[BucketSettingName]>>> = {}
  readonly #unreadable = new Map<BucketSettingName, unknown>()

  constructor(
    readonly name: string,
    readonly record: BucketRecord,
  ) {
    for (const [setting, stored] of Object.entries(record.settings)) {
      // A setting of a newer version, or of a removed feature.
      if (!isBucketSettingName(setting)) continue
      try {
        this.#settings[setting] = {
          value: bucketSettingCodecs[setting].read(stored.value),
          updatedAt: stored.updatedAt,
        }
      } catch (error) {
        this.#unreadable.set(setting, error)
      }
    }
  }

  /** Number that the bucket's keys start with. */
  get number(): number {
    return this.record.number
  }
  get unreadableSettings(): ReadonlyMap<BucketSettingName, unknown> {
    return this.#unreadable
  }

  /** Undefined if not set. @throws S3Error InternalError if the stored value cannot be read: it may be a protection */
  setting<Name extends BucketSettingName>(name: Name): BucketSetting<BucketSettings[Name]> | undefined {
    if (this.#unreadable.has(name)) {
      throw new S3Error('InternalError', `The ${name} setting of the bucket ${this.name} cannot be read.`, {
        cause: this.#unreadable.get(name),
      })
    }
    // Each name was stored with a value of its codec.
    return this.#settings[name] as BucketSetting<BucketSettings[Name]> | undefined
  }

  describe(): BucketInfo {
    const { name, record } = this
    // One bucket must not make the listing of all buckets fail. Writes to this bucket do fail.
    const versioning = this.#unreadable.has('versioning') ? undefined : this.setting('versioning')?.value.status
    return { name, createdAt: record.createdAt, versioning, objectLock: record.objectLock }
  }

  /** Returns the versioning of a key. */
  effectiveVersioning(key: string): VersioningSetting['status'] | undefined {
    return effectiveVersioning(this.setting('versioning')?.value, key)
  }

  /** Bytes that the bucket may hold; undefined without a quota. */
  get quota(): number | undefined {
    return this.setting('quota')?.value.size || undefined
  }
}

interface TableEntry {
  stored: Buffer
  bucket: StoredBucket
}

/** All buckets of the index, decoded and in memory, because nearly every request needs one. */
export class BucketTable {
  readonly #known = new Map<string, TableEntry>()
  #sorted: BucketInfo[] | undefined

  constructor(
    private readonly index: IndexReader,
    private readonly log: Pick<NonNullable<EngineOptions['log']>, 'error'>,
  ) {
    const table = indexKeys.table('b')
    for (const { key, value } of index.range(table, successor(table))) this.#remember(key.toString('utf8', 1), value)
  }

  /** @throws S3Error NoSuchBucket */
  require(name: string): StoredBucket {
    const known = this.#known.get(name)
    if (!known) throw noSuchBucket(name)
    return known.bucket
  }

  /** Decodes a stored bucket. Usually the table already has it decoded. */
  decode(name: string, stored: Buffer): StoredBucket {
    const known = this.#known.get(name)
    return known?.stored.equals(stored) ? known.bucket : new StoredBucket(name, decodeBucket(stored))
  }

  /** Returns all buckets but the store's own, sorted by the bytes of their names. */
  list(): BucketInfo[] {
    this.#sorted ??= this.names()
      .filter((name) => !isScratchBucket(name))
      .map((name) => this.require(name).describe())
      .sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
    return this.#sorted
  }

  /** Returns the names of all buckets, unsorted. */
  names(): string[] {
    return [...this.#known.keys()]
  }

  /** Takes over what the index says of a bucket; called with each change of it, before anyone hears of the change. */
  refresh(name: string): void {
    const value = this.index.get(indexKeys.bucket(name))
    if (value) this.#remember(name, value)
    else this.#known.delete(name)
    this.#sorted = undefined
  }

  #remember(name: string, value: Buffer): void {
    // The index reuses this memory, so copy it.
    const stored = Buffer.from(value)
    const bucket = new StoredBucket(name, decodeBucket(stored))
    for (const [setting, error] of bucket.unreadableSettings) {
      this.log.error({ err: error, bucket: name, setting }, 'a setting of a bucket cannot be read')
    }
    this.#known.set(name, { stored, bucket })
  }
}

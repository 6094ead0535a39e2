import { DamagedEntry } from '../../index-db/entry-checksum.ts'
import type { IndexReader } from '../../index-db/index-mirror.ts'
import { successor } from '../../index-db/key-bounds.ts'
import {
  countKeyUsage,
  countVersionUsage,
  decodeUsage,
  emptyUsage,
  encodeUsage,
  type UsageRecord,
} from '../buckets/usage-record.ts'
import type { Transaction } from '../commit/transaction.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type { GovernanceBypass } from '../interface/types.ts'
import { removeSegmentReferences } from '../records/blob-references.ts'
import { indexKeys } from '../records/index-keys.ts'
import {
  type BlobSegment,
  decodeSegmentList,
  decodeVersion,
  encodeSegmentList,
  encodeVersion,
  type PartSize,
  type StoredBody,
  type VersionRecord,
} from '../records/index-records.ts'
import { discardTierObject } from './tier-objects.ts'
import { checkVersionUnlocked } from './version-lock.ts'

/** Returns the latest version of a key: an object or a delete marker. */
export function readLatest(index: IndexReader, bucket: number, key: Buffer): VersionRecord | undefined {
  const value = index.get(indexKeys.latestObject(bucket, key)) ?? index.get(indexKeys.latestMarker(bucket, key))
  return value && decodeVersion(value)
}

/** Returns a version of a key by its ID. */
export function readVersion(
  index: IndexReader,
  bucket: number,
  key: Buffer,
  versionId: string,
): VersionRecord | undefined {
  const latest = readLatest(index, bucket, key)
  if (!latest || latest.versionId === versionId) return latest
  if (latest.older === 0) return undefined
  const id = olderVersionOrder(index, bucket, key, versionId)
  const value = id === undefined ? undefined : index.get(indexKeys.olderVersion(bucket, key, id))
  return value && decodeVersion(value)
}

/** Returns the order of an older version among those of its key. */
export function olderVersionOrder(
  index: IndexReader,
  bucket: number,
  key: Buffer,
  versionId: string,
): number | undefined {
  const value = index.get(indexKeys.olderVersionById(bucket, key, versionId))
  return value && Number(value.toString('latin1'))
}

/** Yields older versions of a key, newest first; only those after `belowId` if it is given. */
export function* olderVersions(
  index: IndexReader,
  bucket: number,
  key: Buffer,
  belowId?: number,
): Generator<VersionRecord> {
  const all = indexKeys.olderVersions(bucket, key)
  const start = belowId === undefined ? all : indexKeys.olderVersion(bucket, key, belowId - 1)
  for (const { value } of index.range(start, successor(all))) yield decodeVersion(value)
}

function readSegments(index: IndexReader, bucket: number, record: VersionRecord): BlobSegment[] {
  return readVersionBody(index, bucket, record).segments
}

export function readVersionBody(
  index: IndexReader,
  bucket: number,
  record: VersionRecord,
): { segments: BlobSegment[]; parts: PartSize[] | undefined } {
  if (record.body.kind === 'segments') return record.body
  if (record.body.kind !== 'listed') return { segments: [], parts: undefined }
  const key = indexKeys.segmentList(bucket, record.id)
  const value = index.get(key)
  if (!value) throw new DamagedEntry(key)
  return decodeSegmentList(value)
}

/** Returns the number by which an older version is sorted among those of its key. */
export const versionOrder = ({ id, order }: Pick<VersionRecord, 'id' | 'order'>) => order ?? id

type VersionAge = Pick<VersionRecord, 'lastModified' | 'versionId'>

function isNewer(a: VersionAge, b: VersionAge): boolean {
  return a.lastModified === b.lastModified ? a.versionId > b.versionId : a.lastModified > b.lastModified
}

/** The bytes of a new version: given here, or in blobs that the same transaction enters or links. */
export type NewVersionBody =
  | { kind: 'inline'; data: Uint8Array }
  | { kind: 'segments'; segments: BlobSegment[]; parts: PartSize[] | undefined }

/** From this number of segments or parts on, they are stored in a separate entry, which listings need not read. */
const MIN_LISTED_SEGMENTS = 17

/** Stores the bytes of version `id`, and returns their location for its record. */
export function storeVersionBody(tx: Transaction, bucket: number, id: number, body: NewVersionBody): StoredBody {
  if (body.kind === 'inline') {
    if (body.data.length === 0) return { kind: 'empty' }
    tx.put(indexKeys.inlineData(bucket, id), body.data)
    return { kind: 'inline' }
  }
  if (Math.max(body.segments.length, body.parts?.length ?? 0) < MIN_LISTED_SEGMENTS) return body
  tx.put(indexKeys.segmentList(bucket, id), encodeSegmentList(body))
  return { kind: 'listed' }
}

/** The versions of one key inside a transaction. Keeps the counters of the bucket up to date. */
export class VersionChain {
  #latest: VersionRecord | undefined
  readonly #usage: UsageRecord

  constructor(
    private readonly core: Pick<EngineCore, 'lockClock'>,
    private readonly tx: Transaction,
    private readonly bucket: number,
    private readonly key: Buffer,
  ) {
    this.#latest = readLatest(tx, bucket, key)
    const usage = tx.get(indexKeys.usage(bucket))
    this.#usage = usage ? decodeUsage(usage) : emptyUsage()
  }

  get latest(): VersionRecord | undefined {
    return this.#latest
  }

  get usage(): Readonly<UsageRecord> {
    return this.#usage
  }

  find(versionId: string): VersionRecord | undefined {
    return readVersion(this.tx, this.bucket, this.key, versionId)
  }

  /** Makes `record` the latest version. One with the same version ID must have been removed before. */
  push(record: Omit<VersionRecord, 'versions' | 'older'>): VersionRecord {
    const before = this.#latest
    countKeyUsage(this.#usage, before, -1)
    if (before) this.#demote(before)
    const pushed = {
      ...record,
      versions: (before?.versions ?? 0) + (record.marker ? 0 : 1),
      older: before ? before.older + 1 : 0,
    }
    this.#setLatest(pushed)
    countVersionUsage(this.#usage, pushed, 1)
    countKeyUsage(this.#usage, pushed, 1)
    this.#writeUsage()
    return pushed
  }

  /**
   * Like `push`, for a version that may be older than others: versions from other stores are sorted by modification time, then
   * by ID, so that all stores have the same latest version.
   */
  insert(record: Omit<VersionRecord, 'versions' | 'older'>): VersionRecord {
    const before = this.#latest
    if (!before || isNewer(record, before)) return this.push(record)
    const newer: VersionRecord[] = []
    for (const older of olderVersions(this.tx, this.bucket, this.key)) {
      if (!isNewer(older, record)) break
      newer.push(older)
    }
    countKeyUsage(this.#usage, before, -1)
    const inserted = { ...record, versions: 0, older: 0 }
    this.#demote(inserted)
    for (const version of newer.reverse()) {
      this.#removeOlder(version)
      this.#demote({ ...version, order: this.tx.id() })
    }
    const versions = before.versions + (record.marker ? 0 : 1)
    const latest = { ...before, versions, older: before.older + 1, order: this.tx.id() }
    this.#setLatest(latest)
    countVersionUsage(this.#usage, inserted, 1)
    countKeyUsage(this.#usage, latest, 1)
    this.#writeUsage()
    return inserted
  }

  /**
   * Removes a version with its bytes, and returns it; undefined if the ID does not exist. All versions are removed by this
   * method, except those of a deleted bucket.
   * @throws S3Error InvalidRequest, AccessDenied: the version is locked
   */
  remove(versionId: string, bypass?: GovernanceBypass): VersionRecord | undefined {
    const record = this.find(versionId)
    const before = this.#latest
    if (!record || !before) return undefined
    checkVersionUnlocked(record.lock, this.core.lockClock.now(), bypass)
    countKeyUsage(this.#usage, before, -1)
    countVersionUsage(this.#usage, record, -1)
    const versions = before.versions - (record.marker ? 0 : 1)
    if (record.id === before.id) this.#promote(versions)
    else {
      this.#removeOlder(record)
      this.#setLatest({ ...before, versions, older: before.older - 1 })
    }
    countKeyUsage(this.#usage, this.#latest, 1)
    this.#writeUsage()
    this.#releaseBytes(record)
    return record
  }

  /** Rewrites the record of a version, for example with other tags or another lock. */
  update(record: VersionRecord): void {
    if (record.id === this.#latest?.id) this.#setLatest(record)
    else this.tx.put(indexKeys.olderVersion(this.bucket, this.key, versionOrder(record)), encodeVersion(record))
  }

  #demote(record: VersionRecord): void {
    const { tx, bucket, key } = this
    tx.put(
      indexKeys.olderVersion(bucket, key, versionOrder(record)),
      encodeVersion({ ...record, versions: 0, older: 0 }),
    )
    tx.put(
      indexKeys.olderVersionById(bucket, key, record.versionId),
      Buffer.from(String(versionOrder(record)), 'latin1'),
    )
  }

  #removeOlder(record: VersionRecord): void {
    const { tx, bucket, key } = this
    tx.remove(indexKeys.olderVersion(bucket, key, versionOrder(record)))
    tx.remove(indexKeys.olderVersionById(bucket, key, record.versionId))
  }

  /** The newest of the older versions becomes the latest one. */
  #promote(versions: number): void {
    const { tx, bucket, key } = this
    const older = this.#latest?.older ?? 0
    if (older === 0) {
      this.#setLatest(undefined)
      return
    }
    const [next] = olderVersions(tx, bucket, key)
    if (!next) throw new DamagedEntry(indexKeys.olderVersions(bucket, key))
    this.#removeOlder(next)
    this.#setLatest({ ...next, versions, older: older - 1 })
  }

  #setLatest(record: VersionRecord | undefined): void {
    const { tx, bucket, key } = this
    const before = this.#latest
    if (before && (!record || record.marker !== before.marker)) {
      tx.remove(before.marker ? indexKeys.latestMarker(bucket, key) : indexKeys.latestObject(bucket, key))
    }
    if (record)
      tx.put(
        record.marker ? indexKeys.latestMarker(bucket, key) : indexKeys.latestObject(bucket, key),
        encodeVersion(record),
      )
    this.#latest = record
  }

  #releaseBytes(record: VersionRecord): void {
    removeVersionBytes(this.tx, this.bucket, record)
  }

  #writeUsage(): void {
    this.tx.put(indexKeys.usage(this.bucket), encodeUsage(this.#usage))
  }
}

/** Removes the bytes of a version, here and on its tier. */
export function removeVersionBytes(tx: Transaction, bucket: number, record: VersionRecord): void {
  if (record.tier) discardTierObject(tx, record.tier.object)
  removeLocalVersionBytes(tx, bucket, record)
}

/** Removes the local bytes of a version. */
export function removeLocalVersionBytes(tx: Transaction, bucket: number, record: VersionRecord): void {
  if (record.body.kind === 'inline') tx.remove(indexKeys.inlineData(bucket, record.id))
  removeSegmentReferences(tx, readSegments(tx, bucket, record))
  if (record.body.kind === 'listed') tx.remove(indexKeys.segmentList(bucket, record.id))
}

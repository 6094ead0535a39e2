import type { IndexReader } from '../../index-db/index-mirror.ts'
import { successor } from '../../index-db/key-bounds.ts'
import type { IndexEntry } from '../../index-db/ordered-index.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type { ObjectListPage, ObjectListQuery } from '../interface/types.ts'
import { BUCKET_PREFIX_BYTES, type IndexTable, indexKeys } from '../records/index-keys.ts'
import { decodeVersion, type VersionRecord } from '../records/index-records.ts'
import { olderVersionOrder, olderVersions } from '../versions/version-chain.ts'
import { describeVersion } from './enter-version.ts'

const ZERO = Buffer.from([0])

/** A step of a listing: an entry of the table, or a common prefix for all keys below it. */
type ListingStep = { key: Buffer; entry: IndexEntry } | { prefix: Buffer }

/**
 * Yields the keys of a bucket in order. Keys with the delimiter after the prefix are folded into common prefixes. The scan
 * continues at the successor of a common prefix, so the cost does not depend on the number of folded keys.
 * @param from the first possible key
 */
export function* walkKeys(
  scan: (start: Buffer, end: Buffer) => Iterable<{ key: Buffer; entry: IndexEntry }>,
  query: { prefix: Buffer; delimiter: Buffer; from: Buffer },
): Generator<ListingStep> {
  const { prefix, delimiter } = query
  const end = prefix.length > 0 ? successor(prefix) : undefined
  let start = Buffer.compare(query.from, prefix) > 0 ? query.from : prefix
  for (;;) {
    let folded: Buffer | undefined
    for (const { key, entry } of scan(start, end ?? Buffer.from([0xff]))) {
      const at = delimiter.length > 0 ? key.indexOf(delimiter, prefix.length) : -1
      if (at < 0) {
        yield { key, entry }
        continue
      }
      folded = Buffer.from(key.subarray(0, at + delimiter.length))
      break
    }
    if (!folded) return
    yield { prefix: folded }
    start = successor(folded)
  }
}

/**
 * Returns the first possible key after `after`, or after all keys of the common prefix `after`.
 * @param next the byte that, appended to a key, gives the next key in order
 */
export function firstKeyAfter({ after, prefix, delimiter }: ObjectListQuery, next = ZERO): Buffer {
  if (after === '') return Buffer.alloc(0)
  const bytes = Buffer.from(after)
  const folded = after.startsWith(prefix) ? delimiterPosition(after, prefix, delimiter) : -1
  if (folded >= 0 && folded + delimiter.length === after.length) return successor(bytes)
  return Buffer.concat([bytes, next])
}

/** Returns the position of the delimiter that folds a key into a common prefix; -1 if the key is listed itself. */
function delimiterPosition(key: string, prefix: string, delimiter: string): number {
  return delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
}

/** Returns a function that scans one table of a bucket by object keys. */
export function scanTable(index: IndexReader, table: IndexTable, bucket: number) {
  const base = indexKeys.bucketTable(table, bucket)
  return function* (start: Buffer, end: Buffer): Generator<{ key: Buffer; entry: IndexEntry }> {
    for (const entry of index.range(Buffer.concat([base, start]), Buffer.concat([base, end]))) {
      yield { key: entry.key.subarray(BUCKET_PREFIX_BYTES), entry }
    }
  }
}

export function listObjects(core: EngineCore, bucket: string, query: ObjectListQuery): ObjectListPage {
  const { number } = core.buckets.require(bucket)
  const steps = walkKeys(scanTable(core.index, 'o', number), {
    prefix: Buffer.from(query.prefix),
    delimiter: Buffer.from(query.delimiter),
    from: firstKeyAfter(query),
  })
  const entries: ObjectListPage['entries'] = []
  for (const step of steps) {
    if (entries.length >= query.limit) return truncatedPage(entries)
    if ('prefix' in step) entries.push({ prefix: step.prefix.toString() })
    else {
      const record = decodeVersion(step.entry.value)
      entries.push({ object: describeVersion(bucket, step.key.toString(), record, true) })
    }
  }
  return { entries, truncated: false }
}

/** Returns a page that is followed by another one. */
function truncatedPage(entries: ObjectListPage['entries']): ObjectListPage {
  const last = entries.at(-1)
  // With a limit of 0 the page is not truncated.
  if (!last) return { entries, truncated: false }
  const next = 'prefix' in last ? { key: last.prefix } : { key: last.object.key, versionId: last.object.versionId }
  return { entries, truncated: true, next }
}

/** Scans all keys by merging two tables: keys whose latest version is an object, and keys whose latest is a marker. */
export function scanLatest(index: IndexReader, bucket: number) {
  const objects = scanTable(index, 'o', bucket)
  const markers = scanTable(index, 'k', bucket)
  return function* (start: Buffer, end: Buffer): Generator<{ key: Buffer; entry: IndexEntry }> {
    const left = objects(start, end)
    const right = markers(start, end)
    let a = left.next()
    let b = right.next()
    try {
      while (!a.done || !b.done) {
        if (!a.done && (b.done || Buffer.compare(a.value.key, b.value.key) < 0)) {
          yield a.value
          a = left.next()
        } else if (!b.done) {
          yield b.value
          b = right.next()
        }
      }
    } finally {
      left.return(undefined)
      right.return(undefined)
    }
  }
}

export function listVersions(
  core: EngineCore,
  bucket: string,
  query: ObjectListQuery & { versionMarker?: string },
): ObjectListPage {
  const { number } = core.buckets.require(bucket)
  const { index } = core
  const entries: ObjectListPage['entries'] = []
  const full = () => entries.length >= query.limit
  const add = (key: string, record: VersionRecord, isLatest: boolean) =>
    entries.push({ object: describeVersion(bucket, key, record, isLatest) })

  const goesOn =
    query.after.startsWith(query.prefix) && delimiterPosition(query.after, query.prefix, query.delimiter) < 0
  if (query.versionMarker !== undefined && query.after !== '' && goesOn) {
    for (const record of remainingVersions(index, number, query.after, query.versionMarker)) {
      if (full()) return truncatedPage(entries)
      add(query.after, record, false)
    }
  }
  const steps = walkKeys(scanLatest(index, number), {
    prefix: Buffer.from(query.prefix),
    delimiter: Buffer.from(query.delimiter),
    from: firstKeyAfter(query),
  })
  for (const step of steps) {
    if (full()) return truncatedPage(entries)
    if ('prefix' in step) {
      entries.push({ prefix: step.prefix.toString() })
      continue
    }
    const latest = decodeVersion(step.entry.value)
    const key = step.key.toString()
    add(key, latest, true)
    if (latest.older === 0) continue
    for (const record of olderVersions(index, number, step.key)) {
      if (full()) return truncatedPage(entries)
      add(key, record, false)
    }
  }
  return { entries, truncated: false }
}

/**
 * Yields the versions of a key after the given one. If that one was deleted meanwhile, yields all older ones: repeating some is
 * better than missing some.
 */
function remainingVersions(
  index: IndexReader,
  bucket: number,
  key: string,
  versionId: string,
): Iterable<VersionRecord> {
  const bytes = Buffer.from(key)
  return olderVersions(index, bucket, bytes, olderVersionOrder(index, bucket, bytes, versionId))
}

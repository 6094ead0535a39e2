import type { IndexReader } from '../../index-db/index-mirror.ts'
import { mapInOrder } from '../../lib/in-order.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type { HealCopy, HealQuery, HealResult, ObjectInfo } from '../interface/types.ts'
import { listVersions } from '../objects/listing.ts'
import { indexKeys } from '../records/index-keys.ts'
import type { VersionRecord } from '../records/index-records.ts'
import { readLatest, readVersion, readVersionBody, versionOrder } from '../versions/version-chain.ts'
import type { BlobHealer } from './blob-healer.ts'
import { healIndex } from './heal-index.ts'
import type { IndexDrives } from './index-drives.ts'

/** Number of versions per listing. */
const PAGE = 200

/** Total time that a heal waits for copies of the index to be restored (ms). */
const WAIT_MS = 60_000

interface HealParts {
  core: EngineCore
  healer: BlobHealer
  indexDrives: IndexDrives
}

interface HealContext extends HealParts {
  budget: { leftMs: number }
}

/** See `Engine.heal`. */
export async function* healObjects(engine: HealParts, query: HealQuery): AsyncGenerator<HealResult, void, void> {
  const parts = { ...engine, budget: { leftMs: WAIT_MS } }
  const { buckets } = parts.core
  if (query.bucket !== '') return yield* healBucket(parts, query.bucket, query)
  for (const { name } of buckets.list()) {
    // The bucket may have been deleted meanwhile.
    if (buckets.list().some((bucket) => bucket.name === name)) yield* healBucket(parts, name, query)
  }
}

async function* healBucket(
  parts: HealContext,
  bucket: string,
  query: HealQuery,
): AsyncGenerator<HealResult, void, void> {
  const { core } = parts
  const { prefix, recursive, signal, pause } = query
  const { number } = core.buckets.require(bucket)
  yield await healBucketEntry(parts, bucket, query)
  let at: { key: string; versionId?: string } | undefined = { key: '' }
  while (at) {
    signal.throwIfAborted()
    const { key: after, versionId: versionMarker } = at
    const page = listVersions(core, bucket, {
      prefix,
      delimiter: recursive ? '' : '/',
      after,
      limit: PAGE,
      ...(versionMarker !== undefined && { versionMarker }),
    })
    const objects = page.entries.flatMap((entry) => ('prefix' in entry ? [] : [entry.object]))
    const bodies = mapInOrder(objects, parts.healer.concurrency, (object) => healBody(parts, number, object, query))
    for await (const body of bodies) {
      signal.throwIfAborted()
      const begun = performance.now()
      const item = await healObjectEntries(parts, number, body, query)
      if (item) yield item
      await pause(body.spentMs + performance.now() - begun)
    }
    at = page.next
  }
}

/** Checks the index entry of a bucket. Drives without a copy of the index only have to be online. */
async function healBucketEntry(parts: HealContext, bucket: string, query: HealQuery): Promise<HealResult> {
  const { pool } = parts.core
  const index = await healIndex(parts, () => [indexKeys.bucket(bucket)], { ...query, budget: parts.budget })
  const withOthers = (copies: HealCopy[]) => [
    ...copies,
    ...pool.drives
      .filter(({ path }) => copies.every((copy) => copy.path !== path))
      .map(({ id, path, usable }): HealCopy => ({ id, path, state: usable ? 'ok' : 'offline' })),
  ]
  return {
    type: 'bucket',
    bucket,
    key: '',
    versionId: '',
    size: 0,
    before: withOthers(index.before),
    after: withOthers(index.after),
  }
}

/** An object version, after its blobs were checked and healed. */
interface HealedBody {
  object: ObjectInfo
  blobs: { before: HealCopy[]; after: HealCopy[] }[]
  /** Why it could not be read. */
  error?: unknown
  spentMs: number
}

async function healBody(
  { core, healer }: HealContext,
  number: number,
  object: ObjectInfo,
  query: HealQuery,
): Promise<HealedBody> {
  const begun = performance.now()
  const body: HealedBody = { object, blobs: [], spentMs: 0 }
  try {
    query.signal.throwIfAborted()
    const record = readVersion(core.index, number, Buffer.from(object.key), object.versionId)
    const names = record ? readVersionBody(core.index, number, record).segments.map(({ blob }) => blob) : []
    for (const blob of new Set(names)) {
      const copies = await healer.healBlob(blob, query)
      if (copies) body.blobs.push(copies)
    }
  } catch (error) {
    body.error = error
  }
  body.spentMs = performance.now() - begun
  return body
}

/**
 * Checks the index entries of a version. Bodies are healed several at once, entries one after another: while a copy of the index
 * is rebuilt, all entries would seem to lack a copy.
 * @returns undefined for a version that was deleted since it was listed
 */
async function healObjectEntries(
  parts: HealContext,
  number: number,
  { object: { bucket, key, versionId, size }, blobs, error: failure }: HealedBody,
  query: HealQuery,
): Promise<HealResult | undefined> {
  const { core } = parts
  const item = { type: 'object', bucket, key, versionId, size } as const
  const bytes = Buffer.from(key)
  const read = () => readVersion(core.index, number, bytes, versionId)
  try {
    if (failure !== undefined) throw failure
    if (!read()) return undefined
    const entries = () => versionEntryKeys(core.index, number, bytes, read())
    const found = [...blobs, await healIndex(parts, entries, { ...query, budget: parts.budget })]
    if (!read()) return undefined
    return {
      ...item,
      before: leastIntactCopies(found.map(({ before }) => before)),
      after: leastIntactCopies(found.map(({ after }) => after)),
    }
  } catch (error) {
    query.signal.throwIfAborted()
    if (!read()) return undefined
    return { ...item, before: [], after: [], error: error instanceof Error ? error.message : String(error) }
  }
}

/** Returns the index entries of a version. Its record moves to another key when a newer version becomes the latest. */
function versionEntryKeys(
  index: IndexReader,
  bucket: number,
  key: Buffer,
  record: VersionRecord | undefined,
): Buffer[] {
  if (!record) return []
  const { id, marker, body } = record
  const latest = marker ? indexKeys.latestMarker(bucket, key) : indexKeys.latestObject(bucket, key)
  const isLatest = readLatest(index, bucket, key)?.id === id
  return [
    ...(isLatest
      ? [latest]
      : [
          indexKeys.olderVersion(bucket, key, versionOrder(record)),
          indexKeys.olderVersionById(bucket, key, record.versionId),
        ]),
    ...(body.kind === 'inline' ? [indexKeys.inlineData(bucket, id)] : []),
    ...(body.kind === 'listed' ? [indexKeys.segmentList(bucket, id)] : []),
  ]
}

/** Returns the copies of the file with the fewest intact ones; of the first file if several are equal. */
function leastIntactCopies(files: HealCopy[][]): HealCopy[] {
  const whole = (copies: HealCopy[]) => copies.filter(({ state }) => state === 'ok').length
  return files.reduce((least, copies) => (whole(copies) < whole(least) ? copies : least))
}

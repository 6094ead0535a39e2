import type { Bucket } from '@stowage/contract'
import { NO_OBJECT_DATE } from '@stowage/contract/objects/objects'
import type { AccountBucket } from '@stowage/madmin'
import { LRUCache } from 'lru-cache'
import pMap from 'p-map'
import { toStorageError } from '../../lib/errors/storage-errors.ts'
import type { SessionContext } from '../../lib/http/serve.ts'
import type { S3Api } from '../../lib/storage/s3-api.ts'
import { type BucketAccessSummary, readBucketAccess } from './bucket-access.ts'

/** Policies read at the same time; listing a thousand buckets must not block other callers. */
const CONCURRENCY = 16
/** How long a server may report outdated account info after a change (MinIO: one second). */
const STALE_MS = 5_000
/** Maximum number of sessions whose last list of names is kept. */
const SESSIONS = 100

/** Reads the buckets of a caller. */
export class BucketReader {
  #changedAt = Number.NEGATIVE_INFINITY
  readonly #names = new LRUCache<string, readonly string[]>({ max: SESSIONS })

  /**
   * Call it after creating or deleting a bucket. Account info, the only source of usage, may be outdated for a moment; until
   * then lists are completed by a second request, so that the caller sees the change at once.
   */
  noteChange(): void {
    this.#changedAt = performance.now()
  }

  /** Like `all`, without the access of each bucket. */
  async allWithoutAccess(context: SessionContext): Promise<Bucket[]> {
    return (await this.#read(context)).sort(byName)
  }

  /** All buckets that the caller may list, read or write, with usage and access, by name. */
  async all(context: SessionContext): Promise<Bucket[]> {
    // Most names are the same as last time, so read their policies while usage is requested.
    const guess = this.#names.get(context.session.id) ?? []
    const [buckets, guessed] = await Promise.all([this.#read(context), readAccesses(guess, context)])
    const names = buckets.map((bucket) => bucket.name)
    const others = await readAccesses(
      names.filter((name) => !guessed.has(name)),
      context,
    )
    this.#names.set(context.session.id, names)
    return buckets
      .flatMap((bucket) => {
        const access = guessed.get(bucket.name) ?? others.get(bucket.name)
        if (access === 'GONE') return []
        return access === undefined || access === 'HIDDEN' ? [bucket] : [{ ...bucket, ...access }]
      })
      .sort(byName)
  }

  /**
   * One bucket.
   * @param known its access if known, for instance because it was just set
   * @throws UpstreamError NoSuchBucket, AccessDenied
   */
  async one(name: string, context: SessionContext, known?: BucketAccessSummary): Promise<Bucket> {
    const [buckets, access] = await Promise.all([
      this.#read(context),
      known ?? readBucketAccess(context.s3Stream, name),
    ])
    // The list lacks the bucket if its policy is all that the caller is allowed to read.
    const bucket = buckets.find((b) => b.name === name) ?? { name, creation_date: NO_OBJECT_DATE, size: 0, objects: 0 }
    return { ...bucket, ...access }
  }

  async #read({ madmin, s3 }: SessionContext): Promise<Bucket[]> {
    const mayBeStale = performance.now() - this.#changedAt < STALE_MS
    const [info, fresh] = await Promise.all([madmin.accountInfo(), mayBeStale ? listNames(s3) : []])
    const known = new Set(info.buckets.map((bucket) => bucket.name))
    return [...info.buckets.map(fromAccountInfo), ...fresh.filter(({ name }) => !known.has(name))]
  }
}

const byName = (a: Bucket, b: Bucket) => (a.name < b.name ? -1 : 1)

/** `HIDDEN`: the caller has no right to read the policy. `GONE`: the bucket was deleted since it was listed. */
type ListedAccess = BucketAccessSummary | 'HIDDEN' | 'GONE'

async function readAccesses(
  names: readonly string[],
  { s3Stream }: SessionContext,
): Promise<Map<string, ListedAccess>> {
  const read = async (name: string): Promise<[string, ListedAccess]> => {
    try {
      return [name, await readBucketAccess(s3Stream, name)]
    } catch (error) {
      const code = toStorageError(error)?.code
      if (code === 'NoSuchBucket') return [name, 'GONE']
      if (code === 'AccessDenied' || code === 'NotImplemented') return [name, 'HIDDEN']
      throw error
    }
  }
  return new Map(await pMap(names, read, { concurrency: CONCURRENCY }))
}

/** Returns names and dates from ListBuckets; empty if the caller has no right to list buckets. */
async function listNames(s3: S3Api): Promise<Bucket[]> {
  try {
    const { Buckets = [] } = await s3.listBuckets({})
    return Buckets.map(({ Name = '', CreationDate }) => ({
      name: Name,
      creation_date: CreationDate?.toISOString() ?? NO_OBJECT_DATE,
      size: 0,
      objects: 0,
    }))
  } catch (error) {
    if (toStorageError(error)?.code === 'AccessDenied') return []
    throw error
  }
}

function fromAccountInfo({ name, created, size, objects, details, access }: AccountBucket): Bucket {
  const rw_access = { read: access.read, write: access.write }
  return { name, creation_date: created, size, objects, rw_access, ...(details ? { details } : {}) }
}

import type { ObjectItem } from '@stowage/contract'
import { objectDetailCalls } from '@stowage/contract/objects/object-details'
import { NO_OBJECT_DATE } from '@stowage/contract/objects/objects'
import type { FastifyInstance } from 'fastify'
import pMap from 'p-map'
import { serve } from '../../../lib/http/serve.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { readListingPage } from './listing-page.ts'

const PAGE = 1000
/** Number of versions of a folder in the first request about it. */
const FIRST_LOOK = 20
/** Maximum number of further requests about a folder, with `PAGE` versions each. */
const MAX_LOOKS = 10
/** Maximum number of folders that are looked into at the same time. */
const CONCURRENCY = 8
const VERSIONS = { versions: true, metadata: false } as const

interface RewindQuery {
  prefix: string
  /** Ignore versions written at this time or later (ms). */
  before: number
  limit: number
  continuation?: string | undefined
}

interface RewindPage {
  items: ObjectItem[]
  next?: string
}

export function rewindObjectRoutes(app: FastifyInstance): void {
  serve(app, objectDetailCalls.rewindObjects, async ({ params, query }, { s3Stream }) => {
    const before = Date.parse(params.date)
    const { prefix, limit, continuation } = query
    const wanted = { prefix, before, limit: limit ?? PAGE, continuation }
    if (limit !== undefined) {
      const { items, next } = await rewindPage(s3Stream, params.bucket, wanted)
      return { objects: items, ...(next ? { next } : {}) }
    }
    const objects: ObjectItem[] = []
    for await (const items of rewindPages(s3Stream, params.bucket, wanted)) objects.push(...items)
    return { objects }
  })
}

/** Yields all pages of a listing of a past state. */
async function* rewindPages(
  s3Stream: S3Stream,
  bucket: string,
  query: Omit<RewindQuery, 'limit'>,
): AsyncGenerator<ObjectItem[]> {
  for (let continuation = query.continuation; ; ) {
    const { items, next } = await rewindPage(s3Stream, bucket, { ...query, limit: PAGE, continuation })
    yield items
    if (next === undefined) return
    continuation = next
  }
}

/**
 * Lists a page of a folder in a past state: the newest version of each key from before the date, which may be a delete marker,
 * and the folders that contain a version from before it.
 * @throws UpstreamError NoSuchBucket, AccessDenied
 */
async function rewindPage(s3Stream: S3Stream, bucket: string, query: RewindQuery): Promise<RewindPage> {
  const { prefix, before, limit } = query
  const items: ObjectItem[] = []
  let { cursor, settled } = readToken(query.continuation)
  do {
    const wanted = { ...VERSIONS, prefix, recursive: false, limit, continuation: cursor }
    const page = await readListingPage(s3Stream, bucket, wanted)
    const missing = await findMissingFolders(s3Stream, bucket, page.items, before)
    for (const item of page.items) {
      if (item.last_modified === NO_OBJECT_DATE) {
        if (!missing.has(item.name)) items.push(item)
      } else if (item.name !== settled && Date.parse(item.last_modified) < before) {
        // Versions are sorted newest first, so the others of this key are older.
        settled = item.name
        items.push({ ...item, delete_flag: item.is_delete_marker === true })
      }
    }
    cursor = page.next
    // A key with many newer versions can fill whole pages without a result.
  } while (items.length === 0 && cursor !== undefined)
  return cursor === undefined ? { items } : { items, next: writeToken(cursor, settled) }
}

/** Returns the names of the folders all of whose versions were written at this time or later. */
async function findMissingFolders(s3Stream: S3Stream, bucket: string, items: readonly ObjectItem[], before: number) {
  const folders = before > Date.now() ? [] : items.filter(({ last_modified }) => last_modified === NO_OBJECT_DATE)
  const missing = new Set<string>()
  const checkFolder = async ({ name }: ObjectItem) => {
    if (!(await mayHaveVersionBefore(s3Stream, bucket, name, before))) missing.add(name)
  }
  await pMap(folders, checkFolder, { concurrency: CONCURRENCY })
  return missing
}

/** Also true if the number of requests is not enough to find out. */
async function mayHaveVersionBefore(s3Stream: S3Stream, bucket: string, prefix: string, before: number) {
  let continuation: string | undefined
  for (let look = 0; look <= MAX_LOOKS; look++) {
    const limit = look === 0 ? FIRST_LOOK : PAGE
    const page = await readListingPage(s3Stream, bucket, { ...VERSIONS, prefix, recursive: true, limit, continuation })
    if (page.items.some(({ last_modified }) => Date.parse(last_modified) < before)) return true
    if (page.next === undefined) return false
    continuation = page.next
  }
  return true
}

interface RewindToken {
  cursor: string | undefined
  /** The key whose version has been found; its older versions may follow on the next page. */
  settled: string | undefined
}

function writeToken(cursor: string, settled: string | undefined): string {
  return Buffer.from(JSON.stringify([cursor, settled ?? null])).toString('base64url')
}

function readToken(text: string | undefined): RewindToken {
  try {
    const value: unknown = text ? JSON.parse(Buffer.from(text, 'base64url').toString()) : undefined
    if (Array.isArray(value) && typeof value[0] === 'string')
      return { cursor: value[0], settled: typeof value[1] === 'string' ? value[1] : undefined }
  } catch {
    // Not a token of the console: list from the start, as servers do for an unknown token.
  }
  return { cursor: undefined, settled: undefined }
}

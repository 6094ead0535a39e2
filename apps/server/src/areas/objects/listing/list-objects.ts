import { Readable } from 'node:stream'
import type { ObjectItem } from '@stowage/contract'
import { objectCalls } from '@stowage/contract/objects/objects'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../../lib/http/serve.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { VersionDescriber } from '../details/object-details.ts'
import { type ListingPage, type ListingQuery, readListingPage } from './listing-page.ts'

/** Page size of servers. */
const PAGE = 1000

/** Lists objects: one page if the caller requests one, otherwise all objects, streamed. */
export function listObjectRoutes(app: FastifyInstance): void {
  serve(app, objectCalls.listObjects, async ({ params, query }, { s3Stream, reply }) => {
    const wanted: ListingQuery = {
      prefix: query.prefix,
      recursive: query.recursive,
      versions: query.with_versions,
      metadata: query.with_metadata,
      limit: query.limit ?? PAGE,
      continuation: query.continuation,
      startAfter: query.start_after,
    }
    const read = pageReader(s3Stream, params.bucket, wanted, query.limit !== undefined)
    const first = await read(wanted)
    if (query.limit !== undefined || first.next === undefined)
      return { objects: first.items, total: first.items.length, ...(first.next ? { next: first.next } : {}) }
    reply.type('application/json; charset=utf-8')
    return Readable.from(allAsJson(first, pagesAfter(first, read, wanted)))
  })
}

type ReadPage = (query: ListingQuery) => Promise<ListingPage>

/**
 * Returns a function that reads pages. With versions and without a limit, the object named by the prefix gets its lock and
 * tags, as in the original; callers that read single pages request details separately.
 */
function pageReader(s3Stream: S3Stream, bucket: string, { versions, prefix }: ListingQuery, paged: boolean): ReadPage {
  const read = (query: ListingQuery) => readListingPage(s3Stream, bucket, query)
  if (paged || !versions || prefix === '' || prefix.endsWith('/')) return read
  const describer = new VersionDescriber(s3Stream, bucket, prefix)
  return async (query) => {
    const page = await read(query)
    return { ...page, items: await describer.describe(page.items) }
  }
}

/** Yields the pages after the first one; each is requested while the previous one is sent. */
async function* pagesAfter(first: ListingPage, read: ReadPage, query: ListingQuery): AsyncGenerator<ListingPage> {
  const fetch = (continuation: string) => {
    const page = read({ ...query, continuation })
    // The failure is handled where the promise is awaited; without this it would count as unhandled until then.
    page.catch(() => {})
    return page
  }
  for (let coming = first.next ? fetch(first.next) : undefined; coming; ) {
    const page = await coming
    coming = page.next ? fetch(page.next) : undefined
    yield page
  }
}

async function* allAsJson(first: ListingPage, rest: AsyncIterable<ListingPage>): AsyncGenerator<string> {
  let total = first.items.length
  yield `{"objects":[${pageItemsJson(first)}`
  for await (const page of rest) {
    if (page.items.length === 0) continue
    yield total > 0 ? `,${pageItemsJson(page)}` : pageItemsJson(page)
    total += page.items.length
  }
  yield `],"total":${total}}`
}

/** Returns the items of a page as JSON, without the enclosing brackets. */
function pageItemsJson(page: ListingPage): string {
  return JSON.stringify(page.items).slice(1, -1)
}

/**
 * Yields all keys below a prefix and after `startAfter`, in the server's order, reading pages as needed.
 * @param metadata also lists user metadata, where the server has MinIO's extension
 */
export function keysBelow(
  s3Stream: S3Stream,
  bucket: string,
  prefix: string,
  startAfter?: string,
  metadata = false,
): AsyncGenerator<ObjectItem[]> {
  const query = { prefix, recursive: true, versions: false, metadata, limit: PAGE, startAfter }
  return pagesBelow(s3Stream, bucket, query)
}

/** Yields all versions and delete markers below a prefix, like `keysBelow`. */
export function versionsBelow(
  s3Stream: S3Stream,
  bucket: string,
  prefix: string,
  startAfter?: string,
): AsyncGenerator<ObjectItem[]> {
  const query = { prefix, recursive: true, versions: true, metadata: false, limit: PAGE, startAfter }
  return pagesBelow(s3Stream, bucket, query)
}

async function* pagesBelow(s3Stream: S3Stream, bucket: string, query: ListingQuery): AsyncGenerator<ObjectItem[]> {
  const read: ReadPage = (wanted) => readListingPage(s3Stream, bucket, wanted)
  const first = await read(query)
  yield first.items
  for await (const page of pagesAfter(first, read, query)) yield page.items
}

import { Readable } from 'node:stream'
import { type ObjectItem, reason, type SearchLine } from '@stowage/contract'
import { searchCalls } from '@stowage/contract/objects/search'
import type { FastifyInstance } from 'fastify'
import { pMapIterable } from 'p-map'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { FaultCounter, objectFailure } from '../../../lib/errors/object-failure.ts'
import { contentDisposition } from '../../../lib/http/downloads/content-disposition.ts'
import { sendNdjson } from '../../../lib/http/ndjson.ts'
import { serve } from '../../../lib/http/serve.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { readObjectTags } from '../details/object-details.ts'
import { type ListingPage, readListingPage } from '../listing/listing-page.ts'
import { matchesTag, type ObjectSearchCriteria, searchItemTest } from './search-criteria.ts'
import { searchExportLines } from './search-export.ts'

const PAGE = 1000
/** Tags that are read at the same time if the listing does not contain them. */
const TAG_READS = 8

interface Search extends ObjectSearchCriteria {
  bucket: string
  prefix: string
  continuation?: string | undefined
}

/** Results of a search on one page of the listing. */
interface SearchPage {
  scanned: number
  items: ObjectItem[]
  /** Number of objects whose tags could not be read. */
  unreadable: number
  /** Those of them for which the storage server failed. */
  failed: number
  /** Token of the next page; undefined after the last one. */
  next: string | undefined
}

export function searchObjectRoutes(app: FastifyInstance): void {
  serve(app, searchCalls.searchObjects, async ({ params, query }, { s3Stream, signal, reply }) => {
    const pages = searchPages(s3Stream, { ...query, bucket: params.bucket }, signal)
    return await sendNdjson(reply, searchLines(pages, query.limit))
  })

  serve(app, searchCalls.exportSearch, async ({ params, query }, { s3Stream, signal, reply }) => {
    const pages = searchPages(s3Stream, { ...query, bucket: params.bucket }, signal)
    // Wait for the first page, so that a failure is answered with an error status and no file is sent.
    const first = await pages.next()
    const csv = query.format === 'csv'
    reply
      .type(csv ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8')
      .header('content-disposition', contentDisposition('attachment', `${params.bucket}-search.${query.format}`))
      .header('cache-control', 'private, no-store')
    return reply.send(Readable.from(searchExportLines(pageItems(first, pages), query.format)))
  })
}

async function* pageItems(
  first: IteratorResult<SearchPage>,
  rest: AsyncGenerator<SearchPage>,
): AsyncGenerator<ObjectItem[]> {
  // A file cannot say that objects are missing, so it ends instead.
  const complete = ({ items, failed }: SearchPage) => {
    if (failed > 0) throw new HttpError(502, reason('storage-internal-error'))
    return items
  }
  if (first.done) return
  yield complete(first.value)
  for await (const page of rest) yield complete(page)
}

async function* searchLines(pages: AsyncGenerator<SearchPage>, limit: number): AsyncGenerator<SearchLine> {
  const sum = { scanned: 0, found: 0 }
  let unreadable = 0
  for await (const page of pages) {
    sum.scanned += page.scanned
    sum.found += page.items.length
    unreadable += page.unreadable
    yield { ...sum, items: page.items, ...(page.next === undefined ? {} : { next: page.next }) }
    if (sum.found < limit || page.next === undefined) continue
    yield { done: true, ...sum, unreadable, next: page.next }
    return
  }
  yield { done: true, ...sum, unreadable }
}

/** Yields the pages of a listing, filtered. The next page is requested while the current one is used. */
async function* searchPages(s3Stream: S3Stream, search: Search, signal: AbortSignal): AsyncGenerator<SearchPage> {
  const { bucket, prefix, tag } = search
  const fits = searchItemTest(search)
  const read = (continuation: string | undefined): Promise<ListingPage> => {
    const query = { prefix, recursive: true, versions: false, metadata: tag !== undefined, limit: PAGE, continuation }
    const page = readListingPage(s3Stream, bucket, query)
    // The failure is handled where the promise is awaited; without this it would count as unhandled until then.
    page.catch(() => {})
    return page
  }
  for (let coming: Promise<ListingPage> | undefined = read(search.continuation); coming; ) {
    const page: ListingPage = await coming
    const { items, next } = page
    signal.throwIfAborted()
    coming = next === undefined ? undefined : read(next)
    const fitting = items.filter(fits)
    const result =
      tag === undefined
        ? { items: fitting, unreadable: 0, failed: 0 }
        : await filterByTag(s3Stream, bucket, { ...page, items: fitting }, tag)
    yield { scanned: items.length, next, ...result }
  }
}

/** The tags of an object, unless they could not be read; `fault` if the storage server failed. */
interface ReadTags {
  tags?: Record<string, string>
  fault?: { path: string; message: string }
}

/**
 * Returns the objects that have a tag. Servers like MinIO include tags that the caller may read in the listing. If the listing
 * has no tags, or an entry neither metadata nor tags, these are requested separately: the server may not support that extension.
 */
async function filterByTag(s3Stream: S3Stream, bucket: string, { items, listsTags }: ListingPage, wanted: string) {
  const kept: ObjectItem[] = []
  let unreadable = 0
  let failed = 0
  const known = async (item: ObjectItem): Promise<ReadTags> => {
    if (item.user_tags || (listsTags && item.user_metadata)) return { tags: item.user_tags ?? {} }
    try {
      return { tags: await readObjectTags(s3Stream, { bucket, key: item.name }) }
    } catch (error) {
      const failure = objectFailure(error)
      if (!failure) throw error
      const { gone, code, message, fault } = failure
      if (gone || code === 'NoSuchTagSet') return { tags: {} }
      return fault ? { fault: { path: item.name, message } } : {}
    }
  }
  const faults = new FaultCounter()
  const read = async (item: ObjectItem) => ({ item, ...(await known(item)) })
  for await (const { item, tags, fault } of pMapIterable(items, read, { concurrency: TAG_READS })) {
    faults.add(fault)
    if (fault) failed++
    if (faults.error) throw faults.error
    if (tags === undefined) unreadable++
    else if (matchesTag(tags, wanted)) kept.push({ ...item, user_tags: tags })
  }
  return { items: kept.map(({ user_metadata: _, ...item }) => item), unreadable, failed }
}

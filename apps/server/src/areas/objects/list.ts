import { Readable } from 'node:stream'
import { objectCalls } from '@stowage/contract/objects/objects'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../lib/http/serve.ts'
import type { S3Stream } from '../../lib/storage/s3-stream.ts'
import { type ListPage, type ListQuery, listPage } from './list-page.ts'

/** What servers give at once. */
const PAGE = 1000

/** Listing: a page for who asks for one, otherwise everything, sent while it is read. */
export function listRoutes(app: FastifyInstance): void {
  serve(app, objectCalls.listObjects, async ({ params, query }, { s3Stream, reply }) => {
    const wanted: ListQuery = {
      prefix: query.prefix,
      recursive: query.recursive,
      versions: query.with_versions,
      metadata: query.with_metadata,
      limit: query.limit ?? PAGE,
      continuation: query.continuation,
      startAfter: query.start_after,
    }
    const first = await listPage(s3Stream, params.bucket, wanted)
    if (query.limit !== undefined || first.next === undefined)
      return { objects: first.items, total: first.items.length, ...(first.next ? { next: first.next } : {}) }
    reply.type('application/json; charset=utf-8')
    return Readable.from(allAsJson(first, pagesAfter(first, s3Stream, params.bucket, wanted)))
  })
}

/** The pages behind one; each is asked for while the one before is used. */
async function* pagesAfter(
  first: ListPage,
  s3Stream: S3Stream,
  bucket: string,
  query: ListQuery,
): AsyncGenerator<ListPage> {
  const fetch = (continuation: string) => {
    const page = listPage(s3Stream, bucket, { ...query, continuation })
    // Its failure is met where it is awaited; until then it must not count as unhandled.
    page.catch(() => {})
    return page
  }
  for (let coming = first.next ? fetch(first.next) : undefined; coming; ) {
    const page = await coming
    coming = page.next ? fetch(page.next) : undefined
    yield page
  }
}

async function* allAsJson(first: ListPage, rest: AsyncIterable<ListPage>): AsyncGenerator<string> {
  let total = first.items.length
  yield `{"objects":[${inner(first)}`
  for await (const page of rest) {
    if (page.items.length === 0) continue
    yield total > 0 ? `,${inner(page)}` : inner(page)
    total += page.items.length
  }
  yield `],"total":${total}}`
}

/** The items of a page as JSON, without the brackets around them. */
function inner(page: ListPage): string {
  return JSON.stringify(page.items).slice(1, -1)
}

/** All keys below a prefix, in the server's order, read page by page while they are used. */
export async function* keysBelow(
  s3Stream: S3Stream,
  bucket: string,
  prefix: string,
): AsyncGenerator<ListPage['items']> {
  const query: ListQuery = { prefix, recursive: true, versions: false, metadata: false, limit: PAGE }
  const first = await listPage(s3Stream, bucket, query)
  yield first.items
  for await (const page of pagesAfter(first, s3Stream, bucket, query)) yield page.items
}

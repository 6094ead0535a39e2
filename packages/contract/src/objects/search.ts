import { z } from 'zod'
import { bucketParams } from '../buckets/bucket-params.ts'
import { listSchema, routes } from '../call/route.ts'
import { objectEndpoints } from './endpoints.ts'
import { keyEncoding } from './key-fields.ts'
import { ObjectItem } from './objects.ts'

const instant = z.iso.datetime({ offset: true })

/** The search criteria. An absent one matches every object. */
const criteria = {
  /** Searches everything below this prefix. */
  prefix: z.string().default(''),
  encoding: keyEncoding,
  /**
   * With `*` (any text) or `?` (one character), a pattern for the whole name after the last slash, or for the whole key if it
   * contains a slash. Otherwise a text that the key contains. Ignores case.
   */
  name: z.string().max(1024).optional(),
  /** Bytes. */
  min_size: z.coerce.number().int().min(0).optional(),
  max_size: z.coerce.number().int().min(0).optional(),
  /** Modified at this time or later. */
  after: instant.optional(),
  /** Modified before this time. */
  before: instant.optional(),
  /** `key`, or `key=value` for this value only. Tags that the caller has no right to read do not match. */
  tag: z.string().min(1).max(385).optional(),
  /** Ignores case. */
  storage_class: z.string().min(1).max(64).optional(),
}

/** A line for each page of the bucket's listing; the last line is the report. */
export const SearchLine = z.union([
  z.object({
    /** The number of objects examined so far. */
    scanned: z.number(),
    found: z.number(),
    /** The matching objects of this page. */
    items: listSchema(ObjectItem),
    /** The `continuation` for searching on after this page, also if the connection ends. */
    next: z.string().optional(),
  }),
  z.object({
    done: z.literal(true),
    scanned: z.number(),
    found: z.number(),
    /** Objects that match otherwise, but whose tags could not be read: without the right, or because the server failed. */
    unreadable: z.number(),
    /** Set if the limit was reached: the `continuation` for searching on. */
    next: z.string().optional(),
  }),
])
export type SearchLine = z.infer<typeof SearchLine>

export const searchCalls = routes(objectEndpoints, {
  searchObjects: {
    summary: 'Search a bucket by name, size, date, tag and storage class; ends when the client disconnects',
    params: bucketParams,
    query: z.object({
      ...criteria,
      /** The search ends after the page on which this number of objects is reached. */
      limit: z.coerce.number().int().min(1).max(10_000).default(1000),
      continuation: z.string().optional(),
    }),
    response: SearchLine,
  },
  exportSearch: {
    summary: 'All results of a search, as a file',
    params: bucketParams,
    query: z.object({
      ...criteria,
      /** In CSV, text that a spreadsheet would evaluate is prefixed with an apostrophe. */
      format: z.enum(['csv', 'ndjson']),
    }),
  },
})

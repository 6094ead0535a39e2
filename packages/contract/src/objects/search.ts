import { z } from 'zod'
import { bucketParams } from '../buckets/params.ts'
import { list, routes } from '../route.ts'
import { objectEndpoints } from './endpoints.ts'
import { encoding } from './key.ts'
import { ObjectItem } from './objects.ts'

const instant = z.iso.datetime({ offset: true })

/** What an object must be to be found. A part that is left out admits every object. */
const criteria = {
  /** Everything below this prefix is searched. */
  prefix: z.string().default(''),
  encoding,
  /**
   * With `*` (any text) or `?` (one character) it must fit the whole name behind the last slash, or the whole key if it
   * contains a slash. Without them it may stand anywhere in the key. Upper and lower case are the same.
   */
  name: z.string().max(1024).optional(),
  /** Bytes. */
  min_size: z.coerce.number().int().min(0).optional(),
  max_size: z.coerce.number().int().min(0).optional(),
  /** Modified at this instant or later. */
  after: instant.optional(),
  /** Modified before this instant. */
  before: instant.optional(),
  /** `key`, or `key=value` for this value only. Tags that the caller may not read match nothing. */
  tag: z.string().min(1).max(385).optional(),
  /** Upper and lower case are the same. */
  storage_class: z.string().min(1).max(64).optional(),
}

/** One line for each page of the bucket's listing; the last one is the report. */
export const SearchLine = z.union([
  z.object({
    /** Objects looked at so far. */
    scanned: z.number(),
    found: z.number(),
    /** Those of this page. */
    items: list(ObjectItem),
  }),
  z.object({
    done: z.literal(true),
    scanned: z.number(),
    found: z.number(),
    /** Objects that fit otherwise, and whose tags the caller may not read. */
    unreadable: z.number(),
    /** The limit was reached: hand it back as `continuation` to search on. */
    next: z.string().optional(),
  }),
])
export type SearchLine = z.infer<typeof SearchLine>

export const searchCalls = routes(objectEndpoints, {
  searchObjects: {
    summary: 'Search a bucket by name, size, date, tag and storage class; ends when the caller leaves',
    params: bucketParams,
    query: z.object({
      ...criteria,
      /** The search ends after the page in which so many objects have been found. */
      limit: z.coerce.number().int().min(1).max(10_000).default(1000),
      continuation: z.string().optional(),
    }),
    response: SearchLine,
  },
  exportSearch: {
    summary: 'Everything that a search finds, as a file',
    params: bucketParams,
    query: z.object({
      ...criteria,
      /** In CSV a text that a spreadsheet would compute gets an apostrophe in front. */
      format: z.enum(['csv', 'ndjson']),
    }),
  },
})

import { z } from 'zod'
import { bucketName, bucketParams } from '../buckets/params.ts'
import { because } from '../issues.ts'
import { reason } from '../reasons.ts'
import { list, routes } from '../route.ts'
import { headerText, instant, MAX_TAGS, METADATA_HEADERS, metadataName, metadataText } from './details.ts'
import { objectEndpoints } from './endpoints.ts'

const sums = {
  /** Objects that were changed; of a dry run those that would be. */
  count: z.number(),
  /** Objects that needed no change, or that were left because the target exists. */
  skipped: z.number(),
  failed: z.number(),
  /** Bytes of the objects that were changed. */
  bytes: z.number(),
}

/** What became of one object, where that is not simply that it was changed. */
export const JobNote = z.object({ path: z.string(), code: z.string(), message: z.string() })
export type JobNote = z.infer<typeof JobNote>

/** One line of a running job; the last line is the report. A dry run has the same lines and changes nothing. */
export const JobLine = z.union([
  z.object({
    ...sums,
    /** Hand it back to continue after this point. Absent as long as nothing is complete. */
    cursor: z.string().optional(),
  }),
  z.object({
    done: z.literal(true),
    ...sums,
    /** The first 100 objects that failed or were left. */
    errors: list(JobNote),
    /** Of a dry run: the first 100 objects that would be changed, and how. */
    changes: list(JobNote).optional(),
    /** Of a deletion: when it began; see `undeleteObjects`. */
    since: z.string().optional(),
  }),
])
export type JobLine = z.infer<typeof JobLine>

const key = z.string().max(1024)

/** The job continues behind this point: the `cursor` of one of its lines. */
const cursor = z.string().max(4096).optional()
const dry_run = z.boolean().default(false)

/** Adds, replaces or (null) removes entries; all others are kept. */
const changed = <K extends z.core.$ZodRecordKey, V extends z.ZodType>(name: K, value: V) =>
  z.partialRecord(name, value.nullable())

/** What to change of each object. What is not named is kept. */
export const ObjectChanges = z
  .object({
    content_type: headerText.min(1).optional(),
    headers: changed(z.enum(METADATA_HEADERS), headerText).optional(),
    user_metadata: changed(metadataName, metadataText).optional(),
    tags: changed(z.string().min(1).max(128), z.string().max(256))
      .refine(
        (map) => Object.values(map).filter((value) => value !== null).length <= MAX_TAGS,
        because(reason('too-many-tags'), 'should have at most 10 tags'),
      )
      .optional(),
    legal_hold: z.enum(['enabled', 'disabled']).optional(),
    /** null removes governance retention. */
    retention: z
      .object({ mode: z.enum(['governance', 'compliance']), expires: instant })
      .nullable()
      .optional(),
    /** Also shorten or remove governance retention; needs s3:BypassGovernanceRetention. */
    governance_bypass: z.boolean().default(false),
  })
  .refine(
    ({ governance_bypass, ...changes }) =>
      Object.values(changes).some(
        (value) => value === null || typeof value === 'string' || Object.keys(value ?? {}).length > 0,
      ),
    because(reason('nothing-to-change'), 'should name something to change'),
  )
export type ObjectChanges = z.infer<typeof ObjectChanges>

export const jobCalls = routes(objectEndpoints, {
  copyObjects: {
    summary: 'Copy, move or rename objects and folders, also into another bucket; with dry_run nothing is changed',
    params: bucketParams,
    body: z.object({
      target_bucket: bucketName,
      /** A `from` that ends with a slash is a folder with everything below it; its `to` is empty or ends with a slash too. */
      entries: z
        .array(z.object({ from: key.min(1), to: key }))
        .min(1)
        .max(100_000),
      /** Delete each version that was copied, once size and content of the copy agree. Other versions stay. */
      move: z.boolean().default(false),
      /** Replace objects that exist. Without it they are left. */
      overwrite: z.boolean().default(false),
      dry_run,
      cursor,
    }),
    response: JobLine,
  },
  changeObjects: {
    summary: 'Change metadata, tags, retention or legal hold of many objects; with dry_run nothing is changed',
    params: bucketParams,
    body: z.object({
      /** Keys; one that ends with a slash is a folder with everything below it. The latest version of each is changed. */
      paths: z.array(key.min(1)).min(1).max(100_000),
      changes: ObjectChanges,
      dry_run,
      cursor,
    }),
    response: JobLine,
  },
  restoreFolder: {
    summary: 'Make a folder what it was at a date; needs versions, of which none is deleted',
    params: bucketParams,
    body: z.object({
      /** Empty for the whole bucket, else it ends with a slash. */
      prefix: z
        .string()
        .max(1024)
        .regex(/^(.*\/)?$/s, 'must be empty or end with a slash'),
      /** What was written at this instant or later does not count. */
      date: z.iso.datetime({ offset: true }),
      dry_run,
      cursor,
    }),
    response: JobLine,
  },
  undeleteObjects: {
    summary: 'Undo a deletion: remove the delete markers that hide objects since an instant',
    params: bucketParams,
    body: z.object({
      /** Keys; one that ends with a slash is a folder with everything below it. */
      paths: z.array(key.min(1)).min(1).max(100_000),
      /** `since` of the report of the deletion, by the clock of the storage server. Markers that are older stay. */
      since: z.iso.datetime({ offset: true }),
      cursor,
    }),
    response: JobLine,
  },
})

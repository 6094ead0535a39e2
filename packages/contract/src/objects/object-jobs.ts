import { z } from 'zod'
import { bucketName, bucketParams } from '../buckets/bucket-params.ts'
import { listSchema, routes } from '../call/route.ts'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'
import { objectEndpoints } from './endpoints.ts'
import { jobCursor as cursor, deletionStart, JobStop, jobPosition } from './job-lines.ts'
import { headerValue, MAX_TAGS, METADATA_HEADERS, metadataName, metadataText, rfc3339 } from './object-details.ts'

const sums = {
  /** Objects that were changed, or in a dry run would be. */
  count: z.number(),
  /** Objects that needed no change, or were skipped because the target exists. */
  skipped: z.number(),
  failed: z.number(),
  /** The total size of the changed objects. */
  bytes: z.number(),
}

/** The result for an object that was not simply changed. */
export const JobNote = z.object({ path: z.string(), code: z.string(), message: z.string() })
export type JobNote = z.infer<typeof JobNote>

/**
 * A line of a running job. The last line is the report, or says that the job stopped. A dry run returns the same lines and
 * changes nothing.
 */
export const JobLine = z.union([
  z.object({
    done: z.literal(true),
    ...sums,
    /** The first 100 objects that failed or were skipped. */
    errors: listSchema(JobNote),
    /** In a dry run: the first 100 objects that would be changed, and how. */
    changes: listSchema(JobNote).optional(),
    since: deletionStart,
  }),
  z.object({
    /** The storage server failed, or failed for 20 objects in a row. The job can continue from `cursor`. */
    stopped: JobStop,
    ...sums,
    ...jobPosition,
    /** As in the report. */
    errors: listSchema(JobNote),
    since: deletionStart,
  }),
  z.object({
    ...sums,
    ...jobPosition,
    /** Those of the first 100 objects that failed or were skipped that no earlier line contains. */
    errors: listSchema(JobNote).optional(),
    since: deletionStart,
  }),
])
export type JobLine = z.infer<typeof JobLine>

const key = z.string().max(1024)

const dry_run = z.boolean().default(false)

/** Adds or replaces entries, or removes those that are null. Others are kept. */
const changed = <K extends z.core.$ZodRecordKey, V extends z.ZodType>(name: K, value: V) =>
  z.partialRecord(name, value.nullable())

/** The changes to make to each object. Absent properties are not changed. */
export const ObjectChanges = z
  .object({
    content_type: headerValue.min(1).optional(),
    headers: changed(z.enum(METADATA_HEADERS), headerValue).optional(),
    user_metadata: changed(metadataName, metadataText).optional(),
    tags: changed(z.string().min(1).max(128), z.string().max(256))
      .refine(
        (map) => Object.values(map).filter((value) => value !== null).length <= MAX_TAGS,
        withReason(reason('too-many-tags'), 'should have at most 10 tags'),
      )
      .optional(),
    legal_hold: z.enum(['enabled', 'disabled']).optional(),
    /** Null removes governance retention. */
    retention: z
      .object({ mode: z.enum(['governance', 'compliance']), expires: rfc3339 })
      .nullable()
      .optional(),
    /** Allows shortening or removing governance retention; needs s3:BypassGovernanceRetention. */
    governance_bypass: z.boolean().default(false),
  })
  .refine(
    ({ governance_bypass, ...changes }) =>
      Object.values(changes).some(
        (value) => value === null || typeof value === 'string' || Object.keys(value ?? {}).length > 0,
      ),
    withReason(reason('nothing-to-change'), 'should name something to change'),
  )
export type ObjectChanges = z.infer<typeof ObjectChanges>

export const objectJobCalls = routes(objectEndpoints, {
  copyObjects: {
    summary: 'Copy, move or rename objects and folders, also into another bucket; with dry_run nothing is changed',
    params: bucketParams,
    body: z.object({
      target_bucket: bucketName,
      /** If `from` ends with a slash, it includes everything below it, and `to` must be empty or end with a slash too. */
      entries: z
        .array(z.object({ from: key.min(1), to: key }))
        .min(1)
        .max(100_000),
      /** Deletes each copied version once size and content of the copy match. Other versions remain. */
      move: z.boolean().default(false),
      /** Replaces existing objects, but never a source of this job. Without it they are skipped. */
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
      /** Keys; one that ends with a slash includes everything below it. Only the latest version of each object is changed. */
      paths: z.array(key.min(1)).min(1).max(100_000),
      changes: ObjectChanges,
      dry_run,
      cursor,
    }),
    response: JobLine,
  },
  restoreFolder: {
    summary: 'Restore a folder to a past time; needs versioning, and deletes no version',
    params: bucketParams,
    body: z.object({
      /** Empty for the whole bucket; otherwise it must end with a slash. */
      prefix: z
        .string()
        .max(1024)
        .regex(/^(.*\/)?$/s, 'must be empty or end with a slash'),
      /** Restores the state just before this time. */
      date: z.iso.datetime({ offset: true }),
      dry_run,
      cursor,
    }),
    response: JobLine,
  },
  undeleteObjects: {
    summary: 'Undo a deletion: remove the delete markers created since a given time',
    params: bucketParams,
    body: z.object({
      /** Keys; one that ends with a slash includes everything below it. */
      paths: z.array(key.min(1)).min(1).max(100_000),
      /** `since` from the report of the deletion, by the clock of the storage server. Older delete markers remain. */
      since: z.iso.datetime({ offset: true }),
      cursor,
    }),
    response: JobLine,
  },
})

import { z } from 'zod'
import { bucketParams } from '../buckets/bucket-params.ts'
import { listSchema, routes } from '../call/route.ts'
import { objectEndpoints } from './endpoints.ts'
import { versionFields } from './key-fields.ts'

/** A file or folder in a zip archive. */
export const ArchiveMember = z.object({
  /** As stored in the archive; a folder's ends with a slash. */
  name: z.string(),
  /** The unpacked size declared in the archive (bytes). */
  size: z.number(),
  /** Local time without a zone: `2026-11-20T12:00:00`. */
  modified: z.string().optional(),
  /** Why it cannot be downloaded. */
  refused: z.enum(['name', 'encrypted', 'method', 'overlap', 'damaged']).optional(),
})
export type ArchiveMember = z.infer<typeof ArchiveMember>

export const archiveCalls = routes(objectEndpoints, {
  listArchive: {
    summary: 'The members of a zip archive, read with range requests',
    params: bucketParams,
    query: z.object({
      ...versionFields,
      /** Lists only names that contain this text, ignoring case. */
      search: z.string().max(1024).default(''),
      /** The number of members to skip. */
      start: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(1000).default(1000),
    }),
    response: z.object({
      members: listSchema(ArchiveMember),
      /** The total number of members, or of those that match the search. */
      total: z.number(),
    }),
  },
  downloadArchiveMember: {
    summary: 'One member of a zip archive, unpacked while it is sent',
    params: bucketParams,
    query: z.object({ ...versionFields, member: z.string().min(1) }),
  },
})

import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { TenantVolume } from '../tenants/pods.ts'
import { namespacesQuery } from '../tenants/tenant-params.ts'
import { volumeEndpoints } from './endpoints.ts'

export const DirectDrive = z.object({
  node: z.string(),
  /** For example `/dev/sdb`. */
  drive: z.string(),
  /** Bytes. */
  capacity: z.number(),
  allocated: z.number(),
  volumes: z.number(),
  /** Ends with `*` if there is a message. */
  status: z.string(),
  message: z.string(),
})
export type DirectDrive = z.infer<typeof DirectDrive>

export const FormatIssue = z.object({ node: z.string(), drive: z.string(), error: z.string() })
export type FormatIssue = z.infer<typeof FormatIssue>

/** Parameters of the original console, which never used them. */
const ignored = z.object({ nodes: z.string().max(10_000).optional(), drives: z.string().max(10_000).optional() })

export const volumeCalls = routes(volumeEndpoints, {
  listVolumes: {
    summary: 'The volumes of all tenants, or of those in the given namespaces',
    query: z.object({
      /** Separated by commas. */
      namespaces: namespacesQuery.optional(),
    }),
    response: z.object({ pvcs: listSchema(TenantVolume) }),
  },
  listDrives: {
    summary: 'The local drives that direct-csi or DirectPV manages',
    query: ignored,
    response: z.object({
      /** What manages the drives. */
      manager: z.enum(['direct-csi', 'directpv']),
      drives: listSchema(DirectDrive),
    }),
  },
  listDriveVolumes: {
    summary: 'The volumes on local drives',
    query: ignored,
    response: z.object({
      volumes: listSchema(z.object({ volume: z.string(), capacity: z.number(), node: z.string(), drive: z.string() })),
    }),
  },
  formatDrives: {
    summary: 'Format local drives; all data on them is lost',
    body: z.object({
      /** `node:/dev/sdb` each. */
      drives: z.array(z.string().max(1_024)).min(1).max(10_000),
      /** Also formats drives that contain a file system. */
      force: z.boolean(),
    }),
    response: z.object({ formatIssuesList: listSchema(FormatIssue) }),
  },
})

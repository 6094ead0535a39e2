import { z } from 'zod'
import { booleanQuery, listSchema, routes } from '../call/route.ts'
import { adminEndpoints } from './endpoints.ts'
import { timeRangeQuery, WidgetSummary } from './widgets.ts'

const Drive = z.object({
  uuid: z.string(),
  endpoint: z.string(),
  /** `ok`, `offline`, or another state that the server reports. */
  state: z.string(),
  drivePath: z.string(),
  rootDisk: z.boolean(),
  healing: z.boolean(),
  model: z.string(),
  /** Bytes. */
  totalSpace: z.number(),
  usedSpace: z.number(),
  availableSpace: z.number(),
  /** Position of its erasure set, from 0; absent if it belongs to none. */
  pool: z.number().optional(),
  set: z.number().optional(),
  /** How much of a drive that is being healed is done, 0 to 1. Absent if the server does not report it. */
  healed: z.number().optional(),
  /** Errors since the server's start. Absent if the server does not report them. */
  errors: z.number().optional(),
  /** Average duration of an operation in the last minute (ms). Absent if the server does not report it. */
  latencyMs: z.number().optional(),
})

const Server = z.object({
  endpoint: z.string(),
  state: z.string(),
  /** Seconds. */
  uptime: z.number(),
  version: z.string(),
  commitID: z.string(),
  poolNumber: z.number(),
  /** Peer → `online` or another state. */
  network: z.record(z.string(), z.string()),
  drives: listSchema(Drive),
})

export const AdminInfo = z.object({
  buckets: z.number(),
  objects: z.number(),
  /** Bytes. */
  usage: z.number(),
  servers: listSchema(Server),
  /** How many drives of a set may fail without loss of data. Absent if the server does not report it. */
  drivesMayFail: z.number().optional(),
  /** Null without a source of metrics; clients then show the usage view. */
  widgets: z.array(WidgetSummary).nullable(),
  /**
   * The source of the widgets' values: a Prometheus, the console's own history, or nothing. `kept` is a history for which an
   * administrator had a service account created; it can be ended.
   */
  metrics: z.enum(['prometheus', 'history', 'kept', 'none']),
  /** The console's time, seconds since 1970. */
  time: z.number(),
  /**
   * Usable capacity without redundancy (bytes); drives that share a file system are counted once. Absent if the server does
   * not report it.
   */
  usableCapacity: z.number().optional(),
  /**
   * When the usage was counted, RFC 3339. Null: the server's first background count has not finished, so the figures are not
   * meaningful. Absent: the figures are current, or the caller has no right to see their age.
   */
  countedAt: z.string().nullish(),
})
export type AdminInfo = z.infer<typeof AdminInfo>

export const adminCalls = routes(adminEndpoints, {
  getAdminInfo: {
    summary: 'Usage, servers and drives, and the list of dashboard widgets',
    query: z.object({
      ...timeRangeQuery,
      /** Omits the widgets. */
      defaultOnly: booleanQuery,
    }),
    response: AdminInfo,
  },
})

import { z } from 'zod'
import { flag, list, routes } from '../route.ts'
import { adminEndpoints } from './endpoints.ts'
import { timeRange, WidgetSummary } from './widgets.ts'

const Drive = z.object({
  uuid: z.string(),
  endpoint: z.string(),
  /** `ok`, `offline`, or another state in the server's own word. */
  state: z.string(),
  drivePath: z.string(),
  rootDisk: z.boolean(),
  healing: z.boolean(),
  model: z.string(),
  /** Bytes. */
  totalSpace: z.number(),
  usedSpace: z.number(),
  availableSpace: z.number(),
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
  drives: list(Drive),
})

export const AdminInfo = z.object({
  buckets: z.number(),
  objects: z.number(),
  /** Bytes. */
  usage: z.number(),
  servers: list(Server),
  /** Null without a source of metrics: clients choose the usage view by it. */
  widgets: z.array(WidgetSummary).nullable(),
  /**
   * Where the widgets have their values from: a Prometheus, the console's own history, or nothing. `kept` is a history
   * for which somebody had a service account made; it can be ended.
   */
  metrics: z.enum(['prometheus', 'history', 'kept', 'none']),
  /** The console's time, seconds since 1970. */
  time: z.number(),
  /**
   * Bytes that can be stored, redundancy taken off; drives that share a file system share its bytes. Absent where the
   * server does not tell.
   */
  usableCapacity: z.number().optional(),
  /**
   * When the usage was counted, RFC 3339. Null: the server counts in the background and has not come to an end yet, so the
   * figures say nothing. Absent: they are exact now, or the caller may not know their age.
   */
  countedAt: z.string().nullish(),
})
export type AdminInfo = z.infer<typeof AdminInfo>

export const adminCalls = routes(adminEndpoints, {
  getAdminInfo: {
    summary: 'Usage, servers and drives; the widgets of the dashboard',
    query: z.object({
      ...timeRange,
      /** Whether the widgets are left out. */
      defaultOnly: flag,
    }),
    response: AdminInfo,
  },
})
